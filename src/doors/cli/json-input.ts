import type { JsonValue } from "../../domain/json.ts";
import { type Invocation, UsageError } from "./command.ts";

/** The arguments of a call: a word of the command line, `-` for standard input, or nothing for none. */
export async function jsonInput(word: string | undefined, { terminal }: Invocation): Promise<JsonValue> {
  if (word === undefined) return {};
  const text = word === "-" ? await terminal.readInput() : word;
  try {
    return JSON.parse(text) as JsonValue;
  } catch (error) {
    const reason = error instanceof Error ? error.message : "not JSON";
    throw new UsageError(
      `the arguments are not JSON: ${reason}`,
      `write them as '{"path":"README.md"}', in single quotes`,
    );
  }
}
