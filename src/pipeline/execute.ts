import type { ApprovedCall } from "../domain/call.ts";
import { LIMITS } from "../domain/limits.ts";
import { NEVER } from "../domain/never.ts";
import type { Now } from "../domain/now.ts";
import type { Content, Truncation } from "../domain/outcome.ts";
import { NOTHING_USED, type Progress, type Run, type RunResult, type Usage } from "../domain/tool.ts";
import type { Clock } from "../ports/clock.ts";
import type { Faults } from "../ports/faults.ts";
import type { RedactMessages } from "../redact/redact-messages.ts";
import type { Redactor } from "../redact/redactor.ts";

/** How a run ended: what the runner said, or what the gate saw. */
export type Ran =
  | { readonly kind: "returned"; readonly result: RunResult }
  | { readonly kind: "threw"; readonly cause: unknown }
  /** It was told to stop. `proven` = the runner came back, so nothing of it goes on. */
  | {
      readonly kind: "stopped";
      readonly why: "timeout" | "cancel";
      readonly proven: boolean;
      readonly usage?: Usage;
      /** What it had said by then. */
      readonly content?: readonly Content[];
      /** That is not all, and where all of it is. */
      readonly truncated?: Truncation;
      /** What the runner says of its being late. */
      readonly late?: Extract<RunResult, { kind: "stopped" }>["late"];
    };

interface ExecutePorts {
  readonly clock: Clock;
  readonly faults: Faults;
  readonly redactor: Redactor;
  readonly progress: (callId: string, progress: Progress) => void;
}

/** What the session's budget leaves a call. */
export interface Within {
  readonly timeMs: number;
  /** Its bytes are counted, and nothing is told of it but its result, which is cut to them. */
  readonly isSilent: boolean;
}

/** Sixth stage. Runs what was approved, within its time, and does not wait for a runner that will not stop. */
export function execute(
  call: ApprovedCall,
  ports: ExecutePorts,
  signal: AbortSignal,
  within: Within = UNCOUNTED,
): Now<Ran> {
  // Cancelled while the start was being written: what was never begun has stopped.
  if (signal.aborted) return { kind: "stopped", why: "cancel", proven: true, usage: NOTHING_USED };
  const stop = new AbortController();
  try {
    const run = call.tool.run(call, stop.signal);
    return isResult(run)
      ? ended(returned(run), signal.aborted ? "cancel" : null)
      : inTime(run, call, ports, { signal, stop, within });
  } catch (cause) {
    return { kind: "threw", cause };
  }
}

const UNCOUNTED: Within = { timeMs: Number.POSITIVE_INFINITY, isSilent: false };

/** A runner that completed although it was told to stop has completed: what happened, happened. What is lost stays so. */
const ended = (ran: Ran, toldToStop: "timeout" | "cancel" | null): Ran =>
  toldToStop === null || (ran.kind === "returned" && (ran.result.kind === "completed" || ran.result.kind === "lost"))
    ? ran
    : { kind: "stopped", why: toldToStop, proven: true, ...saidBy(ran) };

const saidBy = (ran: Ran): Omit<Extract<Ran, { kind: "stopped" }>, "kind" | "why" | "proven"> => {
  if (ran.kind !== "returned" || ran.result.kind === "lost") return {};
  const { content = [], truncated, usage } = ran.result;
  const late = ran.result.kind === "stopped" ? ran.result.late : undefined;
  return {
    ...(content.length > 0 && { content }),
    ...(truncated && { truncated }),
    ...(late && { late }),
    ...(usage && { usage }),
  };
};

/** Not every runner is of this house: what is no result is a mistake of the runner, which has ended all the same. */
const returned = (result: RunResult): Ran =>
  RESULTS.has(result?.kind)
    ? { kind: "returned", result }
    : { kind: "threw", cause: new TypeError("the runner gave back something else than a result") };

const RESULTS: ReadonlySet<unknown> = new Set<RunResult["kind"]>(["completed", "failed", "lost", "stopped"]);

/** Not everybody's promises are the engine's own, and a foreign one may have a `kind` of its own. */
const isResult = (run: Run): run is RunResult => !("then" in run || "next" in run);

function inTime(
  run: Exclude<Run, RunResult>,
  call: ApprovedCall,
  ports: ExecutePorts,
  { signal, stop, within }: { signal: AbortSignal; stop: AbortController; within: Within },
): Promise<Ran> {
  const { clock } = ports;
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
      stop.abort(STOPPED[reason]());
    };
    const cancel = () => tellToStop("cancel");
    let disarm = clock.after(Math.min(call.plan.timeoutMs, within.timeMs), () => tellToStop("timeout"));
    if (signal.aborted)
      cancel(); // by the runner itself
    else if (signal !== NEVER) signal.addEventListener("abort", cancel, { once: true });

    const watched = new Watched(ports, call.callId, () => isOver || within.isSilent);
    void drain(run, watched).then((ran) => {
      disarm();
      if (signal !== NEVER) signal.removeEventListener("abort", cancel);
      resolve(ended(ran, why));
    });
  });
}

/** Named as the platform names its own: a runner that wants to know why it was stopped can tell. */
const STOPPED = {
  timeout: () => new DOMException("the time is over", "TimeoutError"),
  cancel: () => new DOMException("the caller cancelled", "AbortError"),
} as const;

async function drain(run: Exclude<Run, RunResult>, watched: Watched): Promise<Ran> {
  try {
    if ("then" in run) return returned(await run);
    for (;;) {
      const step = await run.next();
      if (step.done) {
        watched.end();
        return returned(step.value);
      }
      await watched.tell(step.value);
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

  async tell(step: Progress): Promise<void> {
    const { redactor } = this.#ports;
    this.#messages ??= redactor.redactMessages();
    this.#last = step;
    const message = String(step.message);
    const seen = await redactor.ahead([message]);
    this.#pass(step, this.#messages.push(message, seen));
  }

  end(): void {
    if (this.#last !== null) this.#pass(this.#last, this.#messages?.end() ?? null);
  }

  #pass({ done, total, from }: Progress, message: string | null): void {
    if (message === null || this.#isOver()) return;
    try {
      const counts = { ...(done !== undefined && { done }), ...(total !== undefined && { total }) };
      this.#ports.progress(this.#callId, { message, ...counts, ...(from !== undefined && { from }) });
    } catch (cause) {
      // Progress is live only, and no outcome depends on it.
      this.#ports.faults.report(cause, { stage: "execute", callId: this.#callId });
    }
  }
}
