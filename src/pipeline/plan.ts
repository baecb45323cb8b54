import { type Draft, type PlannedCall, pass, type Step, type ValidCall } from "../domain/call.ts";
import { isLater } from "../domain/now.ts";
import type { Stage } from "./stage.ts";

/** Third stage. Works out what the call would do. Reads the world, changes nothing. */
export const plan: Stage<ValidCall, PlannedCall, { workspace: string }> = (call, { workspace }, signal) => {
  const draft = call.tool.plan(call, signal);
  return isLater(draft)
    ? Promise.resolve(draft).then((done) => planned(call, workspace, done))
    : planned(call, workspace, draft);
};

function planned(call: ValidCall, workspace: string, draft: Draft): Step<PlannedCall> {
  if (draft.kind === "refuse") return draft;
  const { definition, definitionDigest } = call.tool;
  const { confirm, preview, sandbox, timeoutMs } = draft.plan;
  // In the order of canonical JSON, which makes sealing it cheap.
  const plan = {
    ...(confirm !== undefined && { confirm }),
    containment: definition.containment,
    definitionDigest,
    host: call.host,
    input: call.input,
    operands: draft.plan.operands,
    ...(sandbox && { sandbox }),
    timeoutMs: timeoutMs ?? definition.timeoutMs,
    tool: definition.name,
    touches: draft.plan.touches,
    workspace,
  };
  return pass(preview === undefined ? { ...call, plan } : { ...call, plan, preview });
}
