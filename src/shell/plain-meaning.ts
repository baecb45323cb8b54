import type { Word } from "../domain/touch.ts";
import type { Meaning } from "./meaning.ts";
import { readProgram } from "./read-program.ts";

/** A builtin that is no more than its own command, as far as the rest of the script goes. */
export const plain: Meaning = (reader, candidate) => readProgram(reader, candidate, (candidate.argv[0] as Word).text);
