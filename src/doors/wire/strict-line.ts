import type { JsonValue } from "../../domain/json.ts";
import { type JsonTextError, readJsonBytes } from "../../schema/json/read-json.ts";
import { isRequestId, type RequestId } from "./request-id.ts";

export type StrictLine =
  | { readonly kind: "read"; readonly message: JsonValue }
  | { readonly kind: "refused"; readonly answer: object }
  /** No JSON in anybody's eyes: the SDK says so. */
  | { readonly kind: "noise" };

const PARSE_ERROR = -32_700;

/** A line of a client, in the gate's own way: what has two meanings (a name that stands twice) has none. */
export function strictLine(line: Uint8Array): StrictLine {
  const read = readJsonBytes(line);
  if (read.ok) return { kind: "read", message: read.value };
  const id = looseId(line);
  return id === undefined ? { kind: "noise" } : { kind: "refused", answer: refusal(id, read.error) };
}

const refusal = (id: RequestId | null, { line, column, message }: JsonTextError): object => ({
  jsonrpc: "2.0",
  id,
  error: { code: PARSE_ERROR, message: `Parse error: line ${line}, column ${column}: ${message}` },
});

/**
 * So that who sent it is not left to wait. Null: nobody waits, or it has none; undefined: it is no JSON. An answer of theirs has the id
 * of a request of ours, and under that id they may wait for something else.
 */
function looseId(line: Uint8Array): RequestId | null | undefined {
  try {
    const message = JSON.parse(new TextDecoder().decode(line)) as {
      readonly id?: unknown;
      readonly method?: unknown;
    } | null;
    return message?.method !== undefined && isRequestId(message.id) ? message.id : null;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return;
  }
}
