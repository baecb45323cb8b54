import { inputSlot } from "./client-tool.ts";
import type { JsonObject, JsonValue } from "./json.ts";

export type ClientArgv =
  | { readonly ok: true; readonly argv: readonly [string, ...string[]] }
  | { readonly ok: false; readonly message: string };

/**
 * The words of a command with inputs in their places. INVARIANT (data stays data): a value is one whole word, never a part
 * of one, never the program, and never an option: one that begins with `-` is taken only behind a `--`.
 */
export function clientArgv([program, ...words]: readonly [string, ...string[]], input: JsonObject): ClientArgv {
  const argv: string[] = [];
  for (const word of words) {
    const name = inputSlot(word);
    const value = name === null ? word : wordFrom(Object.hasOwn(input, name) ? input[name] : undefined);
    if (value === null) return { ok: false, message: `the input \`${name}\` can't be one word of a command` };
    if (name !== null && value.startsWith("-") && !argv.includes("--"))
      return { ok: false, message: `the input \`${name}\` would be taken for an option` };
    argv.push(value);
  }
  return { ok: true, argv: [program, ...argv] };
}

function wordFrom(value: JsonValue | undefined): string | null {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return typeof value === "string" && !value.includes("\0") ? value : null;
}
