import type { Meaning } from "./meaning.ts";
import { readBuiltin } from "./read-program.ts";

/** A builtin that is no more than its own command, as far as the rest of the script goes. */
export const plain: Meaning = (reader, candidate) => readBuiltin(reader, candidate);
