import type { AgentSpec } from "../../domain/agent.ts";
import type { CallFacts } from "../../domain/call-facts.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { Refusal } from "../../domain/outcome.ts";
import type { Secret } from "../../domain/secret.ts";
import { quoted } from "../../domain/visible.ts";
import type { Mount } from "../../ports/sandbox.ts";
import { type StartedProgram, type StartPorts, startProgram } from "../operator/start-program.ts";

/** Why an agent was not started. */
export type AgentFault = Pick<Refusal, "code" | "message" | "hint">;

export interface AgentStart {
  readonly facts: CallFacts;
  readonly installed: readonly Extract<Mount, { kind: "installed" }>[];
  readonly callSocket: string;
  /** Tells the ledger: an agent that it does not know of is not started. */
  readonly told: (start: Pick<StartedProgram, "grant" | "argv">) => Promise<AgentFault | null>;
}

/** Starts an agent in the sandbox, which is spoken to for as long as it lives. */
export async function startAgent(
  { name, missing, way, grant }: AgentSpec,
  ports: StartPorts,
  { told, ...reach }: AgentStart,
  signal: AbortSignal,
): Promise<StartedProgram | AgentFault> {
  const [variable] = missing;
  if (variable !== undefined)
    return {
      code: "SECRET_MISSING",
      message: `${quoted(name)} needs the variable ${quoted(variable)}, which is not set`,
    };
  const unable = ports.sandbox.missing();
  if (unable !== null) return unable;
  const { command, args, cwd } = way;
  const env = Object.fromEntries(
    Object.entries(way.env).map(([key, value]): [string, string | Secret] => [
      key,
      typeof value === "string" ? value : value.secret,
    ]),
  );
  const stdin = { kind: "open" } as const;
  const program = {
    command,
    args,
    cwd,
    env,
    grant,
    ...reach,
    stdin,
    termGraceMs: LIMITS.commandTermMs.default,
  };
  return await startProgram(program, ports, told, signal);
}
