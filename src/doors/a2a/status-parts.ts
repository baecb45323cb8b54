import { meaningOf } from "../../domain/codes.ts";
import { isoTime } from "../../domain/iso-time.ts";
import type { JsonObject } from "../../domain/json.ts";
import type { Outcome, Pending } from "../../domain/outcome.ts";
import type { Question } from "../../domain/question.ts";
import type { SeedResult } from "../../formats/a2a-acp/results.ts";
import type { Gate } from "../../wiring/gate.ts";
import { planInWords } from "../wire/plan-in-words.ts";
import { dataPart, textPart } from "./content-parts.ts";
import type { TaskView } from "./task-view.ts";

type Offers = Pick<Gate, "offer">;

/** What the status of a task says besides its state. None where the state says it all. */
export function statusParts(
  { execution, question, mayAnswer, withheld }: TaskView,
  gate: Offers,
): readonly JsonObject[] {
  if (withheld !== null) return [textPart(withheld.message), errorPart(withheld.code, withheld.message)];
  if (question !== null) return mayAnswer ? askedParts(question) : waitingParts(question, gate);
  const { outcome, error } = execution;
  if (outcome !== null) return outcome.kind === "completed" ? [] : endedParts(outcome, gate);
  // What nobody has kept is told by the ledger alone.
  return error === null ? [] : [textPart(error.message), errorPart(error.code, error.message)];
}

const errorPart = (code: string, message: string): JsonObject =>
  dataPart({ error: { code, message, means: meaningOf(code) } });

/** A longer text is content, which the plan beside it holds: clients take no event that is too long. */
const WORDS_MAX = 16_384;

/** INVARIANT (shown whole): who is asked is shown all of the plan that they answer. */
const askedParts = (question: Question): readonly JsonObject[] => [
  textPart(words(question)),
  dataPart({
    approval: approvalOf(question),
    plan: question.shown as unknown as JsonObject,
    answerWith: { answer: ["approve", "reject"], planDigest: question.shown.digest },
  }),
];

function words({ shown }: Question): string {
  const text = planInWords(shown).join("\n");
  return text.length <= WORDS_MAX
    ? text
    : "The plan is too long to be written out: all of it is in the data beside this.";
}

const waitingParts = (question: Question, gate: Offers): readonly JsonObject[] => [
  ...wordsOf(pendingOf(question), gate),
  dataPart({ approval: approvalOf(question) }),
];

const approvalOf = ({ approvalId, deadlineMs, shown }: Question) => ({
  id: approvalId,
  risk: shown.risk,
  reasons: shown.reasons,
  deadline: isoTime(deadlineMs),
  planDigest: shown.digest,
});

const pendingOf = ({ callId, approvalId, deadlineMs, shown }: Question): Pending => ({
  kind: "pending",
  callId,
  tool: shown.plan.tool,
  durationMs: 0,
  approval: { id: approvalId, risk: shown.risk, reasons: shown.reasons, deadline: isoTime(deadlineMs) },
});

function endedParts(outcome: Outcome, gate: Offers): readonly JsonObject[] {
  const { error, mcp_error } = seedResult(outcome, gate);
  const errors = outcome.kind === "refused" ? outcome.refusal.errors : undefined;
  const data = { ...(error && { error }), ...(mcp_error && { mcp_error }), ...(errors && { errors }) };
  return [...wordsOf(outcome, gate), dataPart(data as unknown as JsonObject)];
}

/** What a model is told about it: the last item, behind the content. */
function wordsOf(outcome: Outcome, gate: Offers): readonly JsonObject[] {
  const last = seedResult(outcome, gate).content.at(-1);
  return last?.type === "text" ? [textPart(last.text)] : [];
}

/** As the A2A-ACP seed tells of a call. */
export function seedResult(outcome: Outcome, gate: Offers): SeedResult {
  const { callId, tool } = outcome;
  const call = { id: callId, isIdGiven: true, name: tool, input: { value: {} } };
  const [result] = gate.offer("a2a-acp").results([{ call, outcome }]);
  return result ?? { id: callId, toolId: tool, content: [], isError: outcome.kind !== "completed" };
}
