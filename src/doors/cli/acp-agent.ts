import { basename } from "node:path";
import type { AgentSpec } from "../../domain/agent.ts";
import { quoted } from "../../domain/visible.ts";
import type { Gate } from "../../wiring/gate.ts";
import { grantProblem } from "../../wiring/grant-problem.ts";
import { CommandLineError, type Invocation, UsageError } from "./command.ts";

const KINDS = ["read", "write", "connect"] as const;

/** The agent that a command line means: one of the configuration, or a command with what it is granted. */
export function agentFrom({ words, flags }: Invocation, gate: Gate): AgentSpec {
  const { agent: name, grant } = flags;
  if (name === undefined) return ofCommand(words, grant, gate.workspace);
  if (words.length > 0) throw new UsageError("`--agent` stands in the place of a command", "leave one of them out");
  if (grant !== undefined) throw new UsageError("an agent of the configuration has its own `grant`", "change it there");
  const { agents } = gate.inForce.acp;
  const found = agents.find((agent) => agent.name === name);
  if (found !== undefined) return found;
  const known = agents.map((agent) => agent.name).join(", ");
  throw new UsageError(
    `there is no agent ${quoted(String(name))}`,
    known === "" ? "name agents under `acp.agents` of the configuration" : `there is ${known}`,
  );
}

function ofCommand([command, ...args]: readonly string[], grant: unknown, workspace: string): AgentSpec {
  if (command === undefined)
    throw new CommandLineError(
      "no agent is named",
      "write its command behind `--`: `toolgate acp -- some-agent --acp`",
    );
  const way = { kind: "stdio", command, args, cwd: workspace, env: {} } as const;
  return { name: basename(command), way, missing: [], grant: grantFrom(grant, workspace) };
}

function grantFrom(text: unknown, workspace: string): AgentSpec["grant"] {
  const grant = { read: [] as string[], write: [] as string[], connect: [] as string[] };
  for (const part of typeof text === "string" && text !== "" ? text.split(",") : []) {
    const [kind, ...rest] = part.split("=");
    const pattern = rest.join("=");
    const known = KINDS.find((one) => one === kind);
    if (known === undefined || pattern === "")
      throw new UsageError(
        `${quoted(part)} grants nothing`,
        "write `read=PATTERN`, `write=PATTERN` or `connect=HOST:PORT`",
      );
    grant[known].push(pattern);
  }
  const problem = grantProblem(grant, workspace);
  if (problem !== null) throw new UsageError(problem.message, problem.hint);
  return grant;
}
