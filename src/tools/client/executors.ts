import { randomBytes, timingSafeEqual } from "node:crypto";
import type { ApprovedCall } from "../../domain/call.ts";
import type { Digest } from "../../domain/digest.ts";
import type { EntryDraft } from "../../domain/entry.ts";
import { isoTime } from "../../domain/iso-time.ts";
import type { JsonObject } from "../../domain/json.ts";
import type { Refusal } from "../../domain/outcome.ts";
import type { RunResult } from "../../domain/tool.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Committed } from "../../ports/journal.ts";
import { Dispatch, digestOfToken } from "./dispatch.ts";
import type { Executor } from "./executor.ts";

export interface ExecutorsParts {
  readonly clock: Clock;
  readonly note: (entry: EntryDraft) => Promise<Committed>;
}

/** What somebody sends who says that they have run a call. */
export interface Posted {
  readonly actor: string;
  /** Null: whoever does not acknowledge knows of none. */
  readonly token: string | null;
  /** Of all that was sent. Looked at only once it is known to be theirs: it may be long. */
  readonly digest: () => Digest;
  readonly result: () => RunResult;
}

export type Taken =
  | { readonly kind: "taken"; readonly signal: JsonObject }
  /** It is not for them to run, or not any more. */
  | { readonly kind: "withdrawn" }
  | { readonly kind: "failed"; readonly refusal: Refusal };

/**
 * `accepted`: this is the result. `same`: it is, and was sent before. `conflict`: there is another. `early`: it was not
 * handed out yet. `foreign`: it was, to somebody else. `none`: nobody waits for one here.
 */
export type Finishing = "accepted" | "same" | "conflict" | "early" | "foreign" | "none";

interface Had {
  readonly actor: string;
  readonly token: string;
  readonly digest: Digest;
  readonly acknowledges: boolean;
}

/** More than are sent twice within the time that somebody tries again. */
const HAD_MAX = 10_000;
const TOKEN_BYTES = 32;

/**
 * The clients that run tools themselves, and the calls that are theirs to run. INVARIANT (ledger first): the ledger knows
 * who runs a call before they hear that they may.
 */
export class Executors {
  readonly #parts: ExecutorsParts;
  readonly #connected = new Set<Executor>();
  readonly #open = new Map<string, Dispatch>();
  readonly #had = new Map<string, Had>();

  constructor(parts: ExecutorsParts) {
    this.#parts = parts;
  }

  get counts(): { readonly connected: number; readonly waiting: number; readonly running: number } {
    const running = [...this.#open.values()].filter(({ phase }) => phase.kind === "taken").length;
    return { connected: this.#connected.size, waiting: this.#open.size - running, running };
  }

  /** What is given back is to be called when it has gone; once or more often. */
  connect(executor: Executor): () => void {
    this.#connected.add(executor);
    for (const dispatch of this.#open.values()) if (dispatch.phase.kind === "waiting") this.#offer(dispatch);
    return () => {
      if (!this.#connected.delete(executor)) return;
      for (const dispatch of [...this.#open.values()]) {
        const { phase } = dispatch;
        if (phase.kind === "offered" && phase.to === executor) dispatch.withdraw();
      }
    };
  }

  /** Runs a call whose start is in the ledger: hands it to one executor and waits for what it says. */
  run(call: ApprovedCall, timeoutMs: number, signal: AbortSignal): Promise<RunResult> {
    const dispatch = new Dispatch({
      call,
      timeoutMs,
      clock: this.#parts.clock,
      newToken: () => randomBytes(TOKEN_BYTES).toString("base64url"),
      free: (freed) => this.#offer(freed),
      over: ({ call: { callId } }) => {
        this.#open.delete(callId);
        signal.removeEventListener("abort", stop);
      },
    });
    const stop = () => dispatch.stop();
    signal.addEventListener("abort", stop, { once: true });
    this.#open.set(call.callId, dispatch);
    this.#offer(dispatch);
    if (signal.aborted) stop();
    return dispatch.result;
  }

  /** Nobody will connect any more. Who has a call may still say how it ended. */
  close(): void {
    for (const dispatch of [...this.#open.values()]) dispatch.giveUp();
  }

  /** Null: nobody waits for it here. `offered`: no executor has it yet. */
  standing(callId: string): "offered" | "taken" | null {
    const dispatch = this.#open.get(callId);
    if (dispatch === undefined) return null;
    return dispatch.phase.kind === "taken" ? "taken" : "offered";
  }

  /** Whether it is offered to this one now, or theirs. */
  isWith(callId: string, actor: string): boolean {
    const phase = this.#open.get(callId)?.phase;
    return phase !== undefined && "to" in phase && phase.to.actor === actor;
  }

  /** An executor says that it begins. A token is good for that once. */
  async take(callId: string, token: string, actor: string): Promise<Taken> {
    const dispatch = this.#open.get(callId);
    const phase = dispatch?.phase;
    if (dispatch === undefined || phase?.kind !== "offered" || phase.to.actor !== actor || !isSame(phase.token, token))
      return { kind: "withdrawn" };
    const refusal = await this.#take(dispatch, phase.to, token);
    if (refusal !== null) {
      dispatch.untaken();
      return { kind: "failed", refusal };
    }
    const signal = dispatch.taken();
    return signal === null ? { kind: "withdrawn" } : { kind: "taken", signal };
  }

  /** An executor says how it ended. Of all that say so, one is heard. */
  finish(callId: string, posted: Posted): Finishing {
    const dispatch = this.#open.get(callId);
    if (dispatch === undefined) return this.#again(callId, posted);
    const { phase } = dispatch;
    if (phase.kind !== "taken") return "early";
    const { token, to } = phase;
    if (to.actor !== posted.actor || !isOwn(token, posted, to)) return "foreign";
    const result = posted.result();
    this.#remember(callId, { actor: to.actor, token, digest: posted.digest(), acknowledges: to.acknowledges });
    to.tell("tool.result_ack", { tool_id: callId, status: "received" });
    dispatch.end(result);
    return "accepted";
  }

  #again(callId: string, posted: Posted): Finishing {
    const had = this.#had.get(callId);
    if (had === undefined) return "none";
    if (had.actor !== posted.actor || !isOwn(had.token, posted, had)) return "foreign";
    return had.digest === posted.digest() ? "same" : "conflict";
  }

  #remember(callId: string, had: Had): void {
    this.#had.set(callId, had);
    const [oldest] = this.#had.keys();
    if (this.#had.size > HAD_MAX && oldest !== undefined) this.#had.delete(oldest);
  }

  /** Asks who was asked least, and of those who has least to do. */
  #offer(dispatch: Dispatch): void {
    const able = [...this.#connected].filter((executor) => isAble(executor, dispatch.call));
    const busy = (executor: Executor) =>
      [...this.#open.values()].filter(({ phase }) => "to" in phase && phase.to === executor).length;
    const [first] = able.sort((a, b) => dispatch.offersTo(a) - dispatch.offersTo(b) || busy(a) - busy(b));
    if (first === undefined) return;
    if (first.acknowledges) dispatch.offer(first);
    else void this.#handOver(dispatch, first);
  }

  /** To one that does not acknowledge: once it is sent it has to count as begun. */
  async #handOver(dispatch: Dispatch, to: Executor): Promise<void> {
    const refusal = await this.#take(dispatch, to);
    if (refusal !== null) return dispatch.end(unrecorded(refusal));
    if (!this.#connected.has(to)) return dispatch.untaken();
    const signal = dispatch.taken();
    if (signal !== null) to.tell("tool.execution_signal", signal);
  }

  async #take(dispatch: Dispatch, to: Executor, given?: string): Promise<Refusal | null> {
    if (!dispatch.taking(to, given)) return null;
    const { phase, call } = dispatch;
    const token = phase.kind === "taking" ? phase.token : "";
    const noted = await this.#parts.note({
      at: isoTime(this.#parts.clock.nowMs()),
      kind: "tool.dispatched",
      project: call.project,
      sessionId: call.session.id,
      callId: call.callId,
      actor: to.actor,
      planDigest: call.seal.digest,
      // What comes of it is the executor's word: nothing here could prove it.
      body: {
        attested: false,
        acknowledged: to.acknowledges,
        executor: to.actor,
        tokenDigest: digestOfToken(token),
        tool: call.plan.tool,
      },
    });
    return noted.kind === "committed" ? null : noted.refusal;
  }
}

const isAble = ({ tools, sessionId, isAllowed }: Executor, { plan, session }: ApprovedCall): boolean =>
  (tools === null || tools.has(plan.tool)) && (sessionId === undefined || sessionId === session.id) && isAllowed();

const isOwn = (expected: string, { token }: Posted, { acknowledges }: Pick<Executor, "acknowledges">): boolean =>
  token === null ? !acknowledges : isSame(expected, token);

/** Hashes are compared: how long that takes tells nothing of a token that would fit. */
const isSame = (expected: string, given: string): boolean =>
  timingSafeEqual(Buffer.from(digestOfToken(expected)), Buffer.from(digestOfToken(given)));

const unrecorded = ({ code, message }: Refusal): RunResult => ({
  kind: "failed",
  error: { code, message, retryable: true },
  content: [],
});
