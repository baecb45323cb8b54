import type { Execution } from "../../wiring/executions.ts";
import type { Gate } from "../../wiring/gate.ts";
import { type Identity, mayUse } from "../wire/identity.ts";
import { executionRecord } from "./execution-record.ts";

/** A call as somebody sees it: how it stands, and whom it concerns also what it was given and what came of it. */
export function recordFor(execution: Execution, identity: Identity, { executors }: Gate) {
  const { callId } = execution;
  const isShown = concerns(execution, identity, executors);
  return executionRecord(
    isShown ? execution : { ...execution, params: null, outcome: null },
    executors.standing(callId),
  );
}

/** Who made it; who answers questions about it, and so is shown it anyway; and the executor that it is for. */
function concerns({ actor, callId, sessionId }: Execution, identity: Identity, executors: Gate["executors"]): boolean {
  if (identity.session !== null) return sessionId === identity.session.id;
  if (actor === identity.actor || mayUse(identity, "approver")) return true;
  return mayUse(identity, "executor") && executors.isWith(callId, identity.actor);
}
