import { type PlannedCall, pass, type ValidCall } from "../domain/call.ts";
import type { Stage } from "./stage.ts";

/** Third stage. Works out what the call would do. Reads the world, changes nothing. */
export const plan: Stage<ValidCall, PlannedCall, { workspace: string }> = async (call, { workspace }, signal) => {
  const draft = await call.tool.plan(call, signal);
  if (draft.kind === "refuse") return draft;
  const { definition, definitionDigest } = call.tool;
  return pass({
    ...call,
    // In the order of canonical JSON, which makes sealing it cheap.
    plan: {
      containment: definition.containment,
      definitionDigest,
      host: call.host,
      input: call.input,
      operands: draft.plan.operands,
      timeoutMs: definition.timeoutMs,
      tool: definition.name,
      touches: draft.plan.touches,
      workspace,
    },
  });
};
