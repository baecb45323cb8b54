import type { ApprovedCall, JudgedCall, RawCall, TouchVerdict } from "../domain/call.ts";
import { type Digest, digestOf, digestOfText } from "../domain/digest.ts";
import type { EntryDraft, EntryKind } from "../domain/entry.ts";
import type { JsonObject } from "../domain/json.ts";
import type { Refusal } from "../domain/outcome.ts";
import type { CallState } from "../domain/state.ts";
import type { Change, NewCall } from "../ports/journal.ts";
import type { Finished } from "./finish.ts";

/** What the ledger is told of a call. Arguments and results enter by digest only: they may hold secrets. */

export const requested = (call: RawCall | JudgedCall, at: string): EntryDraft =>
  draft(call, at, "tool.requested", null, { inputDigest: inputDigest(call), tool: shortName(call.toolName) });

export const decided = (call: JudgedCall, at: string): EntryDraft =>
  draft(call, at, "tool.decided", call.seal.digest, {
    decision: call.verdict.effect,
    risk: call.verdict.risk,
    ruleId: call.verdict.ruleId,
    rulesHash: call.seal.rulesHash,
    touches: call.verdict.touches.map(touchBody),
  });

export const refusedEntry = (call: RawCall, at: string, refusal: Refusal, planDigest: Digest | null): EntryDraft =>
  draft(call, at, "tool.decided", planDigest, {
    code: refusal.code,
    decision: "deny",
    message: refusal.message.toWellFormed(),
    ruleId: refusal.ruleId ?? null,
    stage: refusal.stage,
  });

export const answered = (call: ApprovedCall, at: string): EntryDraft =>
  draft(call, at, "approval.answered", call.seal.digest, { answer: "approve", who: whoOf(call) });

export const started = (call: ApprovedCall, at: string): EntryDraft =>
  draft(call, at, "tool.started", call.seal.digest, { attempt: 1, by: call.approval.by, who: whoOf(call) });

export const executed = (call: ApprovedCall, at: string, { outcome, state, resultText }: Finished): EntryDraft =>
  draft(call, at, "tool.executed", call.seal.digest, {
    code: outcome.kind === "completed" ? null : outcome.error.code,
    durationMs: outcome.durationMs,
    outcome: state,
    resultDigest: resultText === null ? null : digestOfText(resultText),
  });

const newCall = (call: RawCall): NewCall => ({
  callId: call.callId,
  project: call.project,
  sessionId: call.session.id,
  owner: call.owner,
  host: call.host,
  tool: shortName(call.toolName),
  caller: call.caller,
});

/** The first change of a call brings its row along. */
export const change = (
  call: RawCall,
  from: CallState | "received",
  to: CallState,
  entries: Change["entries"],
): Change =>
  from === "received"
    ? { callId: call.callId, from, to, created: newCall(call), entries }
    : { callId: call.callId, from, to, entries };

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

const whoOf = ({ approval }: ApprovedCall): string => approval.who.toWellFormed();

/** A name that no tool has may be anything; the ledger keeps enough of it to recognise it. */
const shortName = (name: string): string => name.slice(0, 256).toWellFormed();

/** Unchecked input may have no canonical form (a lone surrogate); then it is refused, and the entry says null. */
function inputDigest(call: RawCall | JudgedCall): Digest | null {
  try {
    return digestOf("input" in call ? call.input : call.rawInput);
  } catch {
    return null;
  }
}
