import type { CallFacts } from "../../domain/call-facts.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { Secret } from "../../domain/secret.ts";
import type { UpstreamSpec, UpstreamValue, UpstreamWay } from "../../domain/upstream.ts";
import { type StartedProgram, type StartPorts, startProgram } from "../operator/start-program.ts";
import type { UpstreamFault } from "./upstream-fault.ts";

export interface UpstreamStartPorts extends StartPorts {
  readonly facts: (upstream: UpstreamSpec) => CallFacts;
}

type Stdio = Extract<UpstreamWay, { kind: "stdio" }>;

/** Starts an upstream's program, which is spoken to for as long as it lives. */
export const startUpstream = (
  { way, grant, ...spec }: UpstreamSpec & { readonly way: Stdio },
  ports: UpstreamStartPorts,
  told: (start: Pick<StartedProgram, "grant" | "argv">) => Promise<UpstreamFault | null>,
  signal: AbortSignal,
): Promise<StartedProgram | UpstreamFault> => {
  const { command, args, cwd } = way;
  const program = {
    ...{ command, args, cwd, grant },
    env: environmentOf(way.env),
    facts: ports.facts({ ...spec, way, grant }),
    stdin: { kind: "open" },
    termGraceMs: LIMITS.commandTermMs.default,
  } as const;
  return startProgram(program, ports, told, signal);
};

const environmentOf = (values: Readonly<Record<string, UpstreamValue>>): Record<string, string | Secret> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === "string" ? value : value.secret]),
  );
