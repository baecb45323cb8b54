import { type Draft, type PlannedCall, pass, type Step, type ValidCall } from "../domain/call.ts";
import { isLater } from "../domain/now.ts";
import { plannedCall } from "./call-states.ts";
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
  const { confirm, operands, preview, sandbox, timeoutMs, touches } = draft.plan;
  // In the order of canonical JSON, which makes sealing it cheap. What is undefined is absent there.
  const plan = {
    confirm,
    containment: definition.containment,
    definitionDigest,
    host: call.host,
    input: call.input,
    operands,
    sandbox,
    timeoutMs: timeoutMs ?? definition.timeoutMs,
    tool: definition.name,
    touches,
    workspace,
  };
  return pass(plannedCall(call, plan, preview));
}
