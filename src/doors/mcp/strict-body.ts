import type { JsonValue } from "../../domain/json.ts";
import { LIMITS } from "../../domain/limits.ts";
import { readJsonBytes } from "../../schema/json/read-json.ts";
import { bodyBytes } from "../wire/body-bytes.ts";
import { noRoom } from "../wire/read-body.ts";
import { headersOf } from "../wire/request-headers.ts";
import type { ServerContext } from "../wire/server-env.ts";

export type StrictBody = { readonly value: JsonValue } | { readonly refused: Response };

const PARSE_ERROR = -32_700;
const OTHER = -32_000;

/**
 * The JSON of a request, read once and in the gate's own way: what has two meanings (a name that stands twice) has none. No more
 * of it is taken than may come.
 */
export async function strictBody(context: ServerContext, bytesMax: number): Promise<StrictBody> {
  const type = headersOf(context.env.incoming).get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json")
    return refused(415, OTHER, "Unsupported Media Type: Content-Type must be application/json");
  const bytes = await bodyBytes(context, bytesMax).catch(() => undefined);
  if (bytes === undefined) return refused(400, PARSE_ERROR, "Parse error: the request body could not be read");
  if (bytes === "no room") return { refused: noRoom() };
  if (bytes === "too long") return refused(413, OTHER, `Request body must not exceed ${bytesMax} bytes`);
  const read = readJsonBytes(bytes, { bytes: bytesMax, values: LIMITS.requestValues.default });
  if (read.ok) return read;
  const { line, column, message } = read.error;
  return refused(400, PARSE_ERROR, `Parse error: line ${line}, column ${column}: ${message}`);
}

const refused = (status: number, code: number, message: string): StrictBody => ({
  refused: Response.json({ jsonrpc: "2.0", error: { code, message }, id: null }, { status }),
});
