import type { CallFacts } from "../../domain/call-facts.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { Grant } from "../../domain/plan.ts";
import type { Secret } from "../../domain/secret.ts";
import type { UpstreamSpec, UpstreamValue, UpstreamWay } from "../../domain/upstream.ts";
import { quoted } from "../../domain/visible.ts";
import { webUrlFrom } from "../../domain/web-target.ts";
import type { Programs } from "../../ports/programs.ts";
import type { SandboxedProgram } from "../../ports/sandbox.ts";
import { compileConnectPattern } from "../../rules/connect-pattern.ts";
import type { RuleSet } from "../../rules/rule-set.ts";
import { layout } from "../sandboxed/layout.ts";
import { COMMAND_LIMITS, type ProgramPorts } from "../sandboxed/run-program.ts";
import { fault, type UpstreamFault } from "./upstream-fault.ts";

export interface StartPorts extends Omit<ProgramPorts, "redactor"> {
  readonly programs: Programs;
  readonly rules: () => Pick<RuleSet, "operatorGrant">;
  readonly facts: (upstream: UpstreamSpec) => CallFacts;
}

export interface StartedProgram {
  readonly program: SandboxedProgram;
  /** What it was started with, for the ledger. No value of the environment is in it. */
  readonly grant: Grant;
  readonly argv: readonly string[];
}

type Stdio = Extract<UpstreamWay, { kind: "stdio" }>;

/**
 * Starts an upstream's program in the sandbox, with a grant that is fixed by its start. `told` is asked before anything
 * runs: what the ledger does not know of is not started.
 */
export async function startProgram(
  spec: UpstreamSpec & { readonly way: Stdio },
  ports: StartPorts,
  told: (start: Pick<StartedProgram, "grant" | "argv">) => Promise<UpstreamFault | null>,
  signal: AbortSignal,
): Promise<StartedProgram | UpstreamFault> {
  const { way } = spec;
  const found = await ports.programs.resolve(way.command, way.cwd);
  if (found === null)
    return fault("SPAWN_FAILED", `there is no program ${quoted(way.command)}`, "install it, or correct `command`");
  const argv = [found.toolchain ? found.named : found.path, ...way.args] as const;
  const { grant, spoken } = ports.rules().operatorGrant(spec.grant, ports.facts(spec));
  const [kept] = spoken;
  if (kept !== undefined)
    return fault(
      "SPAWN_FAILED",
      `the rule \`${kept.ruleId}\` can't be decided for all that it was granted`,
      "grant less",
    );
  const laid = await layout({ grant, plan: { workspace: ports.files.workspace, touches: [] } }, ports);
  if (!laid.ok) return fault("SPAWN_FAILED", laid.fault.message, laid.fault.hint);
  const refused = await told({ grant, argv });
  if (refused !== null) {
    laid.value[Symbol.dispose]();
    return refused;
  }
  const isHeld = ports.sandbox.report().backend === "namespaces";
  const wayOut = grant.connect.length > 0 && isHeld ? await ports.network.open(grant.connect, grant.noConnect) : null;
  const env = environmentOf(way.env);
  const program = ports.sandbox.start(
    {
      argv: wayOut ? wayOut.wrapped(argv) : argv,
      cwd: way.cwd,
      env: wayOut ? { ...wayOut.env, ...env } : env,
      ...(wayOut && { proxySocket: wayOut.socketPath, hosts: wayOut.hosts }),
      mounts: wayOut ? [...laid.value.mounts, { kind: "installed", ...wayOut.installed }] : laid.value.mounts,
      limits: COMMAND_LIMITS,
      view: "system",
      stdin: { kind: "open" },
      termGraceMs: LIMITS.commandTermMs.default,
    },
    signal,
  );
  void program.ended.then(async () => {
    laid.value[Symbol.dispose]();
    await wayOut?.[Symbol.asyncDispose]();
  });
  return { program, grant, argv };
}

const environmentOf = (values: Readonly<Record<string, UpstreamValue>>): Record<string, string | Secret> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === "string" ? value : value.secret]),
  );

/** The operator has named the host of an address; a rule that denies it, or would ask about it, is the stricter word. */
export function closedByRule(
  url: string,
  rules: Pick<RuleSet, "operatorGrant">,
  facts: CallFacts,
): UpstreamFault | null {
  const parsed = webUrlFrom(url);
  if (!parsed.ok) return fault("CONNECT_FAILED", `its address can't be asked for: ${parsed.because}`);
  const { host, port } = parsed.value;
  const subject = `${host.includes(":") ? `[${host}]` : host}:${port}`;
  const { grant, spoken } = rules.operatorGrant({ read: [], write: [], connect: [subject] }, facts);
  const isClosed = grant.noConnect.some((text) => {
    const pattern = compileConnectPattern(text);
    return "error" in pattern || pattern.matches(`${host}:${port}`);
  });
  return isClosed || spoken.length > 0
    ? fault("CONNECT_FAILED", `a rule keeps \`${subject}\` closed`, "allow it, or take the server out")
    : null;
}
