import type { EntryDraft } from "../domain/entry.ts";
import { isoTime } from "../domain/iso-time.ts";
import type { Receipt } from "../domain/outcome.ts";
import type { Answered, NewQuestion, PersonsAnswer, Question } from "../domain/question.ts";
import type { CallState } from "../domain/state.ts";
import type { Change } from "../ports/journal.ts";

/** What a call becomes by each answer. */
const AFTER = {
  approve: "approved",
  reject: "rejected",
  expired: "expired",
  cancelled: "cancelled",
} as const satisfies Record<Answered["kind"], CallState>;

/** What an answer has to know of its question. */
export type Asked = NewQuestion & Pick<Question, "callId" | "sessionId"> & Partial<Pick<Question, "votes">>;

/** The change of the call that an answer is. */
export const changeBy = (asked: Asked, answer: Answered, nowMs: number): Change => ({
  callId: asked.callId,
  from: "awaiting_approval",
  to: AFTER[answer.kind],
  answer,
  entries: () => [entryOf(asked, answer, isoTime(nowMs))],
});

/** What the ledger is told of an answer. */
export function entryOf({ callId, project, sessionId, shown }: Asked, answer: Answered, at: string): EntryDraft {
  const who = "who" in answer ? answer.who.toWellFormed() : null;
  const reason = ("reason" in answer ? answer.reason?.toWellFormed() : null) ?? null;
  const body = { answer: answer.kind, reason, who };
  const { digest: planDigest, actor } = shown;
  return { at, kind: "approval.answered", project, sessionId, callId, actor: who ?? actor, planDigest, body };
}

/** One yes of several: the call stays where it is. */
export const voteOf = (
  { callId, project, sessionId, approvalId, shown }: Question,
  said: PersonsAnswer,
  nowMs: number,
): Change => ({
  callId,
  from: "awaiting_approval",
  to: "awaiting_approval",
  entries: () => [
    {
      at: isoTime(nowMs),
      kind: "approval.given",
      project,
      sessionId,
      callId,
      actor: said.who.toWellFormed(),
      planDigest: shown.digest,
      body: { approvalId, reason: said.reason?.toWellFormed() ?? null },
    },
  ],
});

/** As the store has it now that this answer is the one. */
export const answeredBy = (asked: Asked, answer: Answered, receipt: Receipt): Question => ({
  ...asked,
  state: AFTER[answer.kind],
  kept: answer.kind === "approve" ? asked.kept : null,
  votes: asked.votes ?? [],
  answer,
  receipt,
});
