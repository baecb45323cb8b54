import type { ApprovedCall } from "../../domain/call.ts";
import { type Digest, digestOf, digestOfText } from "../../domain/digest.ts";
import { isoTime } from "../../domain/iso-time.ts";
import type { JsonObject } from "../../domain/json.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { RunResult } from "../../domain/tool.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Executor } from "./executor.ts";

/** Whose the call is. `taking`: the ledger is being told, and nothing has been run yet. */
export type Phase =
  | { readonly kind: "waiting" }
  | { readonly kind: "offered" | "taking" | "taken"; readonly to: Executor; readonly token: string }
  | { readonly kind: "over" };

export interface DispatchParts {
  readonly call: ApprovedCall;
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly newToken: () => string;
  /** Told when the next executor may be asked. */
  readonly free: (dispatch: Dispatch) => void;
  readonly over: (dispatch: Dispatch) => void;
}

/** Larger arguments come with the answer to the acknowledgement, and not with the signal. */
const SIGNAL_CHARS_MAX = 10 * 1024;

/**
 * One call on its way to an executor and back.
 * INVARIANT (one at a time): a token is of one call, one executor and one plan; whoever has an older one has nothing.
 * INVARIANT (one result): `over` is reached once, and what comes behind it changes nothing.
 */
export class Dispatch {
  readonly call: ApprovedCall;
  readonly result: Promise<RunResult>;
  readonly #parts: DispatchParts;
  readonly #settle: (result: RunResult) => void;
  readonly #offers = new Map<Executor, number>();
  readonly #inputDigest: Digest;
  #phase: Phase = { kind: "waiting" };
  #disarm: () => void = () => {};
  #disarmWait: () => void;
  #isWaitOver = false;

  constructor(parts: DispatchParts) {
    this.#parts = parts;
    this.call = parts.call;
    this.#inputDigest = digestOf(parts.call.input);
    const { promise, resolve } = Promise.withResolvers<RunResult>();
    this.result = promise;
    this.#settle = resolve;
    this.#disarmWait = parts.clock.after(LIMITS.executorWaitMs.default, () => this.giveUp());
  }

  /** It is offered to nobody any more. */
  giveUp(): void {
    this.#isWaitOver = true;
    if (this.#phase.kind === "waiting" || this.#phase.kind === "offered") this.end(UNTAKEN);
  }

  get phase(): Phase {
    return this.#phase;
  }

  /** How often this one was asked. */
  offersTo(executor: Executor): number {
    return this.#offers.get(executor) ?? 0;
  }

  /** Asks an executor. It has so long to say that it begins. */
  offer(to: Executor): void {
    const { clock, newToken } = this.#parts;
    const token = newToken();
    this.#offers.set(to, this.offersTo(to) + 1);
    this.#phase = { kind: "offered", to, token };
    this.#disarm();
    this.#disarm = clock.after(LIMITS.executorAckMs.default, () => this.withdraw());
    to.tell("tool.execution_signal", this.#signal(token, "short"));
  }

  /** The one that was asked is asked no more. Nothing of the call has been run: it would have said so first. */
  withdraw(): void {
    if (this.#phase.kind === "offered") this.#freed();
  }

  /** False: it has ended meanwhile. */
  taking(to: Executor, token = this.#parts.newToken()): boolean {
    if (this.#phase.kind === "over") return false;
    this.#disarm();
    this.#phase = { kind: "taking", to, token };
    return true;
  }

  /** The ledger could not be told, or the executor has gone before it was told. */
  untaken(): void {
    if (this.#phase.kind === "taking") this.#freed();
  }

  #freed(): void {
    this.#disarm();
    this.#phase = { kind: "waiting" };
    if (this.#isWaitOver) this.end(UNTAKEN);
    else this.#parts.free(this);
  }

  /** The ledger knows who runs it: from here on it may have been run. Null: it has ended meanwhile, and must not be. */
  taken(): JsonObject | null {
    if (this.#phase.kind !== "taking") return null;
    const { to, token } = this.#phase;
    this.#phase = { kind: "taken", to, token };
    this.#disarmWait();
    const { clock, timeoutMs } = this.#parts;
    this.#disarm = clock.after(timeoutMs, () => {
      this.#tellToStop("timeout");
      this.#disarm = clock.after(LIMITS.executorGraceMs.default, () => this.end(LOST));
    });
    return this.#signal(token, "whole");
  }

  /** The gate wants it to stop: what was not begun has stopped, and of the rest only its executor knows. */
  stop(): void {
    if (this.#phase.kind !== "taken") {
      this.end({ kind: "stopped" });
      return;
    }
    this.#tellToStop("cancelled");
    this.#disarm();
    // As long as the gate itself waits for a runner that was told to stop.
    this.#disarm = this.#parts.clock.after(LIMITS.stopGraceMs.default, () => this.end(LOST));
  }

  end(result: RunResult): void {
    if (this.#phase.kind === "over") return;
    this.#phase = { kind: "over" };
    this.#disarm();
    this.#disarmWait();
    this.#parts.over(this);
    this.#settle(result);
  }

  #tellToStop(reason: "timeout" | "cancelled"): void {
    const { callId, plan } = this.call;
    if (this.#phase.kind === "taken")
      this.#phase.to.tell("tool.execution_cancel", { tool_id: callId, tool_name: plan.tool, reason });
  }

  /** The fields of the Agent Tools seed, and what binds them to what was judged. */
  #signal(token: string, how: "short" | "whole"): JsonObject {
    const { callId, plan, seal, session, input } = this.call;
    const isShort = how === "short" && JSON.stringify(input).length > SIGNAL_CHARS_MAX;
    return {
      tool_id: callId,
      tool_name: plan.tool,
      ...(isShort ? { truncated: true } : { tool_params: input }),
      dispatch_token: token,
      plan_digest: seal.digest,
      params_digest: this.#inputDigest,
      timeout_seconds: this.#parts.timeoutMs / 1000,
      session_id: session.id,
      timestamp: isoTime(this.#parts.clock.nowMs()),
    };
  }
}

/** Only its digest is kept anywhere. */
export const digestOfToken = (token: string): Digest => digestOfText(token);

const LOST: RunResult = { kind: "lost" };

const UNTAKEN: RunResult = {
  kind: "failed",
  error: {
    code: "EXECUTOR_UNAVAILABLE",
    message: "no connected client took the call in time; nothing of it ran",
    retryable: true,
  },
  content: [],
};
