import { Buffer } from "node:buffer";
import { type Draft, refuse } from "../../domain/call.ts";
import type { Refusal } from "../../domain/outcome.ts";
import type { Touch } from "../../domain/touch.ts";
import type { CheckedPath, Files } from "../../ports/files.ts";
import type { Programs } from "../../ports/programs.ts";
import type { SandboxLimits } from "../../ports/sandbox.ts";
import { touchesOf } from "../../shell/command-touches.ts";
import type { Reading } from "../../shell/reading.ts";
import { commandNames } from "../builtin/command-names.ts";
import { fileRefusal } from "../builtin/file-plan.ts";
import { commandOperands } from "./operands.ts";
import { ownPathsIn, withCodeAsked } from "./own-places.ts";
import { COMMAND_LIMITS, type ProgramPorts } from "./run-program.ts";

/** What a tool knows of the program that it would start. */
export interface WantedProgram {
  readonly rawCwd: string | undefined;
  /** Instead: a folder of its own, which is there only while it runs. */
  readonly ownFolder?: string;
  /** Left out = those of commands. */
  readonly limits?: SandboxLimits & Readonly<Record<string, number>>;
  readonly timeoutMs: number | undefined;
  readonly reading: Reading;
  readonly more: readonly Touch[];
  /** From what the command touches to what is started. */
  readonly argvOf: (touches: readonly Touch[], cwd: string) => Promise<readonly [string, ...string[]] | Refusal>;
}

/** What running a program would touch, with the files that decide what it does. */
export async function planProgram(
  { rawCwd, ownFolder, limits = COMMAND_LIMITS, timeoutMs, reading, more, argvOf }: WantedProgram,
  { files, sandbox, programs }: ProgramPorts & { readonly programs: Programs },
): Promise<Draft> {
  const folder = ownFolder ?? (await folderFor(rawCwd, files));
  if (typeof folder !== "string") return refuse(folder);
  const cwd = folder;
  if (reading.tooComplex !== null) return refuse(tooComplex(reading.tooComplex));
  const ownPath = ownPathsIn(sandbox.report(), files.workspace, cwd);
  const names = await commandNames(reading, { cwd, files, programs, ownPath });
  const [first, ...rest] = withCodeAsked(touchesOf(reading, names), reading, { cwd, workspace: files.workspace });
  const isOutside = ownFolder === undefined && !names.isInWorkspace(cwd);
  const touches = [first, ...rest, ...(isOutside ? [{ kind: "read", path: cwd } as const] : []), ...more] as const;
  const argv = await argvOf(touches, cwd);
  if ("code" in argv) return refuse(argv);
  const odd = await whyNotStarted(touches, argv[0], files);
  if (odd !== null) return refuse(odd);
  const operands = await commandOperands(touches, cwd, files, (path) => ownPath({ kind: "write", path }, "") !== null);
  if (!operands.ok) return refuse(fileRefusal(operands.fault));
  return {
    kind: "drafted",
    plan: {
      touches,
      operands: operands.value,
      ...(timeoutMs !== undefined && { timeoutMs }),
      sandbox: { argv, cwd, limits, report: sandbox.report() },
    },
  };
}

async function folderFor(rawCwd: string | undefined, files: Files): Promise<string | Refusal> {
  const located = await files.locate(rawCwd ?? ".");
  if (!located.ok) return fileRefusal(located.fault);
  const { path, kind } = located.value;
  return kind === "directory" ? path : notAFolder(files.shown(path));
}

const ELF = Buffer.from([0x7f, 0x45, 0x4c, 0x46]);
const SHEBANG = Buffer.from("#!");

/** A file that is no program would be given to a shell by whoever starts it, and nobody judged it as a script. */
async function whyNotStarted(touches: readonly Touch[], program: string, files: Files): Promise<Refusal | null> {
  const isElsewhere = touches.some(
    (touch) => touch.kind === "exec" && touch.origin === "elsewhere" && touch.program === program,
  );
  if (!isElsewhere) return null;
  const start = await files.read(program as CheckedPath, { offset: 0, limit: ELF.length });
  if (!start.ok) return fileRefusal(start.fault);
  const bytes = Buffer.from(start.value);
  if (bytes.equals(ELF) || bytes.subarray(0, SHEBANG.length).equals(SHEBANG)) return null;
  return {
    code: "SPAWN_FAILED",
    stage: "plan",
    message: `\`${files.shown(program)}\` is no program: it does not say what runs it`,
    hint: "begin it with `#!/bin/sh` or the like, or name the interpreter",
  };
}

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
