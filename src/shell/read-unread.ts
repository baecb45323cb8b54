import type { Word } from "../domain/touch.ts";
import { STARTS } from "./hazard-reasons.ts";
import { readProgram } from "./read-program.ts";
import type { Candidate, ScriptReader } from "./script-reader.ts";

/** A carrier that is not understood: nobody can tell what it starts, and rules that deny hold for all that it names. */
export function readUnread(reader: ScriptReader, candidate: Candidate, name: string, why: string): void {
  reader.say(why);
  const { argv } = candidate;
  const marked = argv.map((word, at): Word => (at === 1 ? { ...word, hazard: STARTS.unknownOption } : word));
  readProgram(reader, { ...candidate, argv: marked }, name);
}
