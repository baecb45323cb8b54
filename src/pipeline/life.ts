import type { ApprovedCall, JudgedCall, RawCall } from "../domain/call.ts";
import type { Code } from "../domain/codes.ts";
import type { EntryDraft } from "../domain/entry.ts";
import type { Outcome, Receipt, Refusal } from "../domain/outcome.ts";
import type { CallState } from "../domain/state.ts";
import type { Blobs } from "../ports/blobs.ts";
import type { Clock } from "../ports/clock.ts";
import type { Committed, Journal } from "../ports/journal.ts";
import type { Probe } from "../ports/probe.ts";
import type { Redactor } from "../redact/redactor.ts";
import type { Ran } from "./execute.ts";
import { finish, unknownOutcome } from "./finish.ts";
import * as record from "./record.ts";
import { shownRefusal } from "./shown-refusal.ts";

/** What the ledger is told, given the time of the change. */
type Entries = (at: string) => readonly [EntryDraft, ...EntryDraft[]];

interface LifePorts {
  readonly clock: Clock;
  readonly journal: Journal;
  readonly probe: Probe;
  readonly redactor: Redactor;
  readonly blobs: Blobs;
  readonly workspace: string;
}

/** How a question that was not answered with a yes ends. */
const END_OF_QUESTION: Partial<Record<Code, CallState>> = {
  APPROVAL_REJECTED: "rejected",
  APPROVAL_EXPIRED: "expired",
  APPROVAL_UNAVAILABLE: "expired",
};

/** Our own mistake, before anything ran. */
export const FAULT: Refusal = {
  code: "FAULT",
  stage: "finish",
  message: "the gate made a mistake and ran nothing",
  hint: "please report it with the ledger entry's number",
};

/**
 * Where a call stands in the journal. Each method is one durable change, written before what it tells of happens.
 * INVARIANT (one outcome): exactly one of `refuse`, `end` and `fault` gives a call its outcome.
 */
export class Life {
  readonly #raw: RawCall;
  readonly #ports: LifePorts;
  readonly #startedMs: number;
  #state: CallState | "received" = "received";
  #judged: JudgedCall | null = null;
  #running: { readonly call: ApprovedCall; readonly receipt: Receipt } | null = null;

  constructor(raw: RawCall, ports: LifePorts) {
    this.#raw = raw;
    this.#ports = ports;
    this.#startedMs = ports.clock.monotonicMs();
  }

  /** Received, judged, and a question is open. */
  ask(call: JudgedCall): Promise<Committed> {
    this.#judged = call;
    return this.#commit("awaiting_approval", (at) => [record.requested(call, at), record.decided(call, at)]);
  }

  answer(call: ApprovedCall): Promise<Committed> {
    return this.#commit("approved", (at) => [record.answered(call, at)]);
  }

  /** INVARIANT (ledger first): nothing runs unless this is durable. */
  async start(call: ApprovedCall): Promise<Committed> {
    this.#judged = call;
    const asked = this.#state !== "received";
    const committed = await this.#commit("executing", (at) =>
      asked
        ? [record.started(call, at)]
        : [record.requested(call, at), record.decided(call, at), record.started(call, at)],
    );
    if (committed.kind === "committed") this.#running = { call, receipt: committed.receipt };
    return committed;
  }

  /** The gate's no. A no that can't be recorded says so: silence in the ledger would hide the attempt. */
  async refuse(given: Refusal): Promise<Outcome> {
    const refusal = this.#shown(given);
    const isNew = this.#state === "received";
    const committed = await this.#commit(this.#refusedState(refusal.code), (at) => {
      const entry = record.refusedEntry(this.#raw, at, refusal, this.#judged?.seal.digest ?? null);
      return isNew ? [record.requested(this.#raw, at), entry] : [entry];
    });
    return committed.kind === "committed"
      ? { kind: "refused", ...this.#base(), receipt: committed.receipt, refusal }
      : this.#unrecorded(committed.refusal);
  }

  /** The start could not be written, so nothing ran. A row that is there already still has to come to its end. */
  async notStarted(refusal: Refusal): Promise<Outcome> {
    return this.#state === "received" ? this.#unrecorded(refusal) : this.refuse(refusal);
  }

  /** The journal is out of reach, so nothing ran and nothing could be written. */
  #unrecorded(refusal: Refusal): Outcome {
    return { kind: "refused", ...this.#base(), refusal: this.#shown(refusal) };
  }

  #shown(refusal: Refusal): Refusal {
    return shownRefusal(refusal, this.#ports.redactor, this.#ports.workspace);
  }

  async end(call: ApprovedCall, ran: Ran): Promise<Outcome> {
    const finishing = finish(call, ran, this.#durationMs(), this.#ports);
    const finished = finishing instanceof Promise ? await finishing : finishing;
    this.#ports.probe.reached("finished", call.callId);
    const committed = await this.#commit(finished.state, (at) => [record.executed(call, at, finished)]);
    this.#ports.probe.reached("recorded", call.callId);
    return committed.kind === "committed" ? { ...finished.outcome, receipt: committed.receipt } : this.#lost(call);
  }

  /** Our own mistake. Before the start it refuses; after it nobody knows how the call ended. */
  async fault(): Promise<Outcome> {
    const running = this.#running;
    try {
      return running === null
        ? await this.refuse(FAULT)
        : await this.end(running.call, { kind: "stopped", why: "cancel", proven: false });
    } catch {
      // The journal threw, which it never should: the caller gets an outcome all the same.
      return running === null ? this.#unrecorded(FAULT) : this.#lost(running.call);
    }
  }

  /** It ran, and its end is in no ledger: what is recorded is `unknown`, so that is what the caller hears. */
  #lost(call: ApprovedCall): Outcome {
    const receipt = this.#running?.receipt;
    return { ...unknownOutcome(call, this.#base()), ...(receipt && { receipt }) };
  }

  async #commit(to: CallState, entries: Entries): Promise<Committed> {
    const atMs = this.#ports.clock.nowMs();
    const entriesNow = () => entries(new Date(atMs).toISOString());
    const committed = await this.#ports.journal.commit(record.change(this.#raw, this.#state, to, entriesNow));
    if (committed.kind === "committed") this.#state = to;
    return committed;
  }

  #refusedState(code: Code): CallState {
    if (code === "CANCELLED") return "cancelled";
    return this.#state === "awaiting_approval" ? (END_OF_QUESTION[code] ?? "cancelled") : "refused";
  }

  #base(): Pick<Outcome, "callId" | "tool" | "durationMs"> {
    return { callId: this.#raw.callId, tool: this.#raw.toolName, durationMs: this.#durationMs() };
  }

  /** To the microsecond. */
  #durationMs(): number {
    return Math.round((this.#ports.clock.monotonicMs() - this.#startedMs) * 1000) / 1000;
  }
}
