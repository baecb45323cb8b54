import type { Leaf } from "../../atip/leaf.ts";
import type { AtipTool } from "../../atip/metadata.ts";
import { asScript } from "../../domain/as-script.ts";
import { openAtipGate } from "../../wiring/atip-gate.ts";
import { AtipExecuteError, TimeoutError } from "./errors.ts";
import { CommandMap } from "./mapping.ts";
import { settled } from "./outcome-error.ts";
import { limitsOf } from "./settings.ts";
import type { CommandMapping, ExecutionOptions, ExecutionResult } from "./types.ts";

const NAME = "command";
const TOOL: AtipTool = { atip: "0.6", name: NAME, version: "0", description: "One command", trust: { source: "user" } };
const POLICY = { allowDestructive: true } as const;

/**
 * Runs one command of the caller's own: words, or with `shell` a line that bash is given and the command reader reads. In
 * the sandbox and recorded, like every call. What can't be read, and what needs more than `grant` says, does not run.
 */
export async function executeCommand(
  command: readonly string[] | string,
  options: ExecutionOptions = {},
): Promise<ExecutionResult> {
  const limits = limitsOf(options);
  const words = wordsOf(command, options.shell === true);
  const leaf = leafOf(words);
  const { cwd = process.cwd(), env = {}, grant = {}, stateDir, onStdout, onStderr } = options;
  const gate = openAtipGate({
    sets: [{ tool: TOOL, leaves: [leaf] }],
    policy: POLICY,
    timeoutMs: limits.timeout,
    outputBytes: limits.maxOutputSize,
    redaction: "on",
    shell: false,
    approver: { ask: async () => ({ kind: "reject", who: "toolgate/atip" }) },
    ...{ cwd, env, grant },
    ...(stateDir !== undefined && { stateDir }),
  });
  try {
    const outcome = await gate.call(
      { tool: NAME, input: {} },
      { onProgress: ({ message, from }) => (from === "stderr" ? onStderr?.(message) : onStdout?.(message)) },
    );
    const about = { command: words, toolCallId: "", toolName: NAME, limits };
    const context = {
      toolName: NAME,
      command: words,
      arguments: {},
      reasons: [],
      effects: leaf.effects,
      trust: "user",
    } as const;
    const result = await settled(
      outcome,
      { mapping: mappingOf(leaf), about, policy: POLICY, context, clean: (text) => text },
      gate,
    );
    if (result instanceof TimeoutError) return result.result;
    if (result instanceof AtipExecuteError) throw result;
    return result;
  } finally {
    await gate.close();
  }
}

function wordsOf(command: readonly string[] | string, shell: boolean): readonly [string, ...string[]] {
  if (typeof command === "string") {
    if (!shell)
      throw new AtipExecuteError("INVALID_OPTION", "a line needs `shell: true`; without a shell, give a list of words");
    return ["bash", "--noprofile", "--norc", "-c", command];
  }
  const [program, ...rest] = command;
  if (program === undefined) throw new AtipExecuteError("INVALID_OPTION", "there is no command");
  // INVARIANT (values never become code): only a line is the caller's script; a list is words, whoever reads them.
  return shell ? ["bash", "--noprofile", "--norc", "-c", asScript(command)] : [program, ...rest];
}

/** Network and writing are what `grant` says, and nothing by itself. */
const leafOf = ([program, ...path]: readonly [string, ...string[]]): Leaf => ({
  name: NAME,
  description: TOOL.description,
  program,
  path,
  globals: [],
  options: [],
  arguments: [],
  effects: { network: false, filesystem: { write: false } },
  endOfOptions: false,
});

function mappingOf(leaf: Leaf): CommandMapping {
  const mapping = new CommandMap([TOOL], "_").find(NAME);
  if (mapping === null) throw new TypeError("the tool has one command");
  return { ...mapping, leaf, baseCommand: [leaf.program, ...leaf.path] };
}
