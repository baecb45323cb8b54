import type { EditedText } from "./jsonc-edit.ts";

/**
 * A text of TOML with one more table at its end. Where something of that name is there already it is left as it is: TOML
 * has too many ways to write a table for anything else to be safe.
 */
export function withTable(text: string, name: string, table: string): EditedText {
  if (text.includes(table)) return { ok: true, text };
  const [group = "", last = ""] = name.split(".");
  const isThere = new RegExp(`^\\s*(?:\\[+\\s*["']?${group}["']?\\s*\\.\\s*["']?${last}\\b|${group}\\s*[.=])`, "m");
  if (isThere.test(text)) return { ok: false, message: `there is a \`${name}\` in it already, or it can't be told` };
  return { ok: true, text: text.trim() === "" ? table : `${text.trimEnd()}\n\n${table}` };
}
