import { type AutomaticAnswer, summaryOf } from "../domain/automatic-answer.ts";
import type { Spending } from "../domain/budget.ts";
import type { ApprovedCall, JudgedCall, RawCall, TouchVerdict } from "../domain/call.ts";
import { type Digest, digestOf, digestOfText } from "../domain/digest.ts";
import type { EntryDraft, EntryKind } from "../domain/entry.ts";
import type { Feedback } from "../domain/feedback.ts";
import { isoTime } from "../domain/iso-time.ts";
import type { JsonObject } from "../domain/json.ts";
import type { Refusal } from "../domain/outcome.ts";
import type { PlannedSandbox } from "../domain/plan.ts";
import type { NewQuestion } from "../domain/question.ts";
import type { NewCall } from "../ports/journal.ts";
import type { Finished } from "./finished.ts";

/**
 * What the ledger is told of a call. Arguments and results enter by digest only: they may hold secrets. Members stand in
 * canonical order where they can: so they need not be sorted (see `canonical-json.ts`).
 */

export const requested = (
  call: RawCall | JudgedCall,
  at: string,
  { inputBlob = null, digest = inputDigest(call) }: RequestedMore = {},
): EntryDraft =>
  draft(call, at, "tool.requested", null, {
    ...(call.key !== undefined && { dedupeKey: call.key.toWellFormed() }),
    ...(inputBlob !== null && { inputBlob }),
    inputDigest: digest,
    tool: shortName(call.toolName),
  });

interface RequestedMore {
  readonly inputBlob?: string | null;
  /** Of the arguments, where somebody has it already. */
  readonly digest?: Digest | null | undefined;
}

/** An `allow` is written in the commit that starts the call, so it also says that the call was started. */
export const decided = (call: JudgedCall, at: string): EntryDraft =>
  draft(call, at, "tool.decided", call.seal.digest, decision(call));

export const asked = (call: JudgedCall, at: string, { approvalId, deadlineMs }: NewQuestion): EntryDraft =>
  draft(call, at, "tool.decided", call.seal.digest, { approvalId, deadline: isoTime(deadlineMs), ...decision(call) });

function decision({ verdict, seal, plan }: JudgedCall): JsonObject {
  const { effect, risk, ruleId } = verdict;
  const { rulesHash } = seal;
  const touches = verdict.touches.map(touchBody);
  if (plan.sandbox === undefined) return { budgetConsumed: 0, decision: effect, risk, ruleId, rulesHash, touches };
  const grant = { ...seal.grant };
  const sandbox = heldIn(plan.sandbox);
  return { budgetConsumed: 0, decision: effect, grant, risk, ruleId, rulesHash, sandbox, touches };
}

/** The command itself is a touch already, and may hold secrets. */
const heldIn = ({ report, limits }: PlannedSandbox): JsonObject => ({ limits, ...report });

export const refusedEntry = (call: RawCall, at: string, refusal: Refusal, planDigest: Digest | null): EntryDraft =>
  draft(call, at, "tool.decided", planDigest, {
    budgetConsumed: 0,
    code: refusal.code,
    decision: "deny",
    message: refusal.message.toWellFormed(),
    ruleId: refusal.ruleId ?? null,
    stage: refusal.stage,
  });

/** What policies and governors said, and what it comes to. Nothing, of nearly all calls. */
export const heard = (
  call: RawCall,
  at: string,
  answer: AutomaticAnswer | null,
  planDigest: Digest | null,
): readonly EntryDraft[] =>
  answer === null ? NOTHING : [draft(call, at, "approval.automatic", planDigest, answerBody(answer))];

const NOTHING: readonly EntryDraft[] = [];

const answerBody = (answer: AutomaticAnswer): JsonObject => ({
  answer: answer.kind,
  governors: answer.feedback.map(feedbackBody),
  ...(answer.kind === "approve" && { optionId: answer.optionId?.toWellFormed() ?? null }),
  reason: answer.kind === "silent" ? null : (answer.reason?.toWellFormed() ?? null),
  ...(answer.kind === "approve" && { skipsGovernors: answer.skipsGovernors }),
  summary: summaryOf(answer).map((line) => line.toWellFormed()),
  who: answer.kind === "silent" ? null : answer.who,
});

const feedbackBody = ({
  id,
  inputHash,
  latencyMs,
  messages,
  metadata,
  optionId,
  score,
  status,
}: Feedback): JsonObject => ({
  id,
  inputHash,
  latencyMs,
  messages: messages.map((message) => message.toWellFormed()),
  ...(metadata !== undefined && { metadata }),
  ...(optionId !== undefined && { optionId: optionId.toWellFormed() }),
  ...(score !== undefined && { score }),
  status,
});

export const started = (call: ApprovedCall, at: string, attempt: number): EntryDraft =>
  draft(call, at, "tool.started", call.seal.digest, {
    attempt,
    by: call.approval.by,
    who: call.approval.who.toWellFormed(),
  });

export const executed = (
  call: ApprovedCall,
  at: string,
  { outcome, state, resultText }: Finished,
  { spent = null, resultBlob = null }: { readonly spent?: Spending | null; readonly resultBlob?: string | null } = {},
): EntryDraft =>
  draft(call, at, "tool.executed", call.seal.digest, {
    ...("truncated" in outcome && outcome.truncated?.blob != null && { blob: outcome.truncated.blob }),
    budgetConsumed: outcome.budgetConsumed ?? 0,
    ...(outcome.kind === "completed" && outcome.cached && { cached: true }),
    code: outcome.kind === "completed" ? null : outcome.error.code,
    durationMs: outcome.durationMs,
    ...exitOf(outcome),
    outcome: state,
    ...(resultBlob !== null && { resultBlob }),
    resultDigest: resultText === null ? null : digestOfText(resultText()),
    ...sandboxOf(outcome),
    ...(spent && { spent: { ...spent } }),
  });

/** As the program said it. */
function exitOf(outcome: Finished["outcome"]): JsonObject | null {
  const exitCode = outcome.kind === "completed" ? outcome.exitCode : outcome.error.exitCode;
  return exitCode === undefined ? null : { exitCode };
}

/** Which one it ran in. */
const sandboxOf = (outcome: Finished["outcome"]): JsonObject | null =>
  outcome.kind === "unknown" || outcome.sandbox === undefined ? null : { sandbox: outcome.sandbox.backend };

export const newCall = (call: RawCall): NewCall => ({
  callId: call.callId,
  project: call.project,
  sessionId: call.session.id,
  owner: call.owner,
  host: call.host,
  tool: shortName(call.toolName),
  caller: call.caller,
});

const draft = (
  call: RawCall,
  at: string,
  kind: EntryKind,
  planDigest: Digest | null,
  body: JsonObject,
): EntryDraft => ({
  at,
  kind,
  project: call.project.toWellFormed(),
  sessionId: call.session.id.toWellFormed(),
  callId: call.callId,
  actor: call.actor.toWellFormed(),
  planDigest,
  body,
});

const touchBody = ({ touch, effect, ruleId }: TouchVerdict): JsonObject =>
  ({ effect, ruleId, touch }) as unknown as JsonObject;

/** A name that no tool has may be anything; the ledger keeps enough of it to recognise it. */
const shortName = (name: string): string => name.slice(0, 256).toWellFormed();

/** Unchecked input may have no canonical form (a lone surrogate); then it is refused, and the entry says null. */
export function inputDigest(call: RawCall | JudgedCall): Digest | null {
  try {
    return digestOf("input" in call ? call.input : call.rawInput);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return null;
  }
}
