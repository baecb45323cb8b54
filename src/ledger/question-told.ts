import type { Entry } from "../domain/entry.ts";
import type { QuestionFinding } from "./finding.ts";
import { mayBe } from "./may-be.ts";

/** What is kept of a question. */
export interface QuestionSaid {
  readonly approvalId: string;
  readonly callId: string;
  readonly isOpen: boolean;
  readonly deadlineMs: number;
  /** Null: it holds no such thing. */
  readonly shown: {
    readonly digest: unknown;
    readonly risk: unknown;
    readonly ruleId: unknown;
    readonly actor: unknown;
  } | null;
  readonly answerSeq: number | null;
  readonly answer: { readonly kind: unknown; readonly who?: unknown } | null;
}

/** What entries tell of it; null: nothing. */
export interface QuestionTold {
  readonly asked: Entry | null;
  /** The one that the question names as its answer. */
  readonly answered: Entry | null;
}

/** Where they contradict each other. */
export function questionFlaw(said: QuestionSaid, told: QuestionTold): QuestionFinding | null {
  const what = askedFlaw(said, told) ?? (isAnswered(said, told) ? null : "answer");
  if (what === null) return null;
  const { approvalId, callId, answerSeq } = said;
  return { kind: "question", approvalId, callId, seq: told.asked?.seq ?? answerSeq ?? 0, what };
}

function askedFlaw(
  { approvalId, deadlineMs, shown }: QuestionSaid,
  { asked }: QuestionTold,
): QuestionFinding["what"] | null {
  if (shown === null) return "shown";
  if (asked === null) return null;
  const { body, planDigest, actor } = asked;
  // The first version told neither.
  if (body["approvalId"] !== undefined && body["approvalId"] !== approvalId) return "call";
  if (body["deadline"] !== undefined && Date.parse(String(body["deadline"])) !== deadlineMs) return "deadline";
  const isSame =
    shown.digest === planDigest &&
    shown.risk === body["risk"] &&
    mayBe(body["ruleId"], shown.ruleId) &&
    mayBe(actor, shown.actor);
  return isSame ? null : "shown";
}

/** INVARIANT (no yes, no start): a yes is told by an entry of its own. What else ends a question may be told as what it does to the call. */
function isAnswered({ callId, isOpen, answerSeq, answer }: QuestionSaid, { answered }: QuestionTold): boolean {
  if (answerSeq === null) return isOpen && answer === null;
  if (isOpen || answer === null || answered?.callId !== callId) return false;
  if (answered.kind !== "approval.answered") return answer.kind === "cancelled";
  const { answer: kind, who = null } = answered.body;
  return kind === undefined || (kind === answer.kind && mayBe(who, answer.who ?? null));
}
