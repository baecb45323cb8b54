import type { Execution } from "../../wiring/executions.ts";
import type { Gate } from "../../wiring/gate.ts";
import { type Identity, mayUse } from "../wire/identity.ts";
import { executionRecord } from "./execution-record.ts";
import { rolesNow } from "./roles-now.ts";

/** A call as somebody sees it: how it stands, and whom it concerns also what it was given and what came of it. */
export function recordFor(execution: Execution, identity: Identity, { executors }: Gate) {
  const { callId, actor, sessionId } = execution;
  const isOwn = identity.session === null ? actor === identity.actor : sessionId === identity.session.id;
  const isShown = isOwn || concerns(callId, identity, executors);
  return executionRecord(
    isShown ? execution : { ...execution, params: null, outcome: null },
    executors.standing(callId),
  );
}

/**
 * Whether a call's record would be shown to somebody who listens. INVARIANT (knowing is not owning): what a call is given and
 * what it prints is heard by nobody else either. By the roles of each moment. Undefined: they are shown all that they hear of.
 */
export function shownTo(identity: Identity, gate: Gate): ((callId: string) => boolean) | undefined {
  if (identity.user === null) return undefined;
  return (callId) =>
    concerns(callId, { ...identity, roles: rolesNow(identity, gate) }, gate.executors) ||
    gate.executions.madeBy(callId) === identity.actor;
}

/** Beside who made it: who answers questions about it, and so is shown it anyway; and the executor that it is for. */
const concerns = (callId: string, identity: Identity, executors: Gate["executors"]): boolean =>
  mayUse(identity, "approver") || (mayUse(identity, "executor") && executors.isWith(callId, identity.actor));
