import { asScript } from "../../domain/as-script.ts";
import type { JsonObject, JsonValue } from "../../domain/json.ts";
import type { Touch } from "../../domain/touch.ts";
import type { Files } from "../../ports/files.ts";
import type { Programs } from "../../ports/programs.ts";
import { touchesOf } from "../../shell/command-touches.ts";
import { readScript } from "../../shell/read-script.ts";
import { commandNames } from "../builtin/command-names.ts";

export interface CommandPlace {
  readonly files: Files;
  readonly programs: Programs;
}

/**
 * What a command touches that a client runs: the first of these inputs names the program, the others are its arguments, and
 * no shell reads them. Nothing holds a client's programs in, so also what they are told to read of the workspace is said.
 */
export async function clientCommand(
  names: readonly string[],
  input: JsonObject,
  { files, programs }: CommandPlace,
): Promise<readonly Touch[]> {
  const words = names.map((name) => wordsOf(input[name]));
  const argv = words.flatMap((one) => one ?? []);
  if (words.includes(null) || words[0]?.length !== 1 || argv[0] === "") return [UNREADABLE];
  const { commands, files: named, connections, unknown, tooComplex } = readScript(asScript(argv));
  if (tooComplex !== null)
    return [{ kind: "unknown", reason: `the command can't be judged as a whole: ${tooComplex}` }];
  // No shell runs it, so none of the shell's own commands is meant.
  const external = commands.map((found) => ({ ...found, external: true }));
  const reading = { commands: external, files: named, connections, unknown, tooComplex, functions: new Set<string>() };
  const found = await commandNames(reading, { cwd: files.workspace, files, programs });
  return touchesOf(reading, { ...found, isInWorkspace: () => false });
}

/** A text is one word, a list one each, nothing none; null = it is neither. */
function wordsOf(value: JsonValue | undefined): readonly string[] | null {
  if (value === undefined || value === null) return [];
  const words = Array.isArray(value) ? value : [value];
  return words.every((word) => typeof word === "string" && !word.includes("\0")) ? (words as readonly string[]) : null;
}

/** INVARIANT (nothing said is nothing known). */
const UNREADABLE: Touch = { kind: "unknown", reason: "an input that names a program or its arguments can't be read" };
