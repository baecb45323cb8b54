import { type Draft, refuse, type Tool } from "../../domain/call.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { Refusal } from "../../domain/outcome.ts";
import { quoted } from "../../domain/visible.ts";
import { readScript } from "../../shell/read-script.ts";
import { makeTool } from "../make-tool.ts";
import { planProgram } from "../sandboxed/plan-program.ts";
import { COMMAND_LIMITS, runProgram } from "../sandboxed/run-program.ts";
import { withSandbox } from "../sandboxed/with-sandbox.ts";
import type { ShellPorts } from "./run-command.ts";

const SECONDS_MAX = LIMITS.commandTimeoutMs.maximum / 1000;

const DEFINITION = {
  name: "execute_command",
  description: "Runs one program with exactly these arguments in the sandbox. No shell reads them.",
  source: "builtin",
  containment: "sandbox",
  effects: { subprocess: true },
  timeoutMs: LIMITS.commandTimeoutMs.default,
  inputSchema: {
    type: "object",
    properties: {
      command: { type: "string", minLength: 1, maxLength: LIMITS.pathBytes.maximum, description: "the program" },
      args: {
        type: "array",
        maxItems: LIMITS.repeatedItems.maximum,
        items: { type: "string", maxLength: LIMITS.itemBytes.maximum },
        description: "its arguments, each as it is",
      },
      cwd: { type: "string", minLength: 1, description: "the folder to run it in; default: the workspace" },
      timeout: { type: "integer", minimum: 1, maximum: SECONDS_MAX, description: "how many seconds it may take" },
    },
    required: ["command"],
    additionalProperties: false,
  },
} as const;

type ExecuteInput = {
  readonly command: string;
  readonly args?: readonly string[];
  readonly cwd?: string;
  readonly timeout?: number;
};

/** As bash would read it, if it were given each word in quotes: so that what `env` or `sh -c` carries is judged as well. */
const asScript = ({ command, args = [] }: ExecuteInput): string =>
  [command, ...args].map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(" ");

export function executeCommandTool(ports: ShellPorts): Tool<ExecuteInput> {
  const tool = makeTool<ExecuteInput>({
    definition: DEFINITION,
    plan: async ({ input }): Promise<Draft> => {
      if ([input.command, ...(input.args ?? [])].some((word) => word.includes("\0"))) return refuse(NUL_INSIDE);
      const reading = readScript(asScript(input));
      // No shell runs it, so none of the shell's own commands is meant.
      const commands = reading.commands.map((command) => ({ ...command, external: true }));
      const { files, connections, unknown, tooComplex } = reading;
      return planProgram(
        {
          rawCwd: input.cwd,
          timeoutMs: input.timeout === undefined ? undefined : input.timeout * 1000,
          reading: { commands, files, connections, unknown, tooComplex, functions: new Set() },
          more: [],
          argvOf: async (_, cwd) => {
            const found = await ports.programs.resolve(input.command, cwd);
            if (found === null) return notFound(input.command);
            return [found.toolchain ? found.named : found.path, ...(input.args ?? [])];
          },
        },
        ports,
      );
    },
    run: (call, signal) => {
      const { sandbox } = call.plan;
      if (sandbox === undefined) throw new TypeError("the plan of a command has a program");
      const [program = "", ...args] = sandbox.argv;
      const run = { argv: [program, ...args] as const, cwd: sandbox.cwd, env: {}, limits: COMMAND_LIMITS };
      return runProgram(call, run, ports, signal);
    },
  });
  return withSandbox(tool, ports.sandbox);
}

const NUL_INSIDE: Refusal = {
  code: "INVALID_ARGUMENTS",
  stage: "plan",
  message: "an argument holds a NUL, which no program can be given",
};

const notFound = (command: string): Refusal => ({
  code: "FILE_NOT_FOUND",
  stage: "plan",
  message: `there is no program ${quoted(command)}`,
  hint: "use a program of a toolchain, or name it by its path",
});
