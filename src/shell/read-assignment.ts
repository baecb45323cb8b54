import type { Assignment } from "unbash";
import type { Word } from "../domain/touch.ts";
import { isNumber } from "./read-arithmetic.ts";
import { readSubscript, wordOf } from "./read-word.ts";
import type { ScriptReader } from "./script-reader.ts";
import { changesExecution, isHarmless, isInherited } from "./variable-names.ts";

/** How far an assignment reaches: the shell's own variables, one command, or all programs after it. */
export type Reach = "shell" | "command" | "exported";

/** Reads an assignment; gives it back as a word where a program would see it and may act on it. */
export function readAssignment(reader: ScriptReader, assignment: Assignment, reach: Reach): Word | null {
  const { name, value, index, append } = assignment;
  if (index !== undefined) readSubscript(reader, index);
  const words = value.type === "ArrayValue" ? value.elements.map((element) => wordOf(reader, element)) : [];
  const one = value.type === "Word" ? wordOf(reader, value) : null;
  const all = one === null ? words : [one];
  if (append === true || !all.every(({ text }) => isNumber(text))) reader.unsure.add(name);
  return reachOf(reader, name, one, reach);
}

/** The same for one that is written as a word: of `env` and `export`. Null = it is harmless, or was said already. */
export function reachOf(reader: ScriptReader, name: string, value: Word | null, reach: Reach): Word | null {
  if (changesExecution(name)) {
    reader.say(`\`${name}\` is set, which changes what commands do`);
    return null;
  }
  if (isHarmless(name)) return null;
  if (reach === "shell") {
    if (isInherited(name) || reader.allExported || reader.inherited.has(name))
      reader.say(`\`${name}\` is set for all programs that follow`);
    return null;
  }
  return {
    text: value === null ? name : `${name}=${value.text}`,
    known: value === null || value.known,
    hazard: "sets a variable that the program may act on",
  };
}
