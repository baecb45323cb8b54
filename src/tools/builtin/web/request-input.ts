import type { Limit } from "../../../domain/limit.ts";
import { LIMITS } from "../../../domain/limits.ts";
import { NET_LIMITS } from "../../../domain/net-limits.ts";
import type { InputError } from "../../../domain/outcome.ts";
import { quoted } from "../../../domain/visible.ts";
import { URL_LENGTH_MAX } from "../../../domain/web-target.ts";
import { inputError, type Sound } from "../with-check.ts";

const METHODS = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"] as const;

export type RequestInput = {
  readonly url: string;
  readonly method?: (typeof METHODS)[number];
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly timeoutMs?: number;
  readonly limitBytes?: number;
  readonly redirects?: number;
  readonly redirectsTo?: readonly string[];
};

const numberWithin = ({ minimum, maximum, default: given }: Limit, says: string) =>
  ({ type: "integer", minimum, maximum, description: `${says}, ${given} if not given` }) as const;

export const REQUEST_SCHEMA = {
  type: "object",
  properties: {
    url: { type: "string", minLength: 1, maxLength: URL_LENGTH_MAX, description: "with `http://` or `https://`" },
    method: { enum: METHODS, description: "`GET` if not given" },
    headers: {
      type: "object",
      additionalProperties: { type: "string", maxLength: LIMITS.itemBytes.maximum },
      maxProperties: NET_LIMITS.webHeaders.maximum,
      description: "headers by name; they go to this host only, and not where it redirects to",
    },
    body: { type: "string", maxLength: NET_LIMITS.webRequestBytes.maximum, description: "what is sent, as UTF-8" },
    timeoutMs: numberWithin(NET_LIMITS.webMs, "milliseconds for all of it"),
    limitBytes: numberWithin(NET_LIMITS.webResponseBytes, "bytes of the answer at the most"),
    redirects: numberWithin(NET_LIMITS.webRedirects, "how many redirects are followed"),
    redirectsTo: {
      type: "array",
      items: { type: "string", minLength: 1, maxLength: URL_LENGTH_MAX },
      maxItems: NET_LIMITS.webRedirects.maximum,
      description:
        "other origins that redirects may lead to, such as `https://www.example.com`; each is judged as well",
    },
  },
  required: ["url"],
  additionalProperties: false,
} as const;

/** RFC 9110, section 5.6.2. */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,256}$/;
/** Visible ASCII, blanks and tabs inside. No line ends: a value must not become another header. */
const VALUE = /^(?:[!-~](?:[\t -~]*[!-~])?)?$/;

/** They say how the message is framed and where it goes, which is not for the caller to say: RFC 9112, section 11. */
const OURS: ReadonlySet<string> = new Set([
  ...["host", "connection", "content-length", "transfer-encoding", "te", "trailer", "upgrade", "keep-alive", "expect"],
  ...["proxy-authorization", "proxy-connection", "proxy-authenticate", "accept-encoding", "http2-settings"],
]);

const BODILESS: ReadonlySet<unknown> = new Set(["GET", "HEAD"]);

/** What the schema can't say. */
export function requestErrors(
  { headers = {}, body, method }: Sound<RequestInput>,
  isSound: (name: keyof RequestInput) => boolean,
): readonly InputError[] {
  const names = Object.keys(headers).map((name) => name.toLowerCase());
  return [
    ...Object.entries(headers).flatMap(([name, value], index) => {
      const wrong = whatIsWrong(name, value, names.indexOf(name.toLowerCase()) < index);
      return wrong === null ? [] : [inputError("headers", "format", `the header ${quoted(name)} ${wrong}`)];
    }),
    ...(body !== undefined && isSound("method") && BODILESS.has(method ?? "GET")
      ? [inputError("body", "mutually_exclusive", `a ${method ?? "GET"} has no \`body\``)]
      : []),
    ...(body !== undefined && Buffer.byteLength(body) > NET_LIMITS.webRequestBytes.maximum
      ? [inputError("body", "max_size", `\`body\` has more than ${NET_LIMITS.webRequestBytes.maximum} bytes`)]
      : []),
    ...(body?.isWellFormed() === false ? [inputError("body", "format", "`body` is not well-formed Unicode")] : []),
  ];
}

function whatIsWrong(name: string, value: string, isSecond: boolean): string | null {
  if (!TOKEN.test(name)) return "has a name that no header can have";
  if (OURS.has(name.toLowerCase())) return "is set by the gate";
  if (isSecond) return "is given twice";
  return VALUE.test(value) ? null : "has a value with characters that no header can hold";
}
