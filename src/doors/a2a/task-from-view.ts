import type { JsonObject } from "../../domain/json.ts";
import type { Outcome } from "../../domain/outcome.ts";
import type { Execution } from "../../wiring/executions.ts";
import type { Gate } from "../../wiring/gate.ts";
import { codeOf, factsOf } from "../wire/outcome-facts.ts";
import { dataPart, partFrom } from "./content-parts.ts";
import { seedResult, statusParts } from "./status-parts.ts";
import { stateOf } from "./task-states.ts";
import type { TaskView } from "./task-view.ts";

/** Where a task says what became of the call in the gate's own words. */
const OUTCOME = "toolgate/outcome";
const TOOL = "toolgate/tool";

/** `bare`: of the task its state alone, as lists have it. */
export function taskFromView(view: TaskView, gate: Pick<Gate, "offer">, detail: "all" | "bare" = "all"): JsonObject {
  const { execution } = view;
  const { callId, sessionId } = execution;
  const artifacts = detail === "all" ? artifactsOf(execution) : [];
  return {
    id: callId,
    contextId: sessionId,
    status: detail === "bare" ? bareStatus(view) : statusFromView(view, gate),
    ...(artifacts.length > 0 && { artifacts }),
    metadata: metadataOf(execution, gate),
  };
}

export function statusFromView(view: TaskView, gate: Pick<Gate, "offer">): JsonObject {
  const { callId, sessionId, state } = view.execution;
  const parts = statusParts(view, gate);
  const id = { messageId: `${callId}-${state}`, contextId: sessionId, taskId: callId };
  return { ...bareStatus(view), ...(parts.length > 0 && { message: { ...id, role: "ROLE_AGENT", parts } }) };
}

function bareStatus(view: TaskView): JsonObject {
  const timestamp = statusTime(view.execution);
  return { state: stateOf(view), ...(timestamp !== null && { timestamp }) };
}

/** Since when it is as it is, as far as the ledger tells. */
export const statusTime = ({ completedAt, approvedAt, createdAt }: Execution): string | null =>
  completedAt ?? approvedAt ?? createdAt;

/** One, which holds all that the call printed or gave back; none where there is nothing. */
export function artifactsOf({ callId, tool, outcome }: Execution): readonly JsonObject[] {
  const parts = outcome === null ? [] : partsOf(outcome);
  return parts.length === 0 ? [] : [{ artifactId: `${callId}-result`, name: tool, parts }];
}

function partsOf(outcome: Outcome): readonly JsonObject[] {
  const content = "content" in outcome ? outcome.content.map(partFrom) : [];
  const structured = outcome.kind === "completed" ? outcome.structured : undefined;
  return [...content, ...(structured === undefined ? [] : [dataPart(structured)])];
}

function metadataOf({ tool, outcome }: Execution, gate: Pick<Gate, "offer">): JsonObject {
  if (outcome === null) return { [TOOL]: tool };
  const { meta, mcp_error } = seedResult(outcome, gate);
  const facts = factsOf(outcome, codeOf(outcome)) as JsonObject;
  return {
    [TOOL]: tool,
    [OUTCOME]: facts,
    ...meta,
    ...(mcp_error && { mcp_error: mcp_error as unknown as JsonObject }),
  };
}
