import type { AnswerOptions, AnswerResult, ApprovalDesk, Start } from "../approval/desk.ts";
import type { Voter } from "../approval/eligible.ts";
import type { Session } from "../domain/lease.ts";
import { LIMITS } from "../domain/limits.ts";
import { NEVER } from "../domain/never.ts";
import type { Outcome, Pending, Refusal } from "../domain/outcome.ts";
import type { PersonsAnswer, Question } from "../domain/question.ts";
import { notApproved } from "../pipeline/approve.ts";
import type { PipelinePorts } from "../pipeline/pipeline-ports.ts";
import type { UnwrittenYes } from "../ports/desk.ts";
import type { CallFilter, CallRecord, JournalView } from "../ports/journal-view.ts";
import type { Outcomes } from "../ports/outcomes.ts";
import type { Approvals } from "./approvals.ts";
import { type BegunCall, begunCall } from "./begun-call.ts";
import { type CancelResult, whyNotTheirs } from "./cancelling.ts";
import { type Execution, type ExecutionPage, executionFrom, isOver } from "./execution.ts";
import type { CallOptions, GateCall } from "./gate-call.ts";
import { isTaken } from "./is-taken.ts";
import { keptOutcome } from "./kept-outcome.ts";
import { OwnResults } from "./own-results.ts";
import type { RunningCalls } from "./running-calls.ts";
import { shownParams } from "./shown-params.ts";
import { Slots } from "./slots.ts";
import { untilSeen } from "./until-seen.ts";
import { Waiting } from "./waiting.ts";

export type { Execution };

export interface ExecutionsParts {
  readonly call: (
    call: GateCall,
    options: Pick<CallOptions, "onMade"> & { readonly whenAsked: "return" },
  ) => Promise<Outcome>;
  readonly approvals: Approvals;
  readonly desk: ApprovalDesk;
  readonly outcomes: Outcomes;
  readonly ports: PipelinePorts;
  readonly project: string;
  readonly running: RunningCalls;
  readonly view: JournalView;
}

/** Calls that go on without their caller: waiting for one, looking at one, cancelling one. */
export class Executions {
  readonly #parts: ExecutionsParts;
  readonly #slots = new Slots({ slotsMax: LIMITS.runningCalls.default, queueMax: LIMITS.queuedCalls.default });
  readonly #carried = new Map<string, Promise<Outcome | null>>();
  /** Questions whose yes is being written. */
  readonly #approving = new Map<string, Promise<unknown>>();
  readonly #waiting = new Waiting<Promise<Outcome>>();
  /** Told to stop before it was clear whose they are. */
  readonly #cancelled = new WeakSet<Promise<Outcome | null>>();
  readonly #own: OwnResults;
  #isServing = false;

  constructor(parts: ExecutionsParts) {
    this.#parts = parts;
    const { project, view, ports } = parts;
    this.#own = new OwnResults({ project, view, leases: ports.leases, workspace: ports.workspace });
  }

  /** How much there is to do. */
  get load(): { readonly running: number; readonly queued: number } {
    return { running: this.#parts.running.count, queued: this.#slots.queued };
  }

  /** Whether calls have come that go on without their caller, over a network. */
  get isServing(): boolean {
    return this.#isServing;
  }

  /** Makes a call that goes on without its caller. Null: there is too much to do already, and nothing was done. */
  async execute(call: GateCall, options: Pick<CallOptions, "onMade"> = {}): Promise<Outcome | null> {
    this.#isServing = true;
    // By who calls, and not by the session that they name.
    const release = await this.#slots.take(call.actor ?? "");
    try {
      return release && (await this.#parts.call(call, { ...options, whenAsked: "return" }));
    } finally {
      release?.();
    }
  }

  /** The same for who does not wait for its end: comes back when the journal has it, or when it has ended without that. */
  begin(call: GateCall): Promise<BegunCall | null> {
    return begunCall((onMade) => this.execute(call, { onMade }), this.#parts.view);
  }

  /** How a call ends whose question is open. A signal ends the waiting, and not the call. */
  async settled(pending: Pending, signal: AbortSignal): Promise<Outcome> {
    const { desk, ports } = this.#parts;
    const askedMs = ports.clock.monotonicMs();
    const begun = this.#waiting.until(pending.callId, signal);
    const ended = await Promise.race([begun.come, desk.answered(pending.approval.id, begun.signal)]);
    begun.leave();
    if (ended !== null && "come" in ended) return await ended.come;
    const question = ended;
    if (question === null || question.answer === null) return pending;
    const { answer, receipt } = question;
    if (answer.kind === "approve") return (await this.carryOn(question)) ?? (await this.#elsewhere(pending, signal));
    const { callId, tool } = pending;
    const durationMs = pending.durationMs + ports.clock.monotonicMs() - askedMs;
    const refusal = notApproved(answer);
    return { kind: "refused", callId, tool, durationMs, budgetConsumed: 0, ...(receipt && { receipt }), refusal };
  }

  /** A person's answer to a question. What a yes lets happen is begun here, and goes on without whoever answers. */
  async answer(
    approvalId: string,
    answer: PersonsAnswer,
    given: Pick<AnswerOptions, "roles" | "planDigest"> = {},
  ): Promise<AnswerResult> {
    // One yes after the other: the second hears of the first, and does not come between it and what it begins.
    while (answer.kind === "approve" && this.#approving.has(approvalId)) await this.#approving.get(approvalId);
    const answering = this.#answered(approvalId, answer, given);
    if (answer.kind !== "approve") return await answering;
    this.#approving.set(approvalId, answering);
    return await answering.finally(() => this.#approving.delete(approvalId));
  }

  async #answered(
    approvalId: string,
    answer: PersonsAnswer,
    { roles, planDigest }: Pick<AnswerOptions, "roles" | "planDigest">,
  ): Promise<AnswerResult> {
    const { approvals } = this.#parts;
    const start: Start = (question, yes) => this.#start(question, yes);
    const result = await approvals.answer(approvalId, answer, roles, { planDigest, start });
    if (result.kind === "recorded" && result.question.state === "approved") void this.carryOn(result.question);
    return result;
  }

  /** Where there is a place for it now. Otherwise the yes does not wait for one: `carryOn` does. */
  #start(question: Question, yes: UnwrittenYes): Promise<Outcome> | null {
    const { callId, shown } = question;
    const release = this.#carried.has(callId) ? null : this.#slots.takeApprovedNow(shown.actor);
    if (release === null) return null;
    const written: UnwrittenYes["written"] = (...told) => {
      if (outcome !== null) this.#waiting.tell(callId, outcome);
      yes.written(...told);
    };
    const outcome = this.#parts.approvals.start(question, { ...yes, written });
    if (outcome === null) release();
    else this.#carried.set(callId, outcome);
    const left = () => {
      release();
      this.#carried.delete(callId);
    };
    outcome?.then(left, left);
    return outcome;
  }

  /** Runs an approved call, once in this process however many want it to. Null: it is not for us to run. */
  async carryOn(question: Question): Promise<Outcome | null> {
    const { callId } = question;
    const begun = this.#carried.get(callId);
    const outcome = (await begun) ?? null;
    // What would have begun with a yes that was not the first to be written is nobody's yet.
    if (begun !== undefined && !isTaken(outcome)) return outcome;
    return await this.#carry(question, begun && this.#cancelled.has(begun) ? AbortSignal.abort() : NEVER);
  }

  async #carry(question: Question, signal: AbortSignal): Promise<Outcome | null> {
    const { callId } = question;
    const carried = this.#carried.get(callId) ?? this.#inTurn(question, signal);
    this.#carried.set(callId, carried);
    const outcome = await carried.finally(() => this.#carried.delete(callId));
    return isTaken(outcome) ? null : outcome;
  }

  /** What was approved is not turned away: it waits for its turn however long. */
  async #inTurn(question: Question, signal: AbortSignal): Promise<Outcome | null> {
    const release = await this.#slots.takeApproved(question.shown.actor);
    try {
      return await this.#parts.approvals.carryOn(question, signal);
    } finally {
      release();
    }
  }

  /** Goes on with what was approved when the process that held it was gone. */
  async resume(): Promise<void> {
    await this.carryOnAll();
    await this.#parts.outcomes.sweep();
  }

  /** With those whose tools are meant. */
  async carryOnAll(isMeant: (tool: string) => boolean = () => true): Promise<void> {
    const { approvals, project, view } = this.#parts;
    for (const approvalId of view.approved(project)) {
      const question = await approvals.find(approvalId);
      if (question === null || !isMeant(question.shown.plan.tool) || this.#carried.has(question.callId)) continue;
      void this.carryOn(question);
    }
  }

  async find(callId: string): Promise<Execution | null> {
    const { outcomes, ports, project, view } = this.#parts;
    const record = view.call(callId);
    if (record === null || record.project !== project) return null;
    const kept = isOver(record.state) ? await outcomes.find(callId) : null;
    const known = executionFrom(record, view.stepsOf(callId));
    const input = this.#parts.running.inputOf(callId);
    const params = input === undefined ? await this.#openParams(record.approvalId) : shownParams(input, ports.redactor);
    return { ...known, outcome: kept?.outcome ?? null, params: kept?.params ?? params };
  }

  /** How a call ended that the journal knows the end of. Null: nobody has kept it. */
  keptOutcome(callId: string): Promise<Outcome | null> {
    return keptOutcome(callId, this.#parts.outcomes, this.#parts.ports.clock);
  }

  /** Who made a call; null = there is none. */
  madeBy(callId: string): string | null {
    const { project, view } = this.#parts;
    const [first] = view.stepsOf(callId);
    return first?.project === project ? first.actor : null;
  }

  /** For a session: one of its own calls, as far as its lease covers it now. Null: it has made no such call. */
  async seenBy(session: Session, callId: string): Promise<Execution | { readonly refusal: Refusal } | null> {
    const execution = await this.find(callId);
    if (execution === null || execution.sessionId !== session.id) return null;
    if (execution.outcome === null) return execution;
    const refusal = this.#own.refusal(session, execution.tool, this.#parts.view.stepsOf(callId));
    return refusal === null ? execution : { refusal };
  }

  /** Whether a session may read a blob: see `OwnResults`. */
  blobFor(session: Session, hash: string, seq?: number): Refusal | null | "unknown" {
    return this.#own.blob(session, hash, { seq });
  }

  /** Whether somebody who answers no questions may read a blob: see `OwnResults`. */
  isBlobFor(actor: string, hash: string, seq?: number): boolean {
    return this.#own.isBlobFor(actor, hash, seq);
  }

  /** The newest first, without their outcomes. */
  list(filter: Omit<CallFilter, "project">): ExecutionPage {
    const { project, view } = this.#parts;
    const { calls, next } = view.calls({ ...filter, project });
    const known = (record: CallRecord) => executionFrom(record, view.stepsOf(record.callId));
    return { executions: calls.map((record) => ({ ...known(record), outcome: null, params: null })), next };
  }

  /** `by`: somebody who did not make it. */
  async cancel(callId: string, by?: Voter): Promise<CancelResult> {
    const { desk, running } = this.#parts;
    const execution = await this.find(callId);
    if (execution === null) return { kind: "unknown" };
    if (isOver(execution.state)) return { kind: "over", execution };
    const because = by === undefined ? null : await whyNotTheirs(execution, by, this.#parts.approvals);
    if (because !== null) return { kind: "ineligible", because };
    const carried = this.#carried.get(callId);
    if (carried !== undefined) this.#cancelled.add(carried);
    if (running.cancel(callId)) return { kind: "cancelled" };
    if (execution.state !== "awaiting_approval" || execution.approvalId === null) return { kind: "elsewhere" };
    const cancelled = await desk.cancel(execution.approvalId);
    if (cancelled.kind === "failed") return cancelled;
    if (cancelled.kind === "recorded") return { kind: "cancelled" };
    const now = await this.find(callId);
    return now === null ? { kind: "unknown" } : { kind: "over", execution: now };
  }

  /** All that run here. */
  cancelAll(): void {
    this.#parts.running.cancelAll();
  }

  async #openParams(approvalId: string | null) {
    const question = approvalId === null ? null : await this.#parts.approvals.find(approvalId);
    const { redactor } = this.#parts.ports;
    // What was rejected, or nobody answered, is over; the plan that was shown has its arguments still, without secrets.
    return question === null ? null : shownParams(question.kept?.rawInput ?? question.shown.plan.input, redactor);
  }

  /** Somebody else runs it: how it ends is in the journal, and what came of it is kept beside it. */
  async #elsewhere(pending: Pending, signal: AbortSignal): Promise<Outcome> {
    const { view } = this.#parts;
    const { callId } = pending;
    const isEnded = await untilSeen(view, () => isOver(view.call(callId)?.state ?? "unknown"), signal);
    if (!isEnded) return pending;
    const kept = await this.keptOutcome(callId);
    if (kept !== null) return kept;
    const { tool, durationMs } = pending;
    const message =
      "the call was run by another process, which kept no result; `toolgate ledger show` tells how it ended";
    return {
      kind: "unknown",
      callId,
      tool,
      durationMs,
      budgetConsumed: 1,
      error: { code: "OUTCOME_UNKNOWN", message, retryable: false },
    };
  }
}
