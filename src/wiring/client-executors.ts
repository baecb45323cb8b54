import type { Tool } from "../domain/call.ts";
import type { ClientToolSpec } from "../domain/client-tool.ts";
import { digestOf } from "../domain/digest.ts";
import type { Entry } from "../domain/entry.ts";
import type { JsonObject } from "../domain/json.ts";
import type { Refusal } from "../domain/outcome.ts";
import type { Clock } from "../ports/clock.ts";
import type { Files } from "../ports/files.ts";
import type { Journal } from "../ports/journal.ts";
import type { CallRecord, JournalView } from "../ports/journal-view.ts";
import type { Programs } from "../ports/programs.ts";
import { type ClientResult, runResultFrom } from "../tools/client/client-result.ts";
import { clientTool } from "../tools/client/client-tool.ts";
import { digestOfToken } from "../tools/client/dispatch.ts";
import type { Executor } from "../tools/client/executor.ts";
import { Executors, type Taken } from "../tools/client/executors.ts";
import { isOver } from "./execution.ts";
import type { Evidence, LateResults } from "./late-results.ts";
import { untilSeen } from "./until-seen.ts";

export type { ClientResult, Executor };

export interface ClientExecutorsParts {
  readonly specs: readonly ClientToolSpec[];
  readonly clock: Clock;
  readonly files: Files;
  readonly programs: Programs;
  readonly journal: Pick<Journal, "note">;
  readonly view: JournalView;
  readonly project: string;
  readonly late: LateResults;
}

/** What an executor sent, and who it is by the server's word. */
export interface PostedResult {
  readonly callId: string;
  readonly actor: string;
  readonly token: string | null;
  readonly said: ClientResult;
}

export type PostResult =
  /** It is the result, and the call's end is in the ledger; `same`: it was before. */
  | { readonly kind: "recorded" | "same" }
  /** The call has another end. */
  | { readonly kind: "conflict" }
  | { readonly kind: "late"; readonly evidence: Evidence | null }
  /** Nobody was told to run it yet, or ever. */
  | { readonly kind: "early" }
  /** Somebody else was, or nobody is meant to be told. */
  | { readonly kind: "foreign" }
  | { readonly kind: "elsewhere" }
  | { readonly kind: "unknown" }
  | { readonly kind: "failed"; readonly refusal: Refusal };

/** Longer than any commit takes that is going to succeed. */
const RECORDED_WITHIN_MS = 15_000;

/** Tools that connected clients run, as doors see them. */
export class ClientExecutors {
  readonly #parts: ClientExecutorsParts;
  readonly #executors: Executors;
  readonly tools: readonly Tool[];
  #isServing = false;

  constructor(parts: ClientExecutorsParts) {
    this.#parts = parts;
    const { clock, files, programs, journal, specs } = parts;
    this.#executors = new Executors({ clock, note: (entry) => journal.note(entry) });
    const making = { executors: this.#executors, files, programs, isServing: () => this.#isServing };
    this.tools = specs.map((spec) => clientTool(spec, making));
  }

  /**
   * From now on clients can connect to this process. No other process can run their calls, so what one of those approves is
   * gone on with here as soon as it is seen.
   */
  serve(carryOn: (isMeant: (tool: string) => boolean) => Promise<void>): void {
    const { project, specs, view } = this.#parts;
    this.#isServing = true;
    if (specs.length === 0) return;
    const isMeant = (tool: string) => this.#isClientTool(tool);
    let isAsked = false;
    let isLooking = false;
    const look = async (): Promise<void> => {
      isAsked = true;
      if (isLooking) return;
      isLooking = true;
      while (isAsked && this.#isServing) {
        isAsked = false;
        if (view.approved(project).length > 0) await carryOn(isMeant);
      }
      isLooking = false;
    };
    view.watch(() => void look());
  }

  /** Clients can't connect any more: what nobody has by now, nobody will have. */
  close(): void {
    this.#isServing = false;
    this.#executors.close();
  }

  /** Whether a call of this tool can be run by this process. */
  runsHere(tool: string): boolean {
    return this.#isServing || !this.#isClientTool(tool);
  }

  get counts(): Executors["counts"] {
    return this.#executors.counts;
  }

  connect(executor: Executor): () => void {
    return this.#executors.connect(executor);
  }

  standing(callId: string): "offered" | "taken" | null {
    return this.#executors.standing(callId);
  }

  /** Whether an executor was asked to run it, or is. */
  isWith(callId: string, actor: string): boolean {
    if (this.#executors.isWith(callId, actor)) return true;
    const isClients = this.#isClientTool(this.#parts.view.call(callId)?.tool ?? "");
    return isClients && this.#dispatches(callId).some((entry) => entry.actor === actor);
  }

  take(callId: string, token: string, actor: string): Promise<Taken> {
    return this.#executors.take(callId, token, actor);
  }

  /** Comes back once what it leads to is durable. */
  async post(posted: PostedResult): Promise<PostResult> {
    const { callId, actor, token, said } = posted;
    const before = this.#record(callId);
    if (before === null) return { kind: "unknown" };
    const how = this.#executors.finish(callId, {
      actor,
      token,
      digest: () => digestOf(said),
      result: () => runResultFrom(said),
    });
    switch (how) {
      case "accepted":
      case "same":
      case "conflict": {
        const record = await this.#ended(callId);
        if (record === null) return { kind: "failed", refusal: UNRECORDED };
        // The gate had given it up in the moment in which it came.
        if (how === "accepted" && record.state === "unknown") return this.#late(record, posted);
        return { kind: how === "accepted" ? "recorded" : how };
      }
      case "early":
      case "foreign":
        return { kind: how };
      case "none":
        return this.#unexpected(before, posted);
      default:
        return how satisfies never;
    }
  }

  /** Nobody waits for it here: by the ledger it is late, or not theirs. */
  #unexpected(record: CallRecord, posted: PostedResult): Promise<PostResult> | PostResult {
    if (!this.#isClientTool(record.tool) && isOver(record.state) === false) return { kind: "foreign" };
    if (record.state === "executing") return { kind: "elsewhere" };
    const dispatched = this.#dispatches(record.callId).at(-1);
    if (dispatched === undefined) return { kind: this.#isClientTool(record.tool) ? "early" : "foreign" };
    const { actor, token } = posted;
    const { acknowledged, tokenDigest } = dispatched.body;
    const isTokenGood = token === null ? acknowledged === false : tokenDigest === digestOfToken(token);
    if (dispatched.actor !== actor || !isTokenGood) return { kind: "foreign" };
    return record.state === "completed" || record.state === "failed"
      ? { kind: "conflict" }
      : this.#late(record, posted);
  }

  async #late(record: CallRecord, { said, actor }: PostedResult): Promise<PostResult> {
    return { kind: "late", evidence: await this.#parts.late.keep(record, said as unknown as JsonObject, actor) };
  }

  async #ended(callId: string): Promise<CallRecord | null> {
    const { clock, view } = this.#parts;
    const stop = new AbortController();
    const disarm = clock.after(RECORDED_WITHIN_MS, () => stop.abort());
    const isEnded = await untilSeen(view, () => isOver(view.call(callId)?.state ?? "executing"), stop.signal);
    disarm();
    return isEnded ? this.#record(callId) : null;
  }

  #record(callId: string): CallRecord | null {
    const record = this.#parts.view.call(callId);
    return record?.project === this.#parts.project ? record : null;
  }

  #dispatches(callId: string): readonly Entry[] {
    return this.#parts.view.entriesOf(callId).filter(({ kind }) => kind === "tool.dispatched");
  }

  #isClientTool(name: string): boolean {
    return this.#parts.specs.some((spec) => spec.name === name);
  }
}

const UNRECORDED: Refusal = {
  code: "LEDGER_UNAVAILABLE",
  stage: "journal",
  message: "the result came, and the end of the call can't be written",
  hint: "`toolgate ledger verify` says what is wrong with the ledger",
};
