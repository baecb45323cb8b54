import type { Refusal } from "../../domain/outcome.ts";
import type { Question } from "../../domain/question.ts";
import { isTerminal } from "../../domain/state.ts";
import type { Execution } from "../../wiring/executions.ts";
import type { Gate } from "../../wiring/gate.ts";
import { type Identity, mayUse } from "../wire/identity.ts";
import { rolesNow } from "../wire/roles-now.ts";
import type { DoorParts } from "../wire/server-env.ts";

/** A call as somebody may see it. */
export interface TaskView {
  readonly execution: Execution;
  /** Null: nobody is asked now. */
  readonly question: Question | null;
  readonly mayAnswer: boolean;
  /** Why what came of it is not for them any more. Null: it is. */
  readonly withheld: Refusal | null;
}

/**
 * INVARIANT (own tasks): a task is there for who made the call, and for people who answer questions and so are shown it
 * anyway. To others it does not exist. By the roles and the lease of this moment.
 */
export async function taskView(callId: string, given: Identity, gate: Gate): Promise<TaskView | null> {
  const identity = { ...given, roles: rolesNow(given, gate) };
  const execution = await gate.executions.find(callId);
  if (execution === null || !isThereFor(execution, identity, gate)) return null;
  const seen = identity.session === null ? execution : await gate.executions.seenBy(identity.session, callId);
  if (seen === null) return null;
  const isHidden = "refusal" in seen;
  return {
    execution: isHidden ? { ...execution, outcome: null, error: null } : seen,
    withheld: isHidden ? seen.refusal : null,
    ...(await askedOf(execution, identity, gate)),
  };
}

/** What came of a call that ended longer ago is there, or is not kept any more. */
const NEW_MS = 5000;

/**
 * The same behind a while of waiting, and with what came of it where that is kept a moment after the end is told.
 * INVARIANT (no longer than the right): who was taken out meanwhile is told nothing.
 */
export async function settledView(
  callId: string,
  identity: Identity,
  { gate, tokens }: Pick<DoorParts, "gate" | "tokens">,
): Promise<TaskView | null> {
  if (!(await tokens.isStill(identity))) return null;
  const view = await taskView(callId, identity, gate);
  if (view === null || view.withheld !== null) return view;
  const { state, durationMs, outcome, completedAt } = view.execution;
  const isNew = Date.now() - Date.parse(completedAt ?? "") < NEW_MS;
  if (!isTerminal(state) || durationMs === null || outcome !== null || !isNew) return view;
  await gate.executions.keptOutcome(callId);
  return await taskView(callId, identity, gate);
}

/** By the roles of this moment. */
export const isThereFor = (execution: Execution, identity: Identity, gate: Pick<Gate, "inForce">): boolean =>
  isOwn(execution, identity) || mayUse({ ...identity, roles: rolesNow(identity, gate) }, "approver");

export const isOwn = ({ actor, sessionId }: Execution, identity: Identity): boolean =>
  identity.session === null ? actor === identity.actor : sessionId === identity.session.id;

/** INVARIANT (people only): an agent answers nothing, also no question of its own call. */
export async function askedOf(
  { state, approvalId }: Execution,
  identity: Identity,
  gate: Gate,
): Promise<Pick<TaskView, "question" | "mayAnswer">> {
  const found = state === "awaiting_approval" && approvalId !== null ? await gate.approvals.find(approvalId) : null;
  const question = found?.answer === null ? found : null;
  if (question === null) return { question, mayAnswer: false };
  const isPerson = identity.session === null && mayUse(identity, "approver");
  const voter = { who: identity.actor, roles: identity.roles };
  return { question, mayAnswer: isPerson && gate.approvals.whyNotFor(question, voter) === null };
}
