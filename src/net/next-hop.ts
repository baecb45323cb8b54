import { quoted } from "../domain/visible.ts";
import { originOf, webUrlFrom } from "../domain/web-target.ts";
import type { WebFault } from "../ports/web.ts";
import type { Hop } from "./send-request.ts";

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** All that another host is told of the first request's headers. Any other may be a key under a name of its own. */
const HARMLESS: ReadonlySet<string> = new Set(["accept", "accept-language", "user-agent"]);

/** What has a meaning only together with a body. */
const OF_BODY: ReadonlySet<string> = new Set([
  "content-type",
  "content-language",
  "content-encoding",
  "content-location",
]);

export const isRedirect = (status: number, location: string | undefined): location is string =>
  REDIRECTS.has(status) && location !== undefined;

/** Where a redirect leads, as a request of its own; whether one may go there, the egress check says. */
export function nextHop(hop: Hop, status: number, location: string): Hop | WebFault {
  const parsed = webUrlFrom(location, hop.url.href);
  if (!parsed.ok) return blocked(`the server redirects to ${quoted(location)}: ${parsed.because}`);
  const url = parsed.value;
  if (hop.url.scheme === "https" && url.scheme === "http")
    return blocked(`the server redirects from https to ${quoted(url.href)}, which everybody on the way can read`);
  const isSame = originOf(url) === originOf(hop.url);
  const isGet = becomesGet(status, hop.method);
  const body = isGet ? null : hop.body;
  if (body !== null && !isSame)
    return blocked(
      `the server redirects a ${hop.method} to ${quoted(originOf(url))}, and its body is not sent to another host`,
    );
  const headers = Object.entries(hop.headers).filter(
    ([name]) => (isSame || HARMLESS.has(name)) && !(isGet && OF_BODY.has(name)),
  );
  return {
    url,
    method: isGet ? "GET" : hop.method,
    headers: Object.fromEntries(headers),
    secretHeader: isSame ? hop.secretHeader : null,
    body,
  };
}

/** RFC 9110, section 15.4, and what browsers do: a POST that is sent elsewhere by 301 or 302 becomes a GET. */
const becomesGet = (status: number, method: string): boolean =>
  (status === 303 && method !== "GET" && method !== "HEAD") ||
  ((status === 301 || status === 302) && method === "POST");

const blocked = (message: string): WebFault => ({ code: "EGRESS_BLOCKED", message });
