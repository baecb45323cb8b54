import type { JsonValue } from "../../domain/json.ts";
import { readJson, readJsonBytes } from "../../schema/json/read-json.ts";
import { type Invocation, UsageError } from "./command.ts";

/** The arguments of a call: a word of the command line, `-` for standard input, or nothing for none. */
export async function jsonInput(word: string | undefined, { terminal }: Invocation): Promise<JsonValue> {
  if (word === undefined) return {};
  const reading = word === "-" ? readJsonBytes(await terminal.readInput()) : readJson(word);
  if (reading.ok) return reading.value;
  const { message, line, column } = reading.error;
  throw new UsageError(
    `the arguments are not JSON: line ${line}, column ${column}: ${message}`,
    `write them as '{"path":"README.md"}', in single quotes`,
  );
}
