import type { Readable } from "node:stream";
import type { OutputChunk } from "../ports/sandbox.ts";

/** Both outputs as they come. Reads only as fast as somebody listens, so that a flood stays where it is made. */
export async function* mergedOutput(stdout: Readable, stderr: Readable): AsyncGenerator<OutputChunk> {
  const open = new Map<OutputChunk["from"], Readable>([
    ["stdout", stdout],
    ["stderr", stderr],
  ]);
  let next = Promise.withResolvers<void>();
  const wake = (): void => next.resolve();
  for (const stream of open.values()) for (const event of EVENTS) stream.on(event, wake);
  try {
    while (open.size > 0) {
      next = Promise.withResolvers<void>();
      let isQuiet = true;
      for (const [from, stream] of open) {
        const bytes: Uint8Array | null = stream.read();
        if (bytes !== null) {
          isQuiet = false;
          yield { from, bytes };
        } else if (stream.readableEnded || stream.destroyed) {
          isQuiet = false;
          open.delete(from);
        }
      }
      if (isQuiet) await next.promise;
    }
  } finally {
    for (const stream of [stdout, stderr]) {
      for (const event of EVENTS) stream.off(event, wake);
      stream.resume(); // whoever has read enough leaves the rest: only its end is the end
    }
  }
}

/** Both outputs, told in the very turn in which they come. A flood stays where it is made as long as somebody is busy with it. */
export async function toldOutput(
  stdout: Readable,
  stderr: Readable,
  hear: (chunk: OutputChunk) => Promise<void> | void,
): Promise<void> {
  await Promise.all([told(stdout, "stdout", hear), told(stderr, "stderr", hear)]);
}

function told(
  stream: Readable,
  from: OutputChunk["from"],
  hear: (chunk: OutputChunk) => Promise<void> | void,
): Promise<void> {
  return new Promise((resolve) => {
    const goOn = (): void => void stream.resume();
    stream.on("data", (bytes: Uint8Array) => {
      const busy = hear({ from, bytes });
      if (busy === undefined) return;
      stream.pause();
      busy.then(goOn, goOn);
    });
    for (const event of ["end", "close", "error"] as const) stream.once(event, () => resolve());
    if (stream.readableEnded || stream.destroyed) resolve();
  });
}

const EVENTS = ["readable", "end", "close", "error"] as const;
