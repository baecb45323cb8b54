import { type Draft, refuse, type Tool } from "../../domain/call.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { Refusal } from "../../domain/outcome.ts";
import type { Files } from "../../ports/files.ts";
import type { Programs } from "../../ports/programs.ts";
import { touchesOf } from "../../shell/command-touches.ts";
import { readScript } from "../../shell/read-script.ts";
import { makeTool } from "../make-tool.ts";
import { commandNames } from "./command-names.ts";
import { fileRefusal } from "./file-plan.ts";

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
        additionalProperties: { type: "string", maxLength: LIMITS.itemBytes.maximum },
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
  readonly env?: Readonly<Record<string, string>>;
  readonly network?: boolean;
};

/** Never without a sandbox: a program that is not held in is no tool. */
const NO_SANDBOX: Refusal = {
  code: "SANDBOX_UNAVAILABLE",
  stage: "execute",
  message: "this version has no sandbox to run commands in, so no command is started",
  hint: "`toolgate explain run_command` shows how the rules judge it",
};

export function runCommandTool(files: Files, programs: Programs): Tool<RunInput> {
  return makeTool<RunInput>({
    definition: DEFINITION,
    unavailable: NO_SANDBOX,
    async plan({ input }): Promise<Draft> {
      const located = await files.locate(input.cwd ?? ".");
      if (!located.ok) return refuse(fileRefusal(located.fault));
      const { path: cwd, kind } = located.value;
      if (kind !== "directory") return refuse(notAFolder(files.shown(cwd)));
      const reading = readScript(input.command, { environment: input.env ?? {} });
      if (reading.tooComplex !== null) return refuse(tooComplex(reading.tooComplex));
      const names = await commandNames(reading, { cwd, files, programs });
      const [first, ...rest] = touchesOf(reading, names);
      const isOutside = !names.isInWorkspace(cwd);
      return {
        kind: "drafted",
        plan: {
          touches: [
            first,
            ...rest,
            ...(isOutside ? [{ kind: "read", path: cwd } as const] : []),
            ...(input.network === true ? [NETWORK] : []),
          ],
          operands: [],
        },
      };
    },
    async *run() {
      throw new TypeError("a tool that is unavailable was run");
    },
  });
}

const NETWORK = {
  kind: "unknown",
  reason: "the command asks for the network, and hosts are named by grants only",
} as const;

const tooComplex = (why: string): Refusal => ({
  code: "SHELL_TOO_COMPLEX",
  stage: "plan",
  message: `the command can't be judged as a whole: ${why}`,
  hint: "split it into several calls, or put it into a script that is reviewed by itself",
});

const notAFolder = (shown: string): Refusal => ({
  code: "NOT_DIRECTORY",
  stage: "plan",
  message: `\`${shown}\` is no folder to run a command in`,
});
