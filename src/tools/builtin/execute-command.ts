import { type Draft, refuse, type Tool } from "../../domain/call.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { Refusal } from "../../domain/outcome.ts";
import { makeTool } from "../make-tool.ts";
import { planArgv } from "../sandboxed/plan-argv.ts";
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

export function executeCommandTool(ports: ShellPorts): Tool<ExecuteInput> {
  const tool = makeTool<ExecuteInput>({
    definition: DEFINITION,
    plan: async ({ input }): Promise<Draft> => {
      if ([input.command, ...(input.args ?? [])].some((word) => word.includes("\0"))) return refuse(NUL_INSIDE);
      const { command, args = [], cwd, timeout } = input;
      const timeoutMs = timeout === undefined ? undefined : timeout * 1000;
      return planArgv({ argv: [command, ...args], rawCwd: cwd, timeoutMs }, ports);
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
