import type { Assignment } from "unbash";
import type { Word } from "../domain/touch.ts";
import { type Reach, reachOf } from "./reach-of.ts";
import { isNumber, readComputedText } from "./read-arithmetic.ts";
import { KEY, readKey, readSubscript, wordOf } from "./read-word.ts";
import type { ScriptReader } from "./script-reader.ts";

/** Reads an assignment; gives it back as a word where a program would see it and may act on it. */
export function readAssignment(reader: ScriptReader, assignment: Assignment, reach: Reach): Word | null {
  const { name, value, index, append } = assignment;
  if (index !== undefined) readSubscript(reader, index);
  if (index !== undefined || value.type === "ArrayValue") reader.lists.add(name);
  if (value.type === "ArrayValue") for (const { text } of value.elements) readIndex(reader, text);
  const words = value.type === "ArrayValue" ? value.elements.map((element) => wordOf(reader, element)) : [];
  const one = value.type === "Word" ? wordOf(reader, value) : null;
  const all = one === null ? words : [one];
  if (append === true || !all.every(({ text, known }) => isNumber(text) || (known && text === "")))
    reader.unsure.add(name);
  // Bash expands it before each command that it shows.
  if (name === "PS4" && one?.known === true) reader.text(`: "${one.text}"`, "bash", "repeated");
  return reachOf(reader, name, one, reach);
}

/** `x=([v]=1)`: an index is computed here as well, unless the list has names for indexes, which nobody knows for sure. */
function readIndex(reader: ScriptReader, element: string): void {
  const [, index] = /^\[(.*)\]\+?=/s.exec(element) ?? [];
  if (index === undefined) return;
  const [, , key = ""] = /^(["'])(.*)\1$/s.exec(index) ?? [];
  if (key !== "" && KEY.test(key)) readKey(reader, key);
  else readComputedText(reader, index);
}
