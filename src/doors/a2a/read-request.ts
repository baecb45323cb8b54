import type { JsonValue } from "../../domain/json.ts";
import { LIMITS } from "../../domain/limits.ts";
import { quoted } from "../../domain/visible.ts";
import { readJsonBytes } from "../../schema/json/read-json.ts";
import { bodyBytes } from "../wire/body-bytes.ts";
import { headersOf } from "../wire/request-headers.ts";
import type { ServerContext } from "../wire/server-env.ts";
import type { A2aError } from "./a2a-error.ts";
import type { Checked } from "./checked-params.ts";

const BYTES_MAX = LIMITS.requestBytes.default;
const TYPES: ReadonlySet<string> = new Set(["application/json", "application/a2a+json"]);
/** Minor versions are what counts; a patch of one changes nothing on the wire. */
const SUPPORTED = /^1\.0(?:\.\d{1,9})?$/;
const VERSION = "A2A-Version";

/** The JSON of a request, read in the gate's own way: a name that stands twice has no meaning. Nothing at all is an empty object. */
export async function readRequest(context: ServerContext): Promise<Checked<JsonValue>> {
  const headers = headersOf(context.env.incoming);
  const type = headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== undefined && !TYPES.has(type)) return refused("CONTENT_TYPE_NOT_SUPPORTED", WRONG_TYPE);
  if (headers.has("content-encoding"))
    return refused("CONTENT_TYPE_NOT_SUPPORTED", "a body that is compressed is not taken");
  const bytes = await bodyBytes(context, BYTES_MAX).catch(() => undefined);
  if (bytes === undefined) return refused("PARSE_ERROR", "the body broke off");
  if (bytes === "too long") return refused("BODY_TOO_LARGE", `the body may have ${BYTES_MAX} bytes`);
  if (bytes === "no room") return { ok: false, error: NO_ROOM };
  if (bytes.length === 0) return { ok: true, value: {} };
  if (type === undefined) return refused("CONTENT_TYPE_NOT_SUPPORTED", WRONG_TYPE);
  const read = readJsonBytes(bytes, { bytes: BYTES_MAX, values: LIMITS.requestValues.default });
  if (read.ok) return read;
  const { line, column, message } = read.error;
  return refused("PARSE_ERROR", `line ${line}, column ${column}: ${message}`);
}

/** Null: it is a version that is spoken here. Who names none means 0.3, which is not. */
export function wrongVersion({ req, env }: ServerContext): A2aError | null {
  const given = headersOf(env.incoming).get(VERSION.toLowerCase()) ?? req.query(VERSION) ?? "";
  if (SUPPORTED.test(given)) return null;
  const said = given === "" ? `a request without \`${VERSION}\` means 0.3` : `A2A ${quoted(given)} is not spoken here`;
  return { reason: "VERSION_NOT_SUPPORTED", message: said, hint: `send \`${VERSION}: 1.0\`` };
}

const refused = (reason: A2aError["reason"], message: string): Checked<never> => ({
  ok: false,
  error: { reason, message },
});

const WRONG_TYPE = "the body has to be sent as `application/json` or `application/a2a+json`";
/** Much of it may be on its way, which nobody wants. */
const NO_ROOM: A2aError = {
  reason: "RESOURCE_EXHAUSTED",
  message: "this token has as much in requests under way as it may",
  retryAfterSeconds: 1,
};
