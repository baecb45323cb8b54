import type { Tool } from "../../domain/call.ts";
import type { JsonObject } from "../../domain/json.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { Refusal } from "../../domain/outcome.ts";
import { makeTool } from "../make-tool.ts";
import type { AgentLinks } from "./agent-links.ts";
import { byLink } from "./by-link.ts";
import type { ToolCallPlace } from "./tool-call-place.ts";
import { toolCallPreview } from "./tool-call-preview.ts";
import { toolCallTouches } from "./tool-call-touches.ts";

const AGENT_TOOL = "agent_tool";

const DEFINITION = {
  name: AGENT_TOOL,
  description:
    "What an agent does with a tool of its own, once it is allowed to. All that is known of it is the agent's word.",
  source: "client",
  containment: "client",
  timeoutMs: LIMITS.toolTimeoutMs.maximum,
  inputSchema: {
    type: "object",
    properties: {
      agent: { type: "string", description: "the agent as the operator started it" },
      cwd: { type: "string", description: "the folder of its session" },
      request: { type: "integer", description: "which of its requests for permission it is" },
      canAllow: { type: "boolean", description: "whether it takes a yes that is good once" },
      call: { type: "object", description: "its call as it tells of it" },
    },
    required: ["agent", "cwd", "request", "canAllow", "call"],
    additionalProperties: false,
  },
} as const;

type AgentToolInput = {
  readonly agent: string;
  readonly cwd: string;
  readonly request: number;
  readonly canAllow: boolean;
  readonly call: JsonObject;
};

/** A call that an agent makes by itself: it asks, and runs it where it is. */
export const agentTool = (links: AgentLinks, place: ToolCallPlace): Tool<AgentToolInput> =>
  makeTool<AgentToolInput>({
    definition: DEFINITION,
    plan: async ({ input }) => {
      if (!input.canAllow) return { kind: "refuse", refusal: NO_OPTION };
      const touches = await toolCallTouches(input.call, input.cwd, place);
      const preview = toolCallPreview(input.call);
      return { kind: "drafted", plan: { touches, operands: [], ...(preview && { preview }) } };
    },
    run: (call, signal) => byLink(links, call, (link) => link.granted(call.input.request, signal)),
  });

const NO_OPTION: Refusal = {
  code: "INVALID_ARGUMENTS",
  stage: "plan",
  message: "the agent offers no answer that allows just this call, and no other is given",
};
