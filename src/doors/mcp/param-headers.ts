import { Buffer } from "node:buffer";
import type { RequestHeaders } from "../wire/request-headers.ts";

const HEADER_MISMATCH = -32_020;
const PREFIX = "mcp-param-";
const BASE64 = /^=\?base64\?(.*)\?=$/s;
/** What everybody in between reads as the same number: not `0x10`, nor `1e1`. */
const DECIMAL = /^-?\d+(?:\.\d+)?$/;
const CANONICAL = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** A parameter that clients of 2026-07-28 repeat in a header. */
interface Declared {
  readonly header: string;
  readonly path: readonly string[];
}

/**
 * The headers that a tool's schema asks for (`x-mcp-header`), each with where its value stands in the arguments.
 * Who is between the client and us may have let the request through because of them, so they must say what is run.
 */
export function declaredHeaders(schema: unknown, path: readonly string[] = []): readonly Declared[] {
  const properties = memberOf(schema, "properties");
  if (typeof properties !== "object" || properties === null) return [];
  return Object.entries(properties).flatMap(([name, property]) => {
    const header = memberOf(property, "x-mcp-header");
    const here = [...path, name];
    return [
      ...(typeof header === "string" ? [{ header: `${PREFIX}${header.toLowerCase()}`, path: here }] : []),
      ...declaredHeaders(property, here),
    ];
  });
}

/** The answer to a request whose headers and body disagree. Null: they don't. */
export function mismatchedParams(
  declared: readonly Declared[],
  body: unknown,
  headers: RequestHeaders,
): Response | null {
  const given = memberOf(memberOf(body, "params"), "arguments");
  for (const { header, path } of declared) {
    const value = path.reduce<unknown>(memberOf, given);
    if (value === undefined || value === null || typeof value === "object") continue;
    const said = headers.get(header);
    if (said !== null && isSame(decoded(said), value)) continue;
    const message = `Bad Request: the header ${header} does not say what the body says`;
    const id = memberOf(body, "id");
    const error = { code: HEADER_MISMATCH, message, data: { mismatch: { header, body: path.join(".") } } };
    return Response.json({ jsonrpc: "2.0", id: id ?? null, error }, { status: 400 });
  }
  return null;
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;

const isSame = (said: string | null, value: unknown): boolean =>
  said !== null &&
  (said === String(value) || (typeof value === "number" && DECIMAL.test(said) && Number(said) === value));

/** Null: it says that it is Base64, and is none. */
export function decoded(said: string): string | null {
  const [, data] = BASE64.exec(said) ?? [];
  if (data === undefined) return said;
  if (!CANONICAL.test(data)) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(data, "base64"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_ENCODING_INVALID_ENCODED_DATA") throw error;
    return null;
  }
}
