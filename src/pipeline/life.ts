import type { Spending } from "../domain/budget.ts";
import type { ApprovedCall, JudgedCall, RawCall } from "../domain/call.ts";
import type { Code } from "../domain/codes.ts";
import type { EntryDraft } from "../domain/entry.ts";
import { isoTime } from "../domain/iso-time.ts";
import { isLater } from "../domain/now.ts";
import type { Outcome, Pending, Receipt, Refusal } from "../domain/outcome.ts";
import type { Price } from "../domain/price.ts";
import type { NewQuestion } from "../domain/question.ts";
import type { CallState } from "../domain/state.ts";
import type { Blobs } from "../ports/blobs.ts";
import type { Clock } from "../ports/clock.ts";
import type { UnwrittenYes } from "../ports/desk.ts";
import type { Change, Committed, Journal } from "../ports/journal.ts";
import type { Probe } from "../ports/probe.ts";
import type { Redactor } from "../redact/redactor.ts";
import { holdFor } from "../rules/budget.ts";
import type { Ran, Within } from "./execute.ts";
import { finish, unknownOutcome } from "./finish.ts";
import { type KeptTexts, keptResult } from "./kept-texts.ts";
import { FAULT, TAKEN, WRITABLE } from "./own-refusals.ts";
import * as record from "./record.ts";
import { replayable } from "./replayable.ts";
import { shownRefusal } from "./shown-refusal.ts";
import { consumedBy, spentBy } from "./spending.ts";
import { withYes } from "./with-yes.ts";

/** What the ledger is told, given the time of the change. */
type Entries = (at: string) => readonly [EntryDraft, ...EntryDraft[]];

interface LifePorts {
  readonly clock: Clock;
  readonly journal: Journal;
  readonly probe: Probe;
  readonly redactor: Redactor;
  readonly blobs: Blobs;
  readonly workspace: string;
  /** What models cost, now. Left out: nobody says. */
  readonly prices?: () => readonly Price[];
  /** Where the operator wants the texts of calls kept. */
  readonly texts?: KeptTexts;
}

interface Running {
  readonly call: ApprovedCall;
  readonly receipt: Receipt;
  readonly held: Spending | undefined;
  readonly sinceMs: number;
}

/**
 * Where a call stands in the journal. Each method is one durable change, written before what it tells of happens.
 * INVARIANT (one outcome): exactly one of `refuse`, `refused`, `pending`, `end` and `fault` gives a call its outcome.
 */
export class Life {
  readonly #raw: RawCall;
  readonly #ports: LifePorts;
  readonly #startedMs: number;
  readonly #isTakenOver: boolean;
  #state: CallState | "received";
  #judged: JudgedCall | null = null;
  #running: Running | null = null;
  #attempts = 1;
  #inputBlob: string | null = null;
  /** To be written with the next change, which it lets happen. */
  #yes: UnwrittenYes | null;

  /** From `approved` where another process asked, or nobody waited, and this one goes on. */
  constructor(
    raw: RawCall,
    ports: LifePorts,
    from: "received" | "approved" = "received",
    yes: UnwrittenYes | null = null,
  ) {
    this.#raw = raw;
    this.#yes = yes;
    this.#ports = ports;
    this.#state = from;
    this.#isTakenOver = from === "approved";
    this.#startedMs = ports.clock.monotonicMs();
  }

  /** Received, judged, and a question is open. */
  async ask(call: JudgedCall, question: NewQuestion): Promise<Committed> {
    this.#judged = call;
    const unkept = this.#ports.texts && (await this.#keepInput(this.#ports.texts, call));
    if (unkept) return { kind: "failed", refusal: unkept };
    const entries: Entries = (at) => [this.#requested(call, at), record.asked(call, at, question)];
    return await this.#commit(() => ({ ...this.#change("awaiting_approval", entries), question }));
  }

  /** The desk has written the yes. */
  approved(): void {
    this.#state = "approved";
  }

  /** INVARIANT (ledger first): nothing runs unless this is durable. */
  async start(call: ApprovedCall): Promise<Committed> {
    this.#judged = call;
    const unkept = this.#ports.texts && (await this.#keepInput(this.#ports.texts, call));
    if (unkept) return { kind: "failed", refusal: unkept };
    const entries: Entries =
      this.#state === "received"
        ? (at) => [this.#requested(call, at), record.decided(call, at)]
        : (at) => [record.started(call, at, 1)];
    const hold = holdFor(call.session.lease, call);
    const committed = await this.#commit(() => {
      const change = this.#change("executing", entries);
      return hold === null ? change : { ...change, hold };
    });
    if (committed.kind === "committed") this.#running = this.#runningFrom(call, committed);
    return committed;
  }

  /** What is run in a second attempt is told before it runs, like the first. */
  async restart(call: ApprovedCall): Promise<Committed> {
    const attempt = this.#attempts + 1;
    const committed = await this.#ports.journal.note(record.started(call, isoTime(this.#ports.clock.nowMs()), attempt));
    if (committed.kind === "committed") {
      this.#running = { ...this.#runningFrom(call, committed), ...this.#running, call, receipt: committed.receipt };
      this.#attempts = attempt;
    }
    return committed;
  }

  /** What the session's budget has left for it; undefined = nothing is counted. */
  get held(): Spending | undefined {
    return this.#running?.held;
  }

  /** What is left for it of what was held; undefined = nothing is counted. Attempts share it. */
  get within(): Within | undefined {
    if (this.held === undefined) return undefined;
    return { timeMs: Math.max(0, this.held.timeMs - this.#runMs()), isSilent: Number.isFinite(this.held.bytes) };
  }

  /** The gate's no. A no that can't be recorded says so: silence in the ledger would hide the attempt. */
  async refuse(given: Refusal): Promise<Outcome> {
    const refusal = this.#shown(given);
    const isNew = this.#state === "received";
    // A no is recorded whether or not what it was about can be kept.
    if (this.#ports.texts) await this.#keepInput(this.#ports.texts, this.#raw);
    const entries: Entries = (at) => {
      const entry = record.refusedEntry(this.#raw, at, refusal, this.#judged?.seal.digest ?? null);
      return isNew ? [this.#requested(this.#raw, at), entry] : [entry];
    };
    const outcome = { kind: "refused", ...this.#base(), refusal } as const;
    const committed = await this.#commit(() => {
      const change = this.#change(this.#refusedState(refusal.code), entries);
      return replayable(change, outcome, this.#raw, this.#ports.clock);
    });
    return committed.kind === "committed"
      ? { ...outcome, receipt: committed.receipt }
      : this.#unrecorded(committed.refusal);
  }

  /** A no that is in the ledger already. */
  refused(refusal: Refusal, receipt: Receipt): Outcome {
    return { kind: "refused", ...this.#base(), receipt, refusal: this.#shown(refusal) };
  }

  pending({ approvalId, deadlineMs, shown }: NewQuestion, receipt: Receipt): Pending {
    const { risk, reasons } = shown;
    const approval = { id: approvalId, risk, reasons, deadline: isoTime(deadlineMs) };
    return { kind: "pending", ...this.#base(), receipt, approval };
  }

  /** The start could not be written, so nothing ran. A row that is there already still has to come to its end. */
  async notStarted(refusal: Refusal): Promise<Outcome> {
    if (this.#isTaken(refusal)) return this.#unrecorded(refusal);
    // The journal is there, and said no: that is in the ledger like any other no.
    const isWritable = this.#state !== "received" || WRITABLE.has(refusal.code);
    return isWritable ? this.refuse(refusal) : this.#unrecorded(refusal);
  }

  /** The journal is out of reach, so nothing ran and nothing could be written. */
  #unrecorded(refusal: Refusal): Outcome {
    return { kind: "refused", ...this.#base(), refusal: this.#shown(this.#isTaken(refusal) ? TAKEN : refusal) };
  }

  /** Somebody else was faster to go on with it: what becomes of it is theirs to tell. */
  #isTaken({ code }: Refusal): boolean {
    return this.#isTakenOver && code === "ILLEGAL_TRANSITION";
  }

  #shown(refusal: Refusal): Refusal {
    return shownRefusal(refusal, this.#ports.redactor, this.#ports.workspace);
  }

  async end(call: ApprovedCall, ran: Ran): Promise<Outcome> {
    const { held } = this;
    const budgetConsumed = consumedBy(call, ran);
    const effort = { durationMs: this.#durationMs(), attempts: this.#attempts, budgetConsumed, held };
    const finishing = finish(call, ran, effort, this.#ports);
    const finished = isLater(finishing) ? await finishing : finishing;
    this.#ports.probe.reached("finished", call.callId);
    const prices = this.#ports.prices?.() ?? [];
    const spent =
      held === undefined ? null : spentBy(call, ran, finished.outcome, { held, timeMs: this.#runMs(), prices });
    const { texts } = this.#ports;
    const resultBlob = texts ? await keptResult(texts, call.project, finished.resultText) : null;
    const ended = this.#change(finished.state, (at) => [record.executed(call, at, finished, { spent, resultBlob })]);
    const counted = spent === null ? ended : { ...ended, spent };
    const committed = await this.#commit(() => replayable(counted, finished.outcome, this.#raw, this.#ports.clock));
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
    return { ...unknownOutcome(call, { ...this.#base(), budgetConsumed: 1 }), ...(receipt && { receipt }) };
  }

  #requested(call: RawCall | JudgedCall, at: string): EntryDraft {
    return record.requested(call, at, this.#inputBlob);
  }

  /** What is asked for, before the first entry about it. Why it can't be kept; null = it is. */
  async #keepInput(texts: KeptTexts, call: RawCall | JudgedCall): Promise<Refusal | null> {
    if (this.#state !== "received" || this.#inputBlob !== null) return null;
    const kept = await texts.input(call.project, "input" in call ? call.input : call.rawInput);
    if (kept === null || "refusal" in kept) return kept?.refusal ?? null;
    this.#inputBlob = kept.blob;
    return null;
  }

  /** The first change of a call brings its row along. */
  #change(to: CallState, entries: Entries): Change {
    const { callId } = this.#raw;
    // The time is that of the writing, so that the times of the entries are in the order of the entries.
    const written = () => entries(isoTime(this.#ports.clock.nowMs()));
    const from = this.#state;
    if (from === "received") return { callId, to, entries: written, from, created: record.newCall(this.#raw) };
    const change = { callId, to, entries: written };
    if (this.#yes !== null) return withYes(this.#yes, change, this.#raw, this.#ports);
    if (from === "awaiting_approval") return { ...change, from, answer: { kind: "cancelled" } };
    return this.#isTakenOver && to === "executing"
      ? { ...change, from, takenBy: record.newCall(this.#raw) }
      : { ...change, from };
  }

  async #commit(changeNow: () => Change): Promise<Committed> {
    const apart = this.#yes?.apart() ?? null;
    if (apart !== null) {
      if (!(await apart)) return { kind: "failed", refusal: TAKEN };
      this.#yes = null;
    }
    const yes = this.#yes;
    const change = changeNow();
    const committed = await this.#ports.journal.commit(change);
    if (committed.kind === "failed") return committed;
    this.#state = change.to;
    if (yes === null) return committed;
    this.#yes = null;
    this.#ports.probe.reached("answered", change.callId);
    yes.written(committed.first ?? committed.receipt, change.to);
    return committed;
  }

  #refusedState(code: Code): CallState {
    return code === "CANCELLED" || this.#state === "awaiting_approval" ? "cancelled" : "refused";
  }

  /** Of what ran nothing. */
  #base(): Pick<Outcome, "callId" | "tool" | "durationMs" | "budgetConsumed"> {
    return { callId: this.#raw.callId, tool: this.#raw.toolName, durationMs: this.#durationMs(), budgetConsumed: 0 };
  }

  #runningFrom(call: ApprovedCall, { receipt, held }: Extract<Committed, { kind: "committed" }>): Running {
    return { call, receipt, held, sinceMs: this.#ports.clock.monotonicMs() };
  }

  #runMs(): number {
    return sinceMs(this.#running?.sinceMs ?? this.#startedMs, this.#ports.clock);
  }

  #durationMs(): number {
    return sinceMs(this.#startedMs, this.#ports.clock);
  }
}

/** To the microsecond. */
const sinceMs = (startMs: number, clock: Clock): number => Math.round((clock.monotonicMs() - startMs) * 1000) / 1000;
