import type { ApprovedCall } from "../../domain/call.ts";
import type { JsonObject } from "../../domain/json.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { Content } from "../../domain/outcome.ts";
import type { Secret } from "../../domain/secret.ts";
import type { Progress, RunResult } from "../../domain/tool.ts";
import type { Touch } from "../../domain/touch.ts";
import type { Blobs } from "../../ports/blobs.ts";
import type { Clock } from "../../ports/clock.ts";
import type { EgressLog } from "../../ports/egress.ts";
import type { CheckedPath, FileFault, Files } from "../../ports/files.ts";
import type { ProgramNetwork } from "../../ports/program-network.ts";
import type { ProgramName } from "../../ports/program-records.ts";
import type { Sandbox, SandboxCommand, SandboxLimits } from "../../ports/sandbox.ts";
import type { Trees } from "../../ports/trees.ts";
import type { Redactor } from "../../redact/redactor.ts";
import { failedResult } from "../builtin/file-plan.ts";
import { heldBackContent, heldBackFacts } from "./held-back-words.ts";
import { KeptOutput } from "./kept-output.ts";
import { layout } from "./layout.ts";
import { failureFrom } from "./program-end.ts";
import type { RunningPrograms } from "./running-programs.ts";
import type { Survey } from "./survey.ts";
import { type Keep, WholeOutput } from "./whole-output.ts";

/** What tools need that run programs. */
export interface ProgramPorts {
  readonly files: Files;
  readonly trees: Trees;
  readonly survey: Survey;
  readonly runningPrograms: RunningPrograms;
  readonly stateDir: string;
  readonly sandbox: Sandbox;
  readonly redactor: Redactor;
  readonly network: ProgramNetwork;
  readonly blobs: Pick<Blobs, "put">;
  readonly clock: Pick<Clock, "after">;
}

/** What a tool adds to what is in the sealed plan. */
export interface ProgramRun {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | Secret>>;
  readonly stdin?: string | Uint8Array;
  readonly ownFolder?: string;
  readonly limits: ProgramLimits;
  /** How its output is kept and shown, if not as that of every program. */
  readonly output?: ProgramOutput;
}

export interface ProgramOutput {
  /** Of each of the two, from the beginning. */
  readonly keptBytes: number;
  readonly shown: (kept: KeptOutputs, end: ProgramEnd) => readonly Content[];
}

export type KeptOutputs = Readonly<Record<"stdout" | "stderr", KeptOutput>>;

/** Its exit code, or that it was told to stop. */
export type ProgramEnd = number | "stopped" | "lost";

/** Those that the sandbox knows nothing of, too. */
export interface ProgramLimits extends SandboxLimits {
  /** Of both outputs together. Left out = as of every program. */
  readonly outputBytes?: number;
}

/** DESIGN, section 7: what real builds need. */
export const COMMAND_LIMITS: ProgramLimits & Readonly<Record<string, number>> = {
  fileBytes: LIMITS.commandFileBytes.default,
  memoryBytes: LIMITS.commandMemoryBytes.default,
  openFiles: LIMITS.commandOpenFiles.default,
  outputBytes: LIMITS.commandOutputBytes.default,
  privateBytes: LIMITS.commandPrivateBytes.default,
  tasks: LIMITS.commandTasks.default,
};

/** What brings a program to its proxy runs beside it, and must not be what the limits stop. */
const RELAY = { tasks: 24, memoryBytes: 256 * 1024 * 1024 };

const withRelay = (limits: SandboxLimits): SandboxLimits => ({
  ...limits,
  memoryBytes: limits.memoryBytes + RELAY.memoryBytes,
  ...(limits.tasks !== undefined && { tasks: limits.tasks + RELAY.tasks }),
});

/** What of a call its program depends on. */
export type ProgramCall = Pick<ApprovedCall, "plan" | "seal" | "project" | "callId" | "toolName" | "session" | "actor">;

const nameOf = ({ callId, toolName, project, session, actor }: ProgramCall): ProgramName => ({
  ...{ callId, project, actor },
  program: toolName,
  sessionId: session.id,
});

/** Runs the program of a sealed plan: sees what was granted, within its limits, its output streamed. */
export async function* runProgram(
  call: ProgramCall,
  run: ProgramRun,
  ports: ProgramPorts,
  signal: AbortSignal,
): AsyncGenerator<Progress, RunResult, void> {
  const { plan, seal, project } = call;
  const changed = await firstChanged(plan.operands, ports.files);
  if (changed !== null) return failedResult(changed);
  const laid = await layout({ grant: seal.grant, plan, name: nameOf(call) }, ports);
  if (!laid.ok) return failedResult(laid.fault);
  await using view = laid.value;
  const { noConnect } = seal.grant;
  const connect = [...seal.grant.connect, ...plan.touches.flatMap(judgedHost)];
  const isHeld = plan.sandbox?.report.backend === "namespaces";
  await using way = connect.length > 0 && isHeld ? await ports.network.open(connect, noConnect) : null;
  const command: SandboxCommand = {
    ...run,
    ...(way && {
      argv: way.wrapped(run.argv),
      env: { ...way.env, ...run.env },
      proxySocket: way.socketPath,
      hosts: way.hosts,
      limits: withRelay(run.limits),
    }),
    mounts: way === null ? view.mounts : [...view.mounts, { kind: "installed", ...way.installed }],
    view: "system",
    ...(view.areSocketsCovered && { unixSockets: "allowed" as const }),
    termGraceMs: LIMITS.commandTermMs.default,
  };
  const program = ports.sandbox.start(command, signal);
  const kept = { stdout: keptOutput(run, ports), stderr: keptOutput(run, ports) };
  using whole = run.output === undefined ? new WholeOutput(keepIn(project, ports)) : null;
  using _givingUp = soonAfter(signal, ports.clock, () => whole?.giveUp());
  const { outputBytes = LIMITS.commandOutputBytes.default } = run.limits;
  let isFlood = false;
  const decoder = { stdout: new TextDecoder(), stderr: new TextDecoder() };
  for await (const { from, bytes } of program.chunks) {
    for await (const part of ports.redactor.inSlices(bytes)) {
      for (const clean of kept[from].push(part)) {
        whole?.push(clean);
        yield { message: decoder[from].decode(clean, { stream: true }), from };
      }
    }
    if (kept[from].isOver) whole?.begin();
    if (whole?.isBehind) await whole.ready();
    if (kept.stdout.bytes + kept.stderr.bytes > outputBytes) {
      isFlood = true;
      program.stop();
    }
  }
  const end = await program.ended;
  // INVARIANT (closed at every depth): before the result is handed out.
  const heldBack = await view.end();
  const connections = way && (await way.ended());
  for (const from of ["stdout", "stderr"] as const) {
    const rest = kept[from].end();
    whole?.push(rest);
    if (kept[from].isOver) whole?.begin();
    if (rest.length > 0) yield { message: decoder[from].decode(rest), from };
  }
  const blob = whole === null ? null : await whole.end();
  if (end.kind === "refused") return failedResult(end.fault);
  const printed = run.output?.shown(kept, end.kind === "exited" ? end.exitCode : end.kind) ?? [
    ...kept.stdout.content("stdout", blob),
    ...kept.stderr.content("stderr", blob),
  ];
  const content: readonly Content[] = [...printed, ...heldBackContent(heldBack, ports.files)];
  const isCut = whole !== null && (kept.stdout.isOver || kept.stderr.isOver);
  const cut = isCut ? { truncated: { bytes: whole.bytes, blob } } : {};
  if (isFlood)
    return { ...failed("LIMIT_OUTPUT", `the program printed more than ${outputBytes} bytes`, content), ...cut };
  if (end.kind === "stopped") return { kind: "stopped", content, ...cut };
  if (end.kind === "lost") return { ...failed("TOOL_FAILED", "the program was ended from outside", content), ...cut };
  // What went wrong is said at the end, and the sandbox keeps the beginning only.
  const failure = failureFrom({ ...end, errorText: end.errorText + kept.stderr.endText() }, run.limits);
  const structured = {
    exitCode: end.exitCode,
    stdout: kept.stdout.facts(),
    stderr: kept.stderr.facts(),
    ...(connections && { network: connectionsOf(connections) }),
    ...heldBackFacts(heldBack, ports.files),
  };
  return failure === null
    ? { kind: "completed", content, structured, exitCode: 0, ...cut }
    : {
        kind: "failed",
        error: { ...failure, detail: { ...structured, ...(failure.detail as object) } },
        content,
        ...cut,
      };
}

const keptOutput = ({ output }: ProgramRun, { redactor }: ProgramPorts): KeptOutput =>
  output === undefined
    ? new KeptOutput(redactor.redactStream(), LIMITS.commandKeptBytes.default)
    : new KeptOutput(redactor.redactStream(), output.keptBytes, 0);

const keepIn =
  (project: string, { blobs }: ProgramPorts): Keep =>
  async (content) => {
    const stored = await blobs.put(project, content);
    return stored.ok ? stored.value.hash : null;
  };

/** A program that is told to stop says a lot in its last moment, but its end does not wait for a disk that takes nothing. */
function soonAfter(signal: AbortSignal, clock: ProgramPorts["clock"], giveUp: () => void): Disposable {
  let disarm = () => {};
  const arm = () => {
    disarm = clock.after(LIMITS.commandKeepMs.default, giveUp);
  };
  if (signal.aborted) arm();
  else signal.addEventListener("abort", arm, { once: true });
  return {
    [Symbol.dispose]: () => {
      signal.removeEventListener("abort", arm);
      disarm();
    },
  };
}

/** A host that the command itself names was judged by that name. */
const judgedHost = (touch: Touch): readonly string[] =>
  touch.kind === "connect" ? [`${touch.host.includes(":") ? `[${touch.host}]` : touch.host}:${touch.port}`] : [];

/** Every connection that was tried, and what became of it. */
const connectionsOf = ({ connections, unlisted }: EgressLog): JsonObject => ({
  connections: connections.map((one) => ({ ...one })),
  unlisted,
});

const failed = (code: "LIMIT_OUTPUT" | "TOOL_FAILED", message: string, content: readonly Content[]) => ({
  kind: "failed" as const,
  error: { code, message, retryable: false },
  content,
});

/** INVARIANT (judged = run): programs and scripts that were hashed for the plan are hashed again before they start. */
async function firstChanged(operands: ApprovedCall["plan"]["operands"], files: Files): Promise<FileFault | null> {
  for (const { path, before } of operands) {
    const now = await files.digest(path as CheckedPath);
    if (!now.ok) return now.fault;
    if (now.value !== before)
      return {
        code: "CONFLICT",
        message: `\`${files.shown(path)}\` changed since it was judged`,
        hint: "repeat the call",
      };
  }
  return null;
}
