import type { Word } from "../domain/touch.ts";
import type { ScriptReader } from "./script-reader.ts";
import { changesExecution, isHarmless, isInherited } from "./variable-names.ts";

/** How far an assignment reaches: the shell's own variables, one command, or all programs after it. */
export type Reach = "shell" | "command" | "exported";

/** Variables by which the sandbox names folders of its own. */
const OWN_FOLDERS: ReadonlySet<string> = new Set(["HOME", "TMPDIR"]);

/** What follows from setting a variable: a word where a program would see it and may act on it; null = it is harmless, or was said. */
export function reachOf(reader: ScriptReader, name: string, value: Word | null, reach: Reach): Word | null {
  if (OWN_FOLDERS.has(name)) reader.setsOwnFolders.add(name);
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

/** A variable that is filled by something else than an assignment: a loop, `${x:=…}`, arithmetic. */
export const setsVariable = (reader: ScriptReader, name: string): void => void reachOf(reader, name, null, "shell");
