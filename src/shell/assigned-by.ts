import type { Word } from "../domain/touch.ts";
import { reachOf } from "./reach-of.ts";
import { isNumber } from "./read-arithmetic.ts";
import type { ScriptReader } from "./script-reader.ts";

/** `NAME=value` before the command of a carrier: as if bash had set it, so that a shell behind it may compute with it. */
export function assignedBy(reader: ScriptReader, { text, known }: Word): readonly Word[] {
  const equals = text.indexOf("=");
  const [name, value] = [text.slice(0, equals), text.slice(equals + 1)];
  if (!known || !isNumber(value)) reader.unsure.add(name);
  const word = reachOf(reader, name, { text: value, known }, "command");
  return word === null ? [] : [word];
}
