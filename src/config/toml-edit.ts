import type { EditedText } from "./jsonc-edit.ts";
import { tomlKeys } from "./toml-keys.ts";

/**
 * A text of TOML with one more table at its end. Where something of that name is there already, however it is written, it is
 * left as it is, and so is a text that is not understood: a table that stands twice makes all of it unreadable.
 */
export function withTable(text: string, name: string, table: string): EditedText {
  const [group = "", last = ""] = name.split(".");
  const keys = tomlKeys(text);
  if (keys === null) return { ok: false, message: "it is no TOML that is understood here" };
  const own = keys.filter(({ path }) => path[0] === group);
  const isThere = own.some(({ path }) => path[1] === last);
  if (isThere && text.includes(table)) return { ok: true, text };
  // `group = { … }` and `[[group]]` are whole where they stand: no table can be added to them.
  const isClosed = own.some(({ path, is }) => path.length === 1 && is !== "table");
  if (isThere || isClosed)
    return { ok: false, message: `there is a \`${name}\` in it already, or it can't be added to` };
  return { ok: true, text: text.trim() === "" ? table : `${text.trimEnd()}\n\n${table}` };
}
