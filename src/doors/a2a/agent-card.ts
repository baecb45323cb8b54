import type { JsonObject } from "../../domain/json.ts";
import type { ToolDefinition } from "../../domain/tool.ts";
import { seedSkill } from "../../formats/a2a-acp/skill.ts";
import { VERSION } from "../../wiring/version.ts";
import { mayUse } from "../wire/identity.ts";
import { type Operation, result } from "./operation.ts";

export const CARD_PATH = "/.well-known/agent-card.json";
export const A2A_PATH = "/a2a";

const JSON_MODE = "application/json";
/** What a skill's input has to be; an agent card has no place of its own for that. */
const SCHEMAS = "urn:toolgate:a2a:input-schemas";

/** For everybody. INVARIANT (nothing without a token): it says how to come in, and not which tools are here. */
export const publicCard = (origin: string): JsonObject => card(origin, [HOW_TO_CALL], []);

/** For who has a token: the tools that they could call. */
export const extendedCard: Operation = ({ identity, parts, origin }) => {
  const { gate } = parts;
  const { session } = identity;
  const tools = session !== null ? gate.toolsFor(session) : mayUse(identity, "caller") ? gate.tools() : [];
  return result(card(origin, tools.length === 0 ? [HOW_TO_CALL] : tools.map(skillFrom), [schemasOf(tools)]));
};

const card = (origin: string, skills: readonly JsonObject[], extensions: readonly JsonObject[]): JsonObject => ({
  name: "Toolgate",
  description:
    "Runs tools for agents. Every call is checked, judged, approved where a rule asks, sandboxed and recorded.",
  version: VERSION,
  supportedInterfaces: ["JSONRPC", "HTTP+JSON"].map((protocolBinding) => ({
    url: `${origin}${A2A_PATH}`,
    protocolBinding,
    protocolVersion: "1.0",
  })),
  capabilities: { streaming: true, pushNotifications: false, extendedAgentCard: true, extensions },
  securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: "Bearer", description: "a token of this server" } } },
  securityRequirements: [{ schemes: { bearer: { list: [] } } }],
  defaultInputModes: [JSON_MODE],
  defaultOutputModes: ["text/plain", JSON_MODE],
  skills,
});

const HOW_TO_CALL: JsonObject = {
  id: "call_tool",
  name: "Call a tool",
  description:
    "Send a message with one data part that names a tool and its input. The extended agent card, which needs a token, lists the tools.",
  tags: ["tool"],
  examples: ['{"tool": "NAME", "input": {}}'],
};

function skillFrom(tool: ToolDefinition): JsonObject {
  const { id, name, description, tags, examples } = seedSkill(tool);
  return { id, name, description, tags, examples };
}

const schemasOf = (tools: readonly ToolDefinition[]): JsonObject => ({
  uri: SCHEMAS,
  description: "the JSON Schema of each skill's input, by its id",
  required: false,
  params: Object.fromEntries(tools.map(({ name, inputSchema }) => [name, inputSchema])),
});
