import { inputSlot } from "./client-tool.ts";
import type { JsonObject, JsonValue } from "./json.ts";

export type ClientArgv =
  | { readonly ok: true; readonly argv: readonly [string, ...string[]] }
  | { readonly ok: false; readonly message: string };

/**
 * The words of a command with inputs in their places. INVARIANT (data stays data): a value is one whole word, never a part
 * of one, never the program, and never an option: what it must not begin with was found when the command was read, and is
 * `-` where nothing else was.
 */
export function clientArgv(
  [program, ...words]: readonly [string, ...string[]],
  unfitHeads: readonly string[],
  input: JsonObject,
): ClientArgv {
  const argv: string[] = [];
  for (const [at, word] of words.entries()) {
    const name = inputSlot(word);
    const value = name === null ? word : wordFrom(Object.hasOwn(input, name) ? input[name] : undefined);
    if (value === null) return { ok: false, message: `the input \`${name}\` can't be one word of a command` };
    if (name !== null && value !== "" && (unfitHeads[at + 1] ?? "-").includes(value.charAt(0)))
      return { ok: false, message: `ARG_OPTION_INJECTION: the input \`${name}\` would be taken for an option` };
    argv.push(value);
  }
  return { ok: true, argv: [program, ...argv] };
}

function wordFrom(value: JsonValue | undefined): string | null {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return typeof value === "string" && !value.includes("\0") ? value : null;
}
