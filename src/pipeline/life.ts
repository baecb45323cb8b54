import { setImmediate as turn } from "node:timers/promises";
import type { AutomaticAnswer } from "../domain/automatic-answer.ts";
import type { Spending } from "../domain/budget.ts";
import type { ApprovedCall, JudgedCall, RawCall } from "../domain/call.ts";
import type { Code } from "../domain/codes.ts";
import type { Digest } from "../domain/digest.ts";
import type { EntryDraft } from "../domain/entry.ts";
import { isLong } from "../domain/is-long.ts";
import { isoTime } from "../domain/iso-time.ts";
import { isPromise, type Now } from "../domain/now.ts";
import type { Outcome, Pending, Receipt, Refusal } from "../domain/outcome.ts";
import type { NewQuestion } from "../domain/question.ts";
import type { CallState } from "../domain/state.ts";
import type { UnwrittenYes } from "../ports/desk.ts";
import type { Committed } from "../ports/journal.ts";
import { holdFor } from "../rules/budget.ts";
import { CallRow, type Entries, itself } from "./call-row.ts";
import type { Ran, Within } from "./execute.ts";
import { finish, unknownOutcome } from "./finish.ts";
import type { Finished, Unrecorded } from "./finished.ts";
import { type KeptTexts, keptResult } from "./kept-texts.ts";
import type { LifePorts } from "./life-ports.ts";
import { FAULT, TAKEN, WRITABLE } from "./own-refusals.ts";
import * as record from "./record.ts";
import { replayable } from "./replayable.ts";
import { shownRefusal } from "./shown-refusal.ts";
import { sinceMs } from "./since-ms.ts";
import { consumedBy, spentBy } from "./spending.ts";

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
  readonly #row: CallRow;
  #judged: JudgedCall | null = null;
  #running: Running | null = null;
  #attempts = 1;
  #inputBlob: string | null = null;
  #inputDigest: Digest | null | undefined;
  #heard: AutomaticAnswer | null = null;

  /** From `approved` where another process asked, or nobody waited, and this one goes on. */
  constructor(
    raw: RawCall,
    ports: LifePorts,
    from: "received" | "approved" = "received",
    yes: UnwrittenYes | null = null,
  ) {
    this.#raw = raw;
    this.#ports = ports;
    this.#row = new CallRow(raw, ports, from, yes);
    this.#startedMs = ports.clock.monotonicMs();
  }

  /** Received, judged, and a question is open. */
  async ask(call: JudgedCall, question: NewQuestion): Promise<Committed> {
    this.#judged = call;
    const unkept = this.#ports.texts && (await this.#keepInput(this.#ports.texts, call));
    if (unkept) return { kind: "failed", refusal: unkept };
    // Of megabytes this takes as long as writing them, while nobody else could write.
    this.#inputDigest = record.inputDigest(call);
    if (isLong(call.input)) await turn();
    const entries: Entries = () => {
      const at = this.#at();
      return [this.#requested(call, at), record.asked(call, at, question), ...this.#told(at)];
    };
    return await this.#row.commit({ to: "awaiting_approval", entries, more: { question } }, itself);
  }

  /** What policies and governors said: told in the next change, with what became of the call by it. */
  heard(call: JudgedCall, answer: AutomaticAnswer): void {
    this.#judged = call;
    this.#heard = answer;
  }

  /** The desk has written the yes. */
  approved(): void {
    this.#row.approved();
  }

  /** INVARIANT (ledger first): nothing runs unless this is durable. */
  start(call: ApprovedCall): Promise<Committed> {
    this.#judged = call;
    const { texts } = this.#ports;
    return texts === undefined ? this.#start(call) : this.#startKept(call, texts);
  }

  async #startKept(call: ApprovedCall, texts: KeptTexts): Promise<Committed> {
    const unkept = await this.#keepInput(texts, call);
    return unkept === null ? await this.#start(call) : { kind: "failed", refusal: unkept };
  }

  #start(call: ApprovedCall): Promise<Committed> {
    const isNew = this.#row.state === "received";
    const entries: Entries = () => {
      const at = this.#at();
      if (!isNew) return [record.started(call, at, 1)];
      return [this.#requested(call, at), record.decided(call, at), ...this.#told(at)];
    };
    const hold = holdFor(call.session.lease, call);
    const step = { to: "executing", entries, more: hold === null ? null : { hold } } as const;
    return this.#row.commit(step, (committed) => {
      if (committed.kind === "committed") this.#running = this.#runningFrom(call, committed);
      return committed;
    });
  }

  /** What is run in a second attempt is told before it runs, like the first. */
  async restart(call: ApprovedCall): Promise<Committed> {
    const attempt = this.#attempts + 1;
    const committed = await this.#ports.journal.note(record.started(call, this.#at(), attempt));
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
    const isNew = this.#row.state === "received";
    // A no is recorded whether or not what it was about can be kept.
    if (this.#ports.texts) await this.#keepInput(this.#ports.texts, this.#raw);
    const entries: Entries = () => {
      const at = this.#at();
      const entry = record.refusedEntry(this.#raw, at, refusal, this.#judged?.seal.digest ?? null);
      return isNew ? [this.#requested(this.#raw, at), entry, ...this.#told(at)] : [entry];
    };
    const outcome = { kind: "refused", ...this.#base(), refusal } as const;
    const to = this.#refusedState(refusal.code);
    const more = replayable(outcome, this.#raw, this.#ports.clock);
    return await this.#row.commit({ to, entries, more }, (committed) =>
      committed.kind === "committed" ? { ...outcome, receipt: committed.receipt } : this.#unrecorded(committed.refusal),
    );
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
    const isWritable = this.#row.state !== "received" || WRITABLE.has(refusal.code);
    return isWritable ? this.refuse(refusal) : this.#unrecorded(refusal);
  }

  /** The journal is out of reach, so nothing ran and nothing could be written. */
  #unrecorded(refusal: Refusal): Outcome {
    return { kind: "refused", ...this.#base(), refusal: this.#shown(this.#isTaken(refusal) ? TAKEN : refusal) };
  }

  /** Somebody else was faster to go on with it: what becomes of it is theirs to tell. */
  #isTaken({ code }: Refusal): boolean {
    return this.#row.isTakenOver && code === "ILLEGAL_TRANSITION";
  }

  #shown(refusal: Refusal): Refusal {
    return shownRefusal(refusal, this.#ports.redactor, this.#ports.workspace);
  }

  end(call: ApprovedCall, ran: Ran): Promise<Outcome> {
    const { held } = this;
    const budgetConsumed = consumedBy(call, ran);
    const effort = { durationMs: this.#durationMs(), attempts: this.#attempts, budgetConsumed, held };
    const finishing = finish(call, ran, effort, this.#ports);
    const { texts } = this.#ports;
    return isPromise(finishing) || texts !== undefined
      ? this.#endLater(call, ran, finishing, texts)
      : this.#end(call, ran, finishing, null);
  }

  async #endLater(
    call: ApprovedCall,
    ran: Ran,
    finishing: Now<Finished>,
    texts: KeptTexts | undefined,
  ): Promise<Outcome> {
    const finished = await finishing;
    const resultBlob = texts ? await keptResult(texts, call.project, finished.resultText) : null;
    return await this.#end(call, ran, finished, resultBlob);
  }

  #end(call: ApprovedCall, ran: Ran, finished: Finished, resultBlob: string | null): Promise<Outcome> {
    const { held } = this;
    this.#ports.probe.reached("finished", call.callId);
    const spent = held === undefined ? null : this.#spent(call, ran, finished, held);
    const entries: Entries = () => [record.executed(call, this.#at(), finished, { spent, resultBlob })];
    const replay = replayable(finished.outcome, this.#raw, this.#ports.clock);
    const more = spent === null ? replay : { ...replay, spent };
    return this.#row.commit({ to: finished.state, entries, more }, (committed) => {
      this.#ports.probe.reached("recorded", call.callId);
      return committed.kind === "committed" ? withReceipt(finished.outcome, committed.receipt) : this.#lost(call);
    });
  }

  #spent(call: ApprovedCall, ran: Ran, { outcome }: Finished, held: Spending): Spending {
    const prices = this.#ports.prices?.() ?? [];
    return spentBy(call, ran, outcome, { held, timeMs: this.#runMs(), prices });
  }

  /** Our own mistake. Before the start it refuses; after it nobody knows how the call ended. */
  async fault(): Promise<Outcome> {
    const running = this.#running;
    try {
      return running === null
        ? await this.refuse(FAULT)
        : await this.end(running.call, { kind: "stopped", why: "cancel", proven: false });
    } catch (cause) {
      // The journal threw: the caller gets an outcome all the same.
      this.#ports.faults.report(cause, { stage: "journal", callId: this.#raw.callId });
      return running === null ? this.#unrecorded(FAULT) : this.#lost(running.call);
    }
  }

  /** It ran, and its end is in no ledger: what is recorded is `unknown`, so that is what the caller hears. */
  #lost(call: ApprovedCall): Outcome {
    const receipt = this.#running?.receipt;
    return { ...unknownOutcome(call, { ...this.#base(), budgetConsumed: 1 }), ...(receipt && { receipt }) };
  }

  #told(at: string): readonly EntryDraft[] {
    return record.heard(this.#raw, at, this.#heard, this.#judged?.seal.digest ?? null);
  }

  #requested(call: RawCall | JudgedCall, at: string): EntryDraft {
    return record.requested(call, at, { inputBlob: this.#inputBlob, digest: this.#inputDigest });
  }

  /** What is asked for, before the first entry about it. Why it can't be kept; null = it is. */
  async #keepInput(texts: KeptTexts, call: RawCall | JudgedCall): Promise<Refusal | null> {
    if (this.#row.state !== "received" || this.#inputBlob !== null) return null;
    const kept = await texts.input(call.project, "input" in call ? call.input : call.rawInput);
    if (kept === null || "refusal" in kept) return kept?.refusal ?? null;
    this.#inputBlob = kept.blob;
    return null;
  }

  #at(): string {
    return isoTime(this.#ports.clock.nowMs());
  }

  #refusedState(code: Code): CallState {
    return code === "CANCELLED" || this.#row.state === "awaiting_approval" ? "cancelled" : "refused";
  }

  /** Of what ran nothing. */
  #base(): Pick<Outcome, "callId" | "tool" | "durationMs" | "budgetConsumed"> {
    return { callId: this.#raw.callId, tool: this.#raw.toolName, durationMs: this.#durationMs(), budgetConsumed: 0 };
  }

  #runningFrom(call: ApprovedCall, { receipt, held }: Extract<Committed, { kind: "committed" }>): Running {
    // Looked at only where time is counted.
    const sinceMs = held === undefined ? this.#startedMs : this.#ports.clock.monotonicMs();
    return { call, receipt, held, sinceMs };
  }

  #runMs(): number {
    return sinceMs(this.#running?.sinceMs ?? this.#startedMs, this.#ports.clock);
  }

  #durationMs(): number {
    return sinceMs(this.#startedMs, this.#ports.clock);
  }
}

const withReceipt = (outcome: Unrecorded, receipt: Receipt): Outcome => ({ ...outcome, receipt });
