import type { CallFacts } from "../../domain/call-facts.ts";
import type { Grant } from "../../domain/plan.ts";
import { quoted } from "../../domain/visible.ts";
import type { Programs } from "../../ports/programs.ts";
import type { Mount, SandboxCommand, SandboxedProgram } from "../../ports/sandbox.ts";
import type { OperatorGrant } from "../../rules/grant.ts";
import type { RuleSet } from "../../rules/rule-set.ts";
import { layout } from "../sandboxed/layout.ts";
import { COMMAND_LIMITS, type ProgramPorts } from "../sandboxed/run-program.ts";
import { type OperatorFault, operatorFault } from "./operator-fault.ts";

export interface StartPorts extends Omit<ProgramPorts, "blobs" | "clock" | "redactor"> {
  readonly programs: Programs;
  readonly rules: () => Pick<RuleSet, "judge" | "operatorGrant">;
}

/** A program that the operator wants started: by no call, and so judged with none. */
export interface OperatorProgram extends Required<Pick<SandboxCommand, "cwd" | "env" | "stdin" | "termGraceMs">> {
  /** The program as the operator names it. */
  readonly command: string;
  readonly args: readonly string[];
  readonly grant: OperatorGrant;
  /** What the rules are asked with that may keep a part of the grant closed. */
  readonly facts: CallFacts;
  /** Of the installation, what only this program is to find. Left out = nothing. */
  readonly installed?: readonly Extract<Mount, { kind: "installed" }>[];
  /** How it gets to the gate. Left out = not at all. */
  readonly callSocket?: string;
}

export interface StartedProgram {
  readonly program: SandboxedProgram;
  /** What it was started with, for the ledger. No value of the environment is in it. */
  readonly grant: Grant;
  readonly argv: readonly string[];
}

/**
 * Starts it in the sandbox, with a grant that is fixed by its start. `told` is asked before anything runs, and may say
 * why it must not: what the ledger does not know of is not started.
 */
export async function startProgram<Fault extends { readonly code: string }>(
  { command, args, cwd, env, grant: given, facts, stdin, termGraceMs, installed = [], callSocket }: OperatorProgram,
  ports: StartPorts,
  told: (start: Pick<StartedProgram, "grant" | "argv">) => Promise<Fault | null>,
  signal: AbortSignal,
): Promise<StartedProgram | OperatorFault | Fault> {
  const found = await ports.programs.resolve(command, cwd);
  if (found === null)
    return operatorFault("SPAWN_FAILED", `there is no program ${quoted(command)}`, "install it, or correct `command`");
  const argv = [found.toolchain ? found.named : found.path, ...args] as const;
  const isInSandbox = ports.sandbox.report().backend === "namespaces";
  const { grant: asDenied, spoken } = ports.rules().operatorGrant(given, facts);
  const grant = isInSandbox ? withGit(asDenied, given, facts, ports) : asDenied;
  const [kept] = spoken;
  if (kept !== undefined)
    return operatorFault(
      "SPAWN_FAILED",
      `the rule \`${kept.ruleId}\` can't be decided for all that it was granted`,
      "grant less",
    );
  const { tool: program, project, actor, session } = facts;
  const name = { program, project, actor, sessionId: session.id, callId: null };
  const laid = await layout({ grant, plan: { workspace: ports.files.workspace, touches: [] }, name }, ports);
  if (!laid.ok) return operatorFault("SPAWN_FAILED", laid.fault.message, laid.fault.hint);
  await using stack = new AsyncDisposableStack();
  stack.use(laid.value);
  const refused = await told({ grant, argv });
  if (refused !== null) return refused;
  const wayOut =
    grant.connect.length > 0 && isInSandbox ? await ports.network.open(grant.connect, grant.noConnect) : null;
  stack.use(wayOut);
  const mounts = isInSandbox ? [...laid.value.mounts, ...installed] : laid.value.mounts;
  const started = ports.sandbox.start(
    {
      argv: wayOut ? wayOut.wrapped(argv) : argv,
      cwd,
      env: wayOut ? { ...wayOut.env, ...env } : env,
      ...(callSocket !== undefined && { callSocket }),
      ...(wayOut && { proxySocket: wayOut.socketPath, hosts: wayOut.hosts }),
      mounts: wayOut ? [...mounts, { kind: "installed", ...wayOut.installed }] : mounts,
      limits: COMMAND_LIMITS,
      view: "system",
      ...(laid.value.areSocketsCovered && { unixSockets: "allowed" as const }),
      stdin,
      termGraceMs,
    },
    signal,
  );
  const held = stack.move();
  // INVARIANT (closed at every depth): its end is reported only after what it made at closed places was taken away.
  const ended = started.ended.finally(() => held.disposeAsync());
  return { program: { ...started, ended }, grant, argv };
}

/** What of a repository no program changes, whatever lets it commit: hooks, and what names programs or leads elsewhere. */
const NOT_BY_GIT = ["hooks/**", "config", "config.worktree", "info/attributes", "modules/**"].map(
  (name) => `./**/.git/${name}`,
);

/**
 * Rules that keep all of `.git` from tools don't speak about git itself, and in the sandbox it is git that writes there. So where the
 * rules let this program commit, what they close only for tools of its kind, and only in repositories, is open to it.
 */
function withGit(grant: Grant, given: OperatorGrant, facts: CallFacts, { rules, files }: StartPorts): Grant {
  const commit = { kind: "git", operation: "COMMIT", arguments: [], repository: files.workspace } as const;
  if (grant.write.length === 0 || rules().judge(commit, facts).effect !== "allow") return grant;
  const inSandbox = new Set(rules().operatorGrant(given, { ...facts, containment: "sandbox" }).grant.readOnly);
  const isOfTools = (pattern: string) => pattern.endsWith("/.git/**") && !inSandbox.has(pattern);
  const readOnly = grant.readOnly.filter((pattern) => !isOfTools(pattern));
  if (readOnly.length === grant.readOnly.length) return grant;
  return { ...grant, readOnly: [...new Set([...readOnly, ...NOT_BY_GIT])].sort() };
}
