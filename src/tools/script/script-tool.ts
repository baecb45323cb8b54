import { randomBytes } from "node:crypto";
import { type ApprovedCall, type Draft, refuse, type Tool } from "../../domain/call.ts";
import { type Digest, digestOf } from "../../domain/digest.ts";
import { isoTime } from "../../domain/iso-time.ts";
import type { JsonObject, JsonValue } from "../../domain/json.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { Content, Refusal } from "../../domain/outcome.ts";
import { type ErrorProfile, type ScriptTool, templateParameter } from "../../domain/script-tool.ts";
import type { Progress, RunResult } from "../../domain/tool.ts";
import { quoted } from "../../domain/visible.ts";
import type { Notes } from "../../ports/notes.ts";
import type { Programs } from "../../ports/programs.ts";
import type { SandboxLimits } from "../../ports/sandbox.ts";
import { byName } from "../../shell/check-pieces.ts";
import { checkTemplate } from "../../shell/check-template.ts";
import { readScript } from "../../shell/read-script.ts";
import { makeTool } from "../make-tool.ts";
import { planProgram } from "../sandboxed/plan-program.ts";
import { type ProgramPorts, runProgram } from "../sandboxed/run-program.ts";
import { withSandbox } from "../sandboxed/with-sandbox.ts";
import { allowedFolders, cutToFolders, notAllowedCommand, notAllowedPath } from "./allowed.ts";
import { delayBefore } from "./backoff.ts";
import { Breaker } from "./breaker.ts";
import { scriptDefinition } from "./definition.ts";
import { lateFailure, mappedFailure } from "./error-mapping.ts";
import { type OddValue, optionValue } from "./option-values.ts";
import { ownFolderOf, withoutOwnFiles } from "./own-folder.ts";
import { mayMiss, prelude } from "./prelude.ts";
import { ResultCache } from "./result-cache.ts";
import { textErrors, withDefaults } from "./script-input.ts";
import { type FilledScript, ScriptTemplate } from "./script-template.ts";

export interface ScriptPorts extends ProgramPorts {
  readonly programs: Programs;
  readonly nowMs: () => number;
  readonly random: () => number;
  readonly notes: Notes;
  readonly profile: ErrorProfile;
}

/** What the launcher itself opens: the tool's own limit is set once it is there. */
const LAUNCH_FILES_MIN = 64;

/** A tool made of a bash template. INVARIANT (bound): no value is ever a part of the text that bash reads. */
export function scriptTool(tool: ScriptTool, ports: ScriptPorts): Tool {
  const parameters = tool.parameters.map(templateParameter);
  const checked = checkTemplate(tool.script, parameters, tool.dataFor);
  if (!checked.ok) throw new TypeError(`tool \`${tool.id}\`: ${checked.problems[0]?.message}`);
  const template = new ScriptTemplate(checked.template, byName(parameters), tool.dataFor);
  const { id, retry } = tool;
  const { notes, nowMs, random } = ports;
  const { timeoutMs } = tool.sandbox;
  const breaker = tool.breaker && new Breaker({ id, policy: tool.breaker, timeoutMs, notes, nowMs });
  const cache = tool.caching && new ResultCache({ id, policy: tool.caching, notes, nowMs });
  const made = makeTool({
    definition: scriptDefinition(tool, checked.undeclared),
    plan: ({ input }) => planScript(tool, template.fill(input), ports),
    run: (call, signal) =>
      kept(call, signal, { breaker, cache }, () => runScript(tool, call, template.fill(call.input), ports, signal)),
  });
  return withSandbox(
    {
      ...made,
      ...(retry !== null && {
        retry: { attemptsMax: retry.attempts, delayMs: (attempt: number) => delayBefore(attempt, retry, random) },
      }),
      ...(breaker !== null && { admit: () => breaker.admit() }),
      definitionDigest: digestOfTool(tool, made.definitionDigest),
      coerce: (input) => made.coerce(withDefaults(input, tool.parameters)),
      check: (input) => [...made.check(input), ...textErrors(input)],
    },
    ports.sandbox,
    () => breaker?.refusal() ?? null,
  );
}

interface Kept {
  readonly breaker: Breaker | null;
  readonly cache: ResultCache | null;
}

/** A result that is known already, or the run, of which breaker and cache hear. */
async function* kept(
  call: ApprovedCall,
  signal: AbortSignal,
  { breaker, cache }: Kept,
  run: () => AsyncGenerator<Progress, RunResult, void>,
): AsyncGenerator<Progress, RunResult, void> {
  const key = cache?.keyOf(call) ?? "";
  const known = cache?.find(key) ?? null;
  if (known !== null) {
    breaker?.unused();
    return { ...known, cached: true };
  }
  const result = yield* run();
  const isLate = result.kind === "stopped" && signal.reason?.name === "TimeoutError";
  if (result.kind === "completed") breaker?.ended("well");
  else if (isLate || (result.kind === "failed" && RAN_BADLY.test(result.error.code))) breaker?.ended("badly");
  if (result.kind === "completed") cache?.keep(key, result);
  return result;
}

/** What is the caller's doing, or the gate's, says nothing about the tool. */
const RAN_BADLY = /^(?:TOOL_FAILED|TIMEOUT|LIMIT_\w+)$/;

/** All that the file says is part of what is judged; secrets enter by the names that they are known by. */
const digestOfTool = (tool: ScriptTool, definition: Digest): Digest =>
  digestOf({
    ...(JSON.parse(JSON.stringify(tool)) as JsonObject),
    errorMapping: JSON.parse(JSON.stringify([...tool.errorMapping])) as JsonValue,
    definition,
  });

async function planScript(tool: ScriptTool, filled: FilledScript, ports: ScriptPorts): Promise<Draft> {
  if (!filled.ok) return refuse(unsafe(filled));
  const odd = optionValue(filled, tool.parameters);
  if (odd !== null) return refuse(asOption(odd));
  const { sandbox } = tool;
  const reading = readScript(filled.script.text, { slots: filled.values });
  const ownFolder = ownFolderOf(sandbox, tool.id);
  const drafted = await planProgram(
    {
      rawCwd: sandbox.workingDirectory,
      ...(ownFolder !== null && { ownFolder }),
      timeoutMs: sandbox.timeoutMs,
      limits: limitsOf(tool),
      reading: ownFolder === null ? reading : withoutOwnFiles(reading, ownFolder),
      more: [],
      argvOf: async () => argvOf(tool, filled.script.text),
    },
    ports,
  );
  if (drafted.kind === "refuse") return drafted;
  const { touches } = drafted.plan;
  const refusal = await notAllowed(tool, touches, ports);
  if (refusal !== null) return refuse(refusal);
  return sandbox.requiresConfirmation
    ? { kind: "drafted", plan: { ...drafted.plan, confirm: confirmation(tool) } }
    : drafted;
}

async function notAllowed(
  { sandbox }: ScriptTool,
  touches: Parameters<typeof notAllowedCommand>[0],
  { files }: ScriptPorts,
): Promise<Refusal | null> {
  const { allowedCommands, allowedPaths } = sandbox;
  const command = allowedCommands === null ? null : notAllowedCommand(touches, allowedCommands);
  if (command !== null || allowedPaths === null) return command;
  return notAllowedPath(touches, await allowedFolders(allowedPaths, files), files);
}

const confirmation = ({ title, sandbox: { confirmationMessage } }: ScriptTool): string =>
  confirmationMessage === "" ? `the tool ${quoted(title)} wants to be confirmed` : confirmationMessage;

const limitsOf = ({ sandbox: { limits } }: ScriptTool): SandboxLimits & Readonly<Record<string, number>> => ({
  cpuSeconds: limits.cpuSeconds,
  fileBytes: limits.fileBytes,
  memoryBytes: limits.memoryBytes,
  openFiles: Math.max(limits.openFiles, LAUNCH_FILES_MIN),
  privateBytes: Math.min(LIMITS.scriptPrivateBytes.default, limits.memoryBytes),
  tasks: limits.processes,
});

const argvOf = (tool: ScriptTool, text: string): readonly [string, ...string[]] => [
  "/bin/bash",
  "--noprofile",
  "--norc",
  ...(tool.bashOptions === "" ? [] : [tool.bashOptions]),
  "-c",
  // On the script's own first line, so that bash names the lines as their author does.
  `${prelude({ openFiles: tool.sandbox.limits.openFiles, mark: mayMiss(text), perCall: perCallOf(tool) })}; ${text}`,
];

async function* runScript(
  tool: ScriptTool,
  call: ApprovedCall,
  filled: FilledScript,
  ports: ScriptPorts,
  signal: AbortSignal,
): AsyncGenerator<Progress, RunResult, void> {
  const { sandbox } = call.plan;
  if (sandbox === undefined || !filled.ok) throw new TypeError("the plan of a script has a program");
  const mark = randomBytes(16).toString("hex");
  const perCall = perCallOf(tool).map((name) => PER_CALL[name](call, ports));
  const values = [...filled.values, ...perCall, ...(mayMiss(filled.script.text) ? [mark] : [])];
  const [program = "", ...args] = sandbox.argv;
  const own = ownFolderOf(tool.sandbox, tool.id);
  const ownFolder = own !== null && tool.sandbox.tempIsolation ? `${own}_${randomBytes(4).toString("hex")}` : own;
  const run = {
    argv: [program, ...args] as const,
    cwd: sandbox.cwd,
    ...(ownFolder !== null && { ownFolder }),
    env: environmentOf(tool, call, ownFolder ?? sandbox.cwd),
    limits: limitsOf(tool),
    stdin: values.map((value) => `${value}\0`).join(""),
  };
  const folders = tool.sandbox.allowedPaths && (await allowedFolders(tool.sandbox.allowedPaths, ports.files));
  const grant = folders === null ? call.seal.grant : cutToFolders(call.seal.grant, folders, call.plan.workspace);
  const seal = { digest: call.seal.digest, rulesHash: call.seal.rulesHash, grant };
  const result = yield* runProgram({ ...call, seal }, run, ports, signal);
  return ended(tool, call.input, result, mark, ports.profile);
}

/** Variables of the seed that are another for each call. */
const PER_CALL = {
  TASK_ID: ({ callId }: ApprovedCall) => callId,
  EXECUTION_TIMESTAMP: (_: ApprovedCall, { nowMs }: ScriptPorts) => isoTime(nowMs()),
} as const;

/** Those that the tool's author has not given a value of their own. */
const perCallOf = ({ sandbox: { environment } }: ScriptTool): readonly (keyof typeof PER_CALL)[] =>
  (["TASK_ID", "EXECUTION_TIMESTAMP"] as const).filter((name) => !Object.hasOwn(environment, name));

function environmentOf(tool: ScriptTool, call: ApprovedCall, folder: string) {
  return {
    TOOL_ID: tool.id,
    TOOL_NAME: tool.title,
    SESSION_ID: call.session.id,
    USER_ID: call.actor,
    TOOL_WORKING_DIR: folder,
    TMPDIR: tool.sandbox.tempIsolation ? folder : "/tmp",
    TEMP: tool.sandbox.tempIsolation ? folder : "/tmp",
    ...tool.sandbox.environment,
  };
}

function ended(tool: ScriptTool, input: JsonObject, result: RunResult, mark: string, profile: ErrorProfile): RunResult {
  if (result.kind === "stopped") return { ...result, late: lateFailure(tool, profile) };
  if (result.kind !== "failed") return result;
  const [missing, content] = missingIn(result.content, mark);
  const failure =
    missing === null
      ? result.error
      : {
          code: "TEMPLATE_MISSING_VALUE" as const,
          message: `the script got to \`${missing}\`, which was not given`,
          retryable: false,
        };
  return { ...result, ...mappedFailure(failure, { tool, input, profile, content }) };
}

/** The marked line, which only the gate's own part of the script can have written, and what is left without it. */
function missingIn(content: readonly Content[], mark: string): readonly [string | null, readonly Content[]] {
  let missing: string | null = null;
  const rest = content.flatMap((item): readonly Content[] => {
    if (item.type !== "text" || !item.text.includes(mark)) return [item];
    missing = item.text.slice(item.text.indexOf(mark) + mark.length + 1).split("\n", 1)[0] ?? "";
    const text = item.text.replace(new RegExp(`${mark} .*\n?`), "");
    return text === "[stderr]\n" ? [] : [{ ...item, text }];
  });
  return [missing, rest];
}

const unsafe = ({ slot, why, fix }: Extract<FilledScript, { ok: false }>): Refusal => ({
  code: slot === null ? "INVALID_ARGUMENTS" : "TEMPLATE_UNSAFE_SLOT",
  stage: "plan",
  message: slot === null ? why : `\`{{${slot.name}}}\` can't stand where it does with these arguments: ${why}`,
  hint: fix,
});

const asOption = ({ parameter, why, fix }: OddValue): Refusal => ({
  code: "ARG_OPTION_INJECTION",
  stage: "plan",
  message: `\`${parameter}\` ${why}`,
  hint: fix,
});
