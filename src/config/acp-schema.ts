import type { JsonObject } from "../domain/json.ts";
import { UPSTREAM_SCHEMA } from "./mcp-schema.ts";

const { command, args, cwd, env, grant } = UPSTREAM_SCHEMA.properties;

/** One agent under `acp.agents`. Its `env` is looked at by hand. */
export const AGENT_SCHEMA = {
  type: "object",
  additionalProperties: false,
  required: ["command"],
  properties: {
    command: { ...command, description: "The agent's program, which is started in the sandbox." },
    args,
    cwd,
    env,
    grant,
  },
} as const satisfies JsonObject;

/** `acp` of the config. */
export const ACP = {
  description: "Agents that are started behind the gate, for editors. `docs/guide/acp.md` tells of them.",
  type: "object",
  additionalProperties: false,
  properties: {
    agents: {
      description: "Agents by name, for `toolgate acp --agent NAME`: `command`, `args`, `cwd`, `env`, `grant`.",
      type: "object",
      "x-map": true,
    },
    editorServers: {
      description:
        "Whether an agent is told of MCP servers that the editor has: none of their calls goes through the gate.",
      enum: ["drop", "pass"],
      default: "drop",
    },
    modes: {
      description: "What becomes of a mode, or another setting, in which an agent might stop asking.",
      enum: ["ask", "allow", "deny"],
      default: "ask",
    },
  },
} as const satisfies JsonObject;
