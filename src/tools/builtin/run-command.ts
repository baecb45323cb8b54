import type { Draft, Tool } from "../../domain/call.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { Touch } from "../../domain/touch.ts";
import type { Programs } from "../../ports/programs.ts";
import { plainScript } from "../../shell/plain-line.ts";
import { readScript } from "../../shell/read-script.ts";
import { makeTool } from "../make-tool.ts";
import { planProgram } from "../sandboxed/plan-program.ts";
import { COMMAND_LIMITS, type ProgramPorts, runProgram } from "../sandboxed/run-program.ts";
import { withSandbox } from "../sandboxed/with-sandbox.ts";

const DEFINITION = {
  name: "run_command",
  description:
    "Runs a bash command line in the sandbox. Each command in it is judged by itself, also inside substitutions, scripts given to `bash -c`, and behind programs such as `env` or `xargs`.",
  source: "builtin",
  containment: "sandbox",
  effects: { subprocess: true },
  timeoutMs: LIMITS.commandTimeoutMs.default,
  inputSchema: {
    type: "object",
    properties: {
      command: {
        type: "string",
        minLength: 1,
        maxLength: LIMITS.shellCharacters.maximum,
        description: "what bash is given",
      },
      cwd: { type: "string", minLength: 1, description: "the folder to run it in; default: the workspace" },
      timeoutMs: {
        type: "integer",
        minimum: LIMITS.commandTimeoutMs.minimum,
        maximum: LIMITS.commandTimeoutMs.maximum,
        description: `how long it may take; default: ${LIMITS.commandTimeoutMs.default}`,
      },
      env: {
        type: "object",
        additionalProperties: { type: "string", maxLength: LIMITS.itemBytes.maximum, pattern: "^[^\\u0000]*$" },
        propertyNames: { pattern: "^[A-Za-z_][A-Za-z0-9_]*$" },
        maxProperties: LIMITS.repeatedItems.maximum,
        description: "variables for it, beside those that every command gets",
      },
      network: { type: "boolean", description: "whether it needs the network; default: no" },
      stdin: { type: "string", description: "what it can read from its standard input" },
    },
    required: ["command"],
    additionalProperties: false,
  },
} as const;

type RunInput = {
  readonly command: string;
  readonly cwd?: string;
  readonly timeoutMs?: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly network?: boolean;
  readonly stdin?: string;
};

export type ShellPorts = ProgramPorts & { readonly programs: Programs };

export function runCommandTool(ports: ShellPorts): Tool<RunInput> {
  const tool = makeTool<RunInput>({
    definition: DEFINITION,
    plan: ({ input }): Promise<Draft> =>
      planProgram(
        {
          rawCwd: input.cwd,
          timeoutMs: input.timeoutMs,
          reading: readScript(input.command, { environment: input.env ?? {} }),
          more: input.network === true ? [NETWORK] : [],
          argvOf: async (touches, cwd) =>
            (await plainArgv(input, touches, cwd, ports.programs)) ?? shellArgv(input.command),
        },
        ports,
      ),
    run: (call, signal) => {
      const { sandbox } = call.plan;
      if (sandbox === undefined) throw new TypeError("the plan of a command has a program");
      const { env = {}, stdin } = call.input;
      const [program = "", ...args] = sandbox.argv;
      const run = { argv: [program, ...args] as const, cwd: sandbox.cwd, env, limits: COMMAND_LIMITS };
      return runProgram(call, stdin === undefined ? run : { ...run, stdin }, ports, signal);
    },
  });
  return withSandbox(tool, ports.sandbox);
}

const shellArgv = (command: string): readonly [string, ...string[]] => [
  "/bin/bash",
  "--noprofile",
  "--norc",
  "-c",
  command,
];

/** Words and quotes, and nothing that the shell would do something with. */
const PLAIN = /^[\w@%+=:,./ \t'"-]+$/;

/** A line that needs no shell is started without one: what was judged is then what is started, word for word. */
async function plainArgv(
  { command }: RunInput,
  touches: readonly Touch[],
  cwd: string,
  programs: Programs,
): Promise<readonly [string, ...string[]] | null> {
  const [touch, ...others] = touches.filter(({ kind }) => kind === "exec");
  // `time ls` is a command of bash, of which the plan has `ls`.
  if (plainScript(command)?.commands[0]?.command.type !== "Plain") return null;
  if (!PLAIN.test(command) || touch?.kind !== "exec" || others.length > 0) return null;
  const { argv, program, origin, via, env } = touch;
  if (program === null || via !== undefined || origin === "shell" || argv.some(({ known }) => !known)) return null;
  // Variables of the call are given to the program by themselves; one in the line needs the shell.
  const isAssigned = env !== undefined && /^\s*\w+=/.test(command);
  if (isAssigned) return null;
  const [first = "", ...rest] = argv.map(({ text }) => text);
  const found = await programs.resolve(first, cwd);
  return found?.path === program ? [found.toolchain ? found.named : found.path, ...rest] : null;
}

const NETWORK = {
  kind: "unknown",
  reason: "the command asks for the network, and hosts are named by grants only",
} as const;
