import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Gate } from "../../wiring/gate.ts";

const LOOK_EVERY_MS = 500;

/**
 * A gateway runs for days beside its client. Starting it leaves behind a sixth of its memory that nothing needs any more,
 * and that V8 keeps as long as there is room; it is asked, once and when nothing runs, to let go of it. Takes a tenth of a
 * second. Call what comes back when the gate closes.
 */
export function trimMemoryOnceIdle(gate: Gate, collect = collectAll): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  void gate.upstreams.ready().then(
    () => {
      if (isStopped) return;
      timer = setInterval(() => {
        if (gate.executions.load.running > 0) return;
        clearInterval(timer);
        try {
          collect();
        } catch {
          // It was only to need less, and a runtime without these flags needs what it needs.
        }
      }, LOOK_EVERY_MS).unref();
    },
    () => {}, // whoever asks for the tools hears why there are none
  );
  return () => {
    isStopped = true;
    clearInterval(timer);
  };
}

/** There is no other way to ask. The flag counts where a context is made, and is taken back at once. */
function collectAll(): void {
  setFlagsFromString("--expose-gc");
  try {
    const collect = runInNewContext("gc") as (options: object) => void;
    collect({ type: "major", flavor: "last-resort" });
  } finally {
    setFlagsFromString("--no-expose-gc");
  }
}
