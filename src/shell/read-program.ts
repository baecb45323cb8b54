import type { Word } from "../domain/touch.ts";
import { type Scanned, scanned } from "./hazards.ts";
import type { Profile } from "./profile.ts";
import { ANY_OPTIONS, type Options, optionsOf } from "./program-options.ts";
import type { Candidate, ScriptReader } from "./script-reader.ts";

/** A command that is what it says: its words, with the hazards among them, and the files that it opens for sure. */
export function readProgram(reader: ScriptReader, candidate: Candidate, name: string, marked = candidate.argv): void {
  readWords(reader, candidate, optionsOf(name), marked);
}

/** A builtin of the shell: its own reader has looked at its words. */
export function readBuiltin(reader: ScriptReader, candidate: Candidate, marked = candidate.argv): void {
  readWords(reader, candidate, ANY_OPTIONS, marked);
}

function readWords(reader: ScriptReader, candidate: Candidate, options: Options, marked: readonly Word[]): void {
  const scan = scanned(options, marked);
  const { external } = candidate;
  const { env, via } = reader.outer;
  reader.add({
    argv: scan === null ? marked : scan.words,
    env: env.length === 0 ? candidate.env : [...env, ...candidate.env],
    folders: reader.folders,
    external,
    via: via.length === 0 ? candidate.via : [...via, ...candidate.via],
  });
  if (scan !== null && options.profile.files !== undefined) readOperands(reader, options.profile.files, scan);
}

function readOperands(
  reader: ScriptReader,
  { kind = "read" }: NonNullable<Profile["files"]>,
  { words, operands }: Scanned,
): void {
  for (const at of operands) {
    const word = words[at] as Word;
    if (word.known && word.text !== "-")
      reader.addFile({ kind, path: word.text, folders: reader.folders, by: "operand" });
    else if (!word.known && kind === "write")
      reader.say(`a file is written whose name is known only at run time: \`${word.text}\``);
  }
}
