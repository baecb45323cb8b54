import type { WebResponse } from "../../../ports/web.ts";

const TEXT_TYPE =
  /^(?:text\/.*|application\/(?:(?:.*\+)?(?:json|xml|yaml)|x-yaml|toml|javascript|ecmascript|x-javascript|typescript|x-www-form-urlencoded|x-ndjson|ndjson|jsonl|graphql|sql|x-sh)|image\/svg\+xml)$/;
const CHARSET = /;\s*charset\s*=\s*"?([^\s;"]+)/i;
/** HTML may say it itself, near its start. */
const META = /<meta[^>]{0,200}?charset\s*=\s*["']?([\w:.-]{1,40})/i;
const META_WITHIN = 1024;

const MARKS: readonly (readonly [bytes: readonly number[], charset: string])[] = [
  [[0xef, 0xbb, 0xbf], "utf-8"],
  [[0xfe, 0xff], "utf-16be"],
  [[0xff, 0xfe], "utf-16le"],
];

export const mediaTypeOf = (contentType: string | undefined): string =>
  contentType?.split(";", 1)[0]?.trim().toLowerCase() ?? "";

/** The body as text; null = it is none, and nothing of it may be lost by reading it as one. */
export function textOfResponse({
  headers,
  body,
  isCut,
}: Pick<WebResponse, "headers" | "body" | "isCut">): string | null {
  const contentType = headers["content-type"];
  const type = mediaTypeOf(contentType);
  if (headers["content-encoding"] !== undefined && headers["content-encoding"] !== "identity") return null;
  if (type !== "" && type !== "application/octet-stream" && !TEXT_TYPE.test(type)) return null;
  const said = TEXT_TYPE.test(type);
  const charset = markOf(body) ?? CHARSET.exec(contentType ?? "")?.[1] ?? (type === "text/html" ? metaOf(body) : null);
  const decoder = decoderOf(charset ?? "utf-8", said ? "lenient" : "strict");
  if (decoder === null || (!said && body.includes(0))) return null;
  try {
    // A character that the limit has cut in two is left out.
    return decoder.decode(body, { stream: isCut });
  } catch {
    return null;
  }
}

const markOf = (body: Uint8Array): string | null =>
  MARKS.find(([bytes]) => bytes.every((byte, i) => body[i] === byte))?.[1] ?? null;

const metaOf = (body: Uint8Array): string | null =>
  META.exec(Buffer.from(body.subarray(0, META_WITHIN)).toString("latin1"))?.[1] ?? null;

/** A name that nobody knows is a mistake of the server; most of what is on the web is UTF-8. */
function decoderOf(charset: string, mode: "lenient" | "strict"): TextDecoder | null {
  const fatal = mode === "strict";
  try {
    return new TextDecoder(charset, { fatal });
  } catch {
    return new TextDecoder("utf-8", { fatal });
  }
}
