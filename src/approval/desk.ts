import type { JudgedCall } from "../domain/call.ts";
import { LIMITS } from "../domain/limits.ts";
import type { Refusal } from "../domain/outcome.ts";
import type { Answered, KeptCall, NewQuestion, PersonsAnswer, Question } from "../domain/question.ts";
import type { Clock } from "../ports/clock.ts";
import type { Approver, Desk, Settled, UnwrittenYes } from "../ports/desk.ts";
import type { Ids } from "../ports/ids.ts";
import type { Journal } from "../ports/journal.ts";
import type { Stop } from "../ports/questions.ts";
import type { Redactor } from "../redact/redactor.ts";
import { type Asked, answeredBy, changeBy, entryOf, voteOf } from "./answer-change.ts";
import { SHOWN_OTHER, UNREADABLE } from "./answer-refusals.ts";
import { AskedHere } from "./asked-here.ts";
import { type ConcernedParts, concernedBy } from "./concerned-by.ts";
import { countedVotes, type RolesOf } from "./counted-votes.ts";
import { deskShare } from "./desk-share.ts";
import { LOCAL_ROLES, peopleNeeded, personOf, whyNotEligible } from "./eligible.ts";
import { firstAnswer } from "./first-answer.ts";
import { personsAnswer } from "./persons-answer.ts";
import { shownAndLater } from "./shown-plan.ts";

export interface DeskParts extends ConcernedParts {
  readonly journal: Journal;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Who can be asked right here. */
  readonly approver: Approver;
  readonly redactor: Redactor;
  readonly openQuestionsMax?: number;
  /** By the settings in force. */
  readonly rolesOf: RolesOf;
}

/** What became of an answer that somebody gave. */
export type AnswerResult =
  | { readonly kind: "recorded"; readonly question: Question }
  | { readonly kind: "unknown" }
  /** A yes that is not enough by itself. */
  | { readonly kind: "counted"; readonly question: Question; readonly given: number; readonly needed: number }
  /** It is not for them to answer. */
  | { readonly kind: "ineligible"; readonly question: Question; readonly because: string }
  /** It has an answer already, or its deadline is over: `question.answer` tells. */
  | { readonly kind: "conflict"; readonly question: Question }
  | { readonly kind: "failed"; readonly refusal: Refusal };

export interface Votes {
  /** `user:ann` */
  readonly given: readonly string[];
  readonly needed: number;
}

export interface AnswerOptions {
  readonly roles?: readonly string[] | undefined;
  readonly project?: string;
  /** The digest of the plan that whoever answers was shown. Left out: they don't say. */
  readonly planDigest?: string | undefined;
  /** Who can begin the call that a yes lets happen, in the change that writes the yes. */
  readonly start?: Start | undefined;
}

/** Comes back when the call has ended. Null: it can't be begun here, or not at once. */
export type Start = (question: Question, yes: UnwrittenYes) => Promise<unknown> | null;

const WITHDRAWN_PAGE = 20;

/** How long a yes waits for what it would start to be judged again: then it is written by itself. */
const JUDGED_WITHIN_MS = 100;

/**
 * The desk: questions are rows of the journal, and an answer is a change of their call.
 * INVARIANT (one winner): the change is a compare-and-set, so of all answers on all doors exactly one is written; everybody
 * else is given that one back.
 */
export class ApprovalDesk implements Desk {
  readonly #parts: DeskParts;
  readonly #askedHere: AskedHere;

  constructor(parts: DeskParts, askedHere = new AskedHere()) {
    this.#parts = parts;
    this.#askedHere = askedHere;
  }

  /** The same desk with somebody else in front of it. */
  asking(approver: Approver): Desk {
    return new ApprovalDesk({ ...this.#parts, approver }, this.#askedHere);
  }

  /** Whether there is room for one more is decided when it is written: see `deskFull`. */
  async question(call: JudgedCall): Promise<NewQuestion> {
    const { clock, ids, redactor, openQuestionsMax: openMax = LIMITS.openQuestions.default } = this.#parts;
    const nowMs = clock.nowMs();
    const timeMs = LIMITS[call.verdict.risk === "HIGH" ? "approvalHighMs" : "approvalMs"].default;
    const question: NewQuestion = {
      approvalId: ids.next("approval"),
      project: call.project,
      deadlineMs: nowMs + timeMs,
      ...(await shownAndLater(call, redactor, concernedBy(call, this.#parts))),
      kept: call.caller === "detached" ? keptCall(call) : null,
      room: { openMax, share: deskShare(call, openMax), nowMs },
    };
    this.#askedHere.remember(question, call, redactor.text(call.session.id));
    return question;
  }

  async settle(call: JudgedCall, question: NewQuestion, signal: AbortSignal): Promise<Settled> {
    const { approver, clock, journal } = this.#parts;
    const here = eligibleHere(approver);
    const first = await firstAnswer(question, { approver: here, clock, questions: journal.questions }, signal);
    const asked = { ...question, callId: call.callId, sessionId: call.session.id };
    const given =
      first.kind === "stored"
        ? { kind: "lost" as const, question: first.question }
        : await this.#give(asked, first.answer);
    if (given.kind === "failed") return given;
    const { answer, receipt } = given.question;
    // INVARIANT (always only if it counts): what came late, or from somebody who may not answer, saves no rule.
    if (first.kind === "here" && given.kind === "won" && answer?.kind === first.answer.kind) await first.onCounted?.();
    return answer === null || receipt === null
      ? { kind: "failed", refusal: UNREADABLE }
      : { kind: "answered", answer, receipt };
  }

  /** An answer from any door and any process to a question of this project. `roles`: as the door has verified them. */
  async answer(
    approvalId: string,
    answer: PersonsAnswer,
    { roles = LOCAL_ROLES, project, planDigest, start }: AnswerOptions = {},
  ): Promise<AnswerResult> {
    const question = this.#askedHere.take(approvalId) ?? (await this.#parts.journal.questions.find(approvalId));
    // Another project's questions are not there: not even their existence is told.
    if (question === null || (project !== undefined && question.project !== project)) return { kind: "unknown" };
    if (question.answer !== null) return { kind: "conflict", question };
    const said = personsAnswer(answer);
    const because = whyNotEligible(question.shown, { who: said.who, roles });
    if (because !== null) return { kind: "ineligible", question, because };
    // INVARIANT (shown = answered): an answer to something else is none, and the question stays open.
    if (planDigest !== undefined && planDigest !== question.shown.digest)
      return { kind: "failed", refusal: SHOWN_OTHER };
    const needed = said.kind === "approve" ? peopleNeeded(question.shown) : 1;
    const voted = needed > 1 ? await this.#vote(question, said) : null;
    if (voted !== null && "kind" in voted) return voted;
    if (voted !== null && voted.length < needed) return { kind: "counted", question, given: voted.length, needed };
    const counted = voted === null ? said : { ...said, who: voted.join(" and ") };
    const given =
      start !== undefined && counted.kind === "approve"
        ? await this.#giveAndStart(question, counted, start)
        : await this.#give(question, counted);
    if (given.kind === "failed") return given;
    const isHeard = given.question.answer?.kind === answer.kind && (given.kind === "won" || needed > 1);
    return { kind: isHeard ? "recorded" : "conflict", question: given.question };
  }

  /** Counts one yes of several. INVARIANT (different people): who says it twice has said it once. */
  async #vote(question: Question, said: PersonsAnswer): Promise<readonly string[] | AnswerResult> {
    const { clock, journal, rolesOf } = this.#parts;
    // INVARIANT (late is late): also for one of several.
    if (clock.nowMs() >= question.deadlineMs) {
      const ended = await this.expire(question.approvalId);
      return ended.kind === "recorded" ? { ...ended, kind: "conflict" } : ended;
    }
    const hasSaid = question.votes.some((who) => personOf(who) === personOf(said.who));
    if (hasSaid) return countedVotes(question, said.who, rolesOf);
    const committed = await journal.commit(voteOf(question, said, clock.nowMs()));
    if (committed.kind === "failed" && committed.refusal.code !== "ILLEGAL_TRANSITION") return committed;
    const now = await journal.questions.find(question.approvalId);
    if (now === null) return { kind: "failed", refusal: UNREADABLE };
    return now.answer === null ? countedVotes(now, said.who, rolesOf) : { kind: "conflict", question: now };
  }

  /** Whose yes counts by now, of how many that are needed. */
  votes(question: Question): Votes {
    return { given: countedVotes(question, null, this.#parts.rolesOf), needed: peopleNeeded(question.shown) };
  }

  /** Takes a call back while its question is open. */
  async cancel(approvalId: string): Promise<AnswerResult> {
    return await this.#end(approvalId, "cancelled");
  }

  /** Closes a question whose deadline is over; one whose is not stays open. */
  async expire(approvalId: string): Promise<AnswerResult> {
    return await this.#end(approvalId, "expired");
  }

  async #end(approvalId: string, kind: "cancelled" | "expired"): Promise<AnswerResult> {
    const question = await this.#parts.journal.questions.find(approvalId);
    if (question === null) return { kind: "unknown" };
    const isEarly = kind === "expired" && question.deadlineMs > this.#parts.clock.nowMs();
    if (question.answer !== null || isEarly) return { kind: "conflict", question };
    const given = await this.#give(question, { kind });
    if (given.kind === "failed") return given;
    return { kind: given.kind === "won" ? "recorded" : "conflict", question: given.question };
  }

  /** Comes back with the question once it has its answer; null when the signal aborts before. */
  answered(approvalId: string, signal: Stop): Promise<Question | null> {
    return this.#parts.journal.questions.answered(approvalId, signal);
  }

  /** The open questions of a project, a page of them. Those whose deadline is over are closed on the way. */
  async open(project: string, page: { readonly limit: number; readonly after?: string }): Promise<readonly Question[]> {
    const { journal, clock } = this.#parts;
    const found: Question[] = [];
    for (let { limit, after } = page; ; limit = page.limit - found.length) {
      const questions = await journal.questions.open(project, { limit, ...(after !== undefined && { after }) });
      const overdue = questions.filter(({ deadlineMs }) => deadlineMs <= clock.nowMs());
      await Promise.all(overdue.map((question) => this.#give(question, { kind: "expired" })));
      found.push(...questions.filter((question) => !overdue.includes(question)));
      // A page is full, however many were overdue: an empty one says that there are no more.
      if (overdue.length === 0 || questions.length < limit) return found;
      after = questions.at(-1)?.approvalId;
    }
  }

  /** Takes back the open questions of sessions whose lease is gone. Whoever waits for an answer hears so. */
  async withdraw(project: string, isMeant: (sessionId: string) => boolean): Promise<void> {
    const { journal } = this.#parts;
    for (let after = ""; ; ) {
      const page = await journal.questions.open(project, { limit: WITHDRAWN_PAGE, after });
      const meant = page.filter(({ sessionId }) => isMeant(sessionId));
      await Promise.all(meant.map((question) => this.#give(question, { kind: "cancelled", why: "revoked" })));
      if (page.length < WITHDRAWN_PAGE) return;
      after = page.at(-1)?.approvalId ?? "";
    }
  }

  find(approvalId: string): Promise<Question | null> {
    return this.#parts.journal.questions.find(approvalId);
  }

  /** A yes and the start that it allows in one change; by itself where that can't be begun at once. */
  async #giveAndStart(question: Question, answer: UnwrittenYes["answer"], start: Start): Promise<Given> {
    const { clock } = this.#parts;
    const { promise: isDecided, resolve: decide } = Promise.withResolvers<void>();
    let won: Given | null = null;
    let apart: Promise<Given> | null = null;
    const giveApart = () => (apart ??= this.#give(question, answer));
    const running = start(question, {
      answer,
      entry: (at) => entryOf(question, answer, at),
      apart: () => {
        if (clock.nowMs() >= question.deadlineMs) giveApart();
        return apart?.then((given) => given.kind === "won" && given.question.answer?.kind === "approve") ?? null;
      },
      written: (receipt, state) => {
        won = { kind: "won", question: { ...answeredBy(question, answer, receipt), state, kept: null } };
        decide();
      },
    });
    if (running === null) return await giveApart();
    const disarm = clock.after(JUDGED_WITHIN_MS, decide);
    const end = () => decide();
    running.then(end, end);
    await isDecided;
    disarm();
    const given = won ?? (await giveApart());
    // What was on its way when it was given up is in the queue before, and has won.
    return given.kind === "lost" ? (won ?? given) : given;
  }

  /** Writes an answer, or finds out whose was written before. An answer that comes after the deadline is none. */
  async #give(asked: Asked, answer: Answered): Promise<Given> {
    const { clock, journal } = this.#parts;
    this.#askedHere.take(asked.approvalId);
    const isLate = "who" in answer && clock.nowMs() >= asked.deadlineMs;
    const written: Answered = isLate ? { kind: "expired" } : answer;
    const committed = await journal.commit(changeBy(asked, written, clock.nowMs()));
    if (committed.kind === "committed") return { kind: "won", question: answeredBy(asked, written, committed.receipt) };
    if (committed.refusal.code !== "ILLEGAL_TRANSITION") return committed;
    const question = await journal.questions.find(asked.approvalId);
    return question === null ? { kind: "failed", refusal: UNREADABLE } : { kind: "lost", question };
  }
}

type Given =
  | { readonly kind: "won" | "lost"; readonly question: Question }
  | { readonly kind: "failed"; readonly refusal: Refusal };

/** Somebody right here counts like anybody else: whose answer is not enough leaves the question to other doors. */
const eligibleHere = (approver: Approver): Approver => ({
  ask: async (shown, asked, signal) => {
    if (peopleNeeded(shown) > 1) return null;
    const said = await approver.ask(shown, asked, signal);
    const isEligible =
      said === null || whyNotEligible(shown, { who: said.who, roles: said.roles ?? LOCAL_ROLES }) === null;
    return isEligible ? said : null;
  },
});

/** INVARIANT (judged = run): the gate's own copy of the arguments, whatever the caller's object holds by now. */
const keptCall = ({ toolName, input, session, actor, receivedAtMs, key }: JudgedCall): KeptCall => ({
  toolName,
  rawInput: input,
  session,
  actor,
  receivedAtMs,
  ...(key !== undefined && { key }),
});
