import type { ApprovedCall } from "../domain/call.ts";
import { LIMITS } from "../domain/limits.ts";
import { NEVER } from "../domain/never.ts";
import type { Progress, RunResult } from "../domain/tool.ts";
import type { Clock } from "../ports/clock.ts";
import type { RedactMessages } from "../redact/redact-messages.ts";
import type { Redactor } from "../redact/redactor.ts";

/** How a run ended: what the runner said, or what the gate saw. */
export type Ran =
  | { readonly kind: "returned"; readonly result: RunResult }
  | { readonly kind: "threw"; readonly cause: unknown }
  /** It was told to stop. `proven` = the runner came back, so nothing of it goes on. */
  | { readonly kind: "stopped"; readonly why: "timeout" | "cancel"; readonly proven: boolean };

interface ExecutePorts {
  readonly clock: Clock;
  readonly redactor: Redactor;
  readonly progress: (callId: string, progress: Progress) => void;
}

/** Sixth stage. Runs what was approved, within its time, and does not wait for a runner that will not stop. */
export function execute(call: ApprovedCall, ports: ExecutePorts, signal: AbortSignal): Promise<Ran> {
  const { clock } = ports;
  const stop = new AbortController();
  return new Promise((settle) => {
    let isOver = false;
    const resolve = (ran: Ran) => {
      isOver = true;
      settle(ran);
    };
    let why: "timeout" | "cancel" | null = null;
    const tellToStop = (reason: "timeout" | "cancel") => {
      if (why !== null) return;
      why = reason;
      disarm();
      disarm = clock.after(LIMITS.stopGraceMs.default, () => resolve({ kind: "stopped", why: reason, proven: false }));
      stop.abort();
    };
    const cancel = () => tellToStop("cancel");
    let disarm = clock.after(call.plan.timeoutMs, () => tellToStop("timeout"));
    if (signal.aborted) cancel();
    else if (signal !== NEVER) signal.addEventListener("abort", cancel, { once: true });

    const watched = new Watched(ports, call.callId, () => isOver);
    void drain(call, stop.signal, watched).then((ran) => {
      disarm();
      if (signal !== NEVER) signal.removeEventListener("abort", cancel);
      // A runner that completed although it was told to stop has completed: what happened, happened.
      const completed = ran.kind === "returned" && ran.result.kind === "completed";
      resolve(why === null || completed ? ran : { kind: "stopped", why, proven: true });
    });
  });
}

async function drain(call: ApprovedCall, stop: AbortSignal, watched: Watched): Promise<Ran> {
  try {
    const run = call.tool.run(call, stop);
    for (;;) {
      const step = await run.next();
      if (step.done) {
        watched.end();
        return { kind: "returned", result: step.value };
      }
      watched.tell(step.value);
    }
  } catch (cause) {
    return { kind: "threw", cause };
  }
}

/** What is told while a call runs, without secrets. Who watches does not decide, and hears nothing after the end. */
class Watched {
  readonly #ports: ExecutePorts;
  readonly #callId: string;
  readonly #isOver: () => boolean;
  #messages: RedactMessages | null = null;
  #last: Progress | null = null;

  constructor(ports: ExecutePorts, callId: string, isOver: () => boolean) {
    this.#ports = ports;
    this.#callId = callId;
    this.#isOver = isOver;
  }

  tell(step: Progress): void {
    this.#messages ??= this.#ports.redactor.redactMessages();
    this.#last = step;
    this.#pass(step, this.#messages.push(String(step.message)));
  }

  end(): void {
    if (this.#last !== null) this.#pass(this.#last, this.#messages?.end() ?? null);
  }

  #pass({ done, total }: Progress, message: string | null): void {
    if (message === null || this.#isOver()) return;
    try {
      const counts = { ...(done !== undefined && { done }), ...(total !== undefined && { total }) };
      this.#ports.progress(this.#callId, { message, ...counts });
    } catch {
      // The watcher's own trouble: progress is live only, and nothing depends on its being heard.
    }
  }
}
