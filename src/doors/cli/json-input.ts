import type { JsonValue } from "../../domain/json.ts";
import { readJson, readJsonBytes } from "../../schema/json/read-json.ts";
import { type Invocation, UsageError } from "./command.ts";

/** The arguments of a call: a word of the command line, `-` for standard input, or nothing for none. */
export async function jsonInput(
  word: string | undefined,
  { terminal }: Pick<Invocation, "terminal">,
): Promise<JsonValue> {
  if (word === undefined) return {};
  const given = word === "-" ? await terminal.readInput() : word;
  const reading = typeof given === "string" ? readJson(given) : readJsonBytes(given);
  if (reading.ok) return reading.value;
  const { message, line, column } = reading.error;
  const place = `line ${line}, column ${column}: ${message}`;
  if (isJson(given)) throw new UsageError(`the arguments are refused: ${place}`);
  throw new UsageError(
    `the arguments are not JSON: ${place}`,
    word === "-" ? undefined : `write them as '{"path":"README.md"}', in single quotes`,
  );
}

/** To others: what has a name twice, or is too long or too deep, has no quotes that are wrong. */
function isJson(given: string | Uint8Array): boolean {
  try {
    JSON.parse(typeof given === "string" ? given : Buffer.from(given).toString());
    return true;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return false;
  }
}
