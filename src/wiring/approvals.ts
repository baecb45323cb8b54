import { setImmediate as turn } from "node:timers/promises";
import type { AnswerOptions, AnswerResult, ApprovalDesk, Votes } from "../approval/desk.ts";
import { type Voter, whyNotEligible } from "../approval/eligible.ts";
import type { RawCall } from "../domain/call.ts";
import { NEVER } from "../domain/never.ts";
import type { Outcome } from "../domain/outcome.ts";
import type { PersonsAnswer, Question } from "../domain/question.ts";
import type { PipelinePorts } from "../pipeline/pipeline-ports.ts";
import { type GivenYes, run } from "../pipeline/run.ts";
import type { UnwrittenYes } from "../ports/desk.ts";
import type { JournalView, QuestionFilter } from "../ports/journal-view.ts";

export type { AnswerResult };

export interface ApprovalsParts {
  readonly desk: ApprovalDesk;
  readonly ports: PipelinePorts;
  readonly view: JournalView;
  readonly project: string;
  readonly owner: string;
  readonly host: string;
  /** Whether this process can run calls of a tool. */
  readonly executors: { readonly runsHere: (tool: string) => boolean };
  /** Lets the call in at the gate, like any other. */
  readonly admit: (
    raw: RawCall,
    signal: AbortSignal,
    start: (signal: AbortSignal) => Promise<Outcome>,
  ) => Promise<Outcome>;
}

/** A page of questions. */
export interface Page {
  readonly limit?: number;
  /** The last id of the page before. */
  readonly after?: string;
}

const PAGE_MAX = 100;

/** The desk as doors see it: what is asked, answering it, and going on with calls that nobody waits for. */
export class Approvals {
  readonly #parts: ApprovalsParts;

  constructor(parts: ApprovalsParts) {
    this.#parts = parts;
  }

  /** Open questions, the oldest first. */
  list({ limit = PAGE_MAX, after }: Page = {}): Promise<readonly Question[]> {
    const { desk, project } = this.#parts;
    return desk.open(project, { limit: Math.max(1, Math.min(limit, PAGE_MAX)), ...(after !== undefined && { after }) });
  }

  /** The same one by one, for who keeps little of each: together they may hold more than the memory does. */
  async *each({ limit = PAGE_MAX, after }: Page = {}): AsyncGenerator<Question, void, void> {
    for (let left = limit, last = after; left > 0; left--) {
      const [question] = await this.list({ limit: 1, ...(last !== undefined && { after: last }) });
      if (question === undefined) return;
      yield question;
      last = question.approvalId;
    }
  }

  /** Also those that have their answer, the newest first; one by one. */
  async *past(filter: Omit<QuestionFilter, "project">): AsyncGenerator<Question, void, void> {
    const { project, view } = this.#parts;
    for (const id of view.questions({ ...filter, project })) {
      const question = await this.find(id);
      if (question !== null) yield question;
      await turn();
    }
  }

  async find(approvalId: string): Promise<Question | null> {
    const question = await this.#parts.desk.find(approvalId);
    // Another project's questions are not there: not even their existence is told.
    return question?.project === this.#parts.project ? question : null;
  }

  /** Why somebody may not answer a question, by the roles that they have now. Null: they may. */
  whyNotFor(question: Question, voter: Voter): string | null {
    return whyNotEligible(question.shown, voter);
  }

  /** Whose yes counts by now, of how many that are needed. */
  votes(question: Question): Votes {
    return this.#parts.desk.votes(question);
  }

  /** The first answer wins; whoever comes later is given the winner's back. */
  answer(
    approvalId: string,
    answer: PersonsAnswer,
    roles?: readonly string[],
    { planDigest, start }: Pick<AnswerOptions, "planDigest" | "start"> = {},
  ): Promise<AnswerResult> {
    const { desk, project } = this.#parts;
    return desk.answer(approvalId, answer, { roles, project, planDigest, start });
  }

  /**
   * Runs an approved call whose caller does not wait for it. Null: it is not for us to run, because its caller holds it,
   * because it has been run, or because its workspace is elsewhere.
   */
  carryOn(question: Question, signal: AbortSignal = NEVER): Promise<Outcome> | null {
    const { admit, ports } = this.#parts;
    const { answer, shown, state } = question;
    const raw = state === "approved" ? this.#rawOf(question) : null;
    if (raw === null || answer?.kind !== "approve") return null;
    return admit(raw, signal, (until) => {
      ports.probe.reached("answered", raw.callId);
      return run(raw, ports, until, { asked: shown, answer });
    });
  }

  /** Begins a call whose yes is written with its start. Null: it is not for us to run. */
  start(question: Question, unwritten: UnwrittenYes): Promise<Outcome> | null {
    const { admit, ports } = this.#parts;
    const raw = this.#rawOf(question);
    if (raw === null) return null;
    const given: GivenYes = { asked: question.shown, answer: unwritten.answer, unwritten };
    return admit(raw, NEVER, (until) => run(raw, ports, until, given));
  }

  /** As it came in, where this process may run it. */
  #rawOf({ callId, kept, project, shown }: Question): RawCall | null {
    const { executors, owner, host, ports } = this.#parts;
    const { plan } = shown;
    const isHere = plan.host === host && plan.workspace === ports.workspace && executors.runsHere(plan.tool);
    return kept === null || !isHere ? null : { ...kept, callId, project, owner, host, caller: "detached" };
  }
}
