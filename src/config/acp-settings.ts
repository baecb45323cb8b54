import type { AcpSettings, AgentSpec } from "../domain/agent.ts";
import type { JsonObject } from "../domain/json.ts";
import type { RuleSource } from "../rules/rule.ts";
import { AGENT_SCHEMA } from "./acp-schema.ts";
import { BUILT_IN_PREFIX } from "./built-in-rules.ts";
import type { RawConfig, ShapeProblem } from "./config-shape.ts";
import { upstreamSecrets } from "./mcp-secrets.ts";
import { programsFrom, type ReadingPlace } from "./mcp-upstreams.ts";

interface FoundAgents {
  readonly acp: AcpSettings;
  readonly problems: readonly ShapeProblem[];
  readonly notes: readonly ShapeProblem[];
}

/** What `acp` says. An agent is a program of the operator's, as an MCP server is. */
export function acpFrom(raw: RawConfig, reading: ReadingPlace): FoundAgents {
  const { agents = {}, editorServers = "drop", modes = "ask" } = raw.acp ?? {};
  const place = ["acp", "agents"];
  const { upstreams, problems, notes } = programsFrom(
    { given: agents, place, schema: AGENT_SCHEMA, what: "agent" },
    reading,
  );
  const found = upstreams.flatMap(({ name, way, missing, grant }): AgentSpec[] =>
    way.kind === "stdio" ? [{ name, way, missing, grant }] : [],
  );
  return { acp: { agents: found, editorServers, modes }, problems, notes };
}

/** The variables that hold secrets of agents. */
export const agentSecrets = (agents: JsonObject = {}): ReturnType<typeof upstreamSecrets> =>
  upstreamSecrets(agents, ["acp", "agents"]);

/** What the operator says of modes, as a rule like any other: their own may be stricter. */
export const modeRules = ({ acp }: RawConfig): readonly RuleSource[] => [
  {
    id: `${BUILT_IN_PREFIX}agent-modes`,
    effect: acp?.modes ?? "ask",
    tools: ["agent_mode"],
    touch: { tool: ["agent_mode"] },
    because: "in another mode an agent may stop asking before it acts",
  },
];
