import type { Tool } from "../../domain/call.ts";
import { digestOf } from "../../domain/digest.ts";
import { LIMITS } from "../../domain/limits.ts";
import { makeTool } from "../make-tool.ts";

const AGENT_MODE = "agent_mode";

const DEFINITION = {
  name: AGENT_MODE,
  description: "Sets a mode, or another setting, of an agent in which it might stop asking before it acts.",
  source: "client",
  containment: "client",
  timeoutMs: LIMITS.toolTimeoutMs.default,
  inputSchema: {
    type: "object",
    properties: {
      agent: { type: "string" },
      setting: { type: "string", description: "which of its settings" },
      value: { description: "what it is set to" },
    },
    required: ["agent", "setting", "value"],
    additionalProperties: false,
  },
} as const;

/** The agent is told only once this has been let through: that is all there is to run. */
export const agentModeTool = (): Tool =>
  makeTool({
    definition: DEFINITION,
    plan: () => ({
      kind: "drafted",
      plan: {
        touches: [{ kind: "tool", name: AGENT_MODE, definitionDigest: digestOf(DEFINITION) }],
        operands: [],
      },
    }),
    run: () => ({ kind: "completed", content: [] }),
  });
