import { asScript } from "../../domain/as-script.ts";
import type { Draft } from "../../domain/call.ts";
import type { Refusal } from "../../domain/outcome.ts";
import type { Touch } from "../../domain/touch.ts";
import { quoted } from "../../domain/visible.ts";
import type { Programs } from "../../ports/programs.ts";
import { readScript } from "../../shell/read-script.ts";
import { planProgram } from "./plan-program.ts";
import type { ProgramPorts } from "./run-program.ts";

/** One program with its arguments, each as it is. No shell reads them. */
export interface WantedArgv {
  readonly argv: readonly [string, ...string[]];
  readonly rawCwd?: string | undefined;
  readonly timeoutMs?: number | undefined;
  /** Files that it is told to read, as the call names them. */
  readonly operands?: readonly string[];
  readonly more?: readonly Touch[];
}

/** Read as bash would read it in quotes, so that what `env` or `sh -c` carries is judged as well. */
export function planArgv(
  { argv: [command, ...args], rawCwd, timeoutMs, operands = [], more = [] }: WantedArgv,
  ports: ProgramPorts & { readonly programs: Programs },
): Promise<Draft> {
  const reading = readScript(asScript([command, ...args]));
  const named = operands.map((path) => ({ kind: "read", path, folders: HERE, by: "operand" }) as const);
  return planProgram(
    {
      rawCwd,
      timeoutMs,
      reading: {
        // No shell runs it, so none of the shell's own commands is meant.
        commands: reading.commands.map((found) => ({ ...found, external: true })),
        files: [...reading.files, ...named],
        connections: reading.connections,
        unknown: reading.unknown,
        tooComplex: reading.tooComplex,
        functions: new Set(),
      },
      more,
      argvOf: async (_, cwd) => {
        const found = await ports.programs.resolve(command, cwd);
        if (found === null) return notFound(command);
        return [found.toolchain ? found.named : found.path, ...args];
      },
    },
    ports,
  );
}

const HERE = [""] as const;

const notFound = (command: string): Refusal => ({
  code: "FILE_NOT_FOUND",
  stage: "plan",
  message: `there is no program ${quoted(command)}`,
  hint: "use a program of a toolchain, or name it by its path",
});
