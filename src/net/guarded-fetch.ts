import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { quoted } from "../domain/visible.ts";
import { originOf, webUrlFrom } from "../domain/web-target.ts";
import type { ConnectGrant } from "../ports/egress.ts";
import type { Web, WebAnswer, WebFault, WebRequest, WebResponse } from "../ports/web.ts";
import { isRedirect, nextHop } from "./next-hop.ts";
import { type NetParts, openConnection } from "./open-connection.ts";
import { isUnpacked, readBody, unpacked } from "./read-body.ts";
import { secureSocket } from "./secure-socket.ts";
import { type Hop, sendRequest } from "./send-request.ts";

/** RFC 9110, section 9.2.1. Asking again does no harm, so an answer that never came is a failure and nothing worse. */
const SAFE: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

interface Stop {
  readonly signal: AbortSignal;
  readonly why: () => "stopped" | "late" | null;
  /** The time does not count any more. */
  readonly disarm: () => void;
}

/** Requests in which every connection, those of redirects too, is checked by itself. */
export const openWeb = (parts: NetParts): Web => ({
  fetch: async (request, grant, signal) => {
    const late = new AbortController();
    const disarm = parts.clock.after(request.timeoutMs, () => late.abort());
    const why = () => (signal.aborted ? "stopped" : late.signal.aborted ? "late" : null);
    try {
      return await followed(request, grant, parts, { signal: AbortSignal.any([signal, late.signal]), why, disarm });
    } finally {
      disarm();
    }
  },
});

async function followed(request: WebRequest, grant: ConnectGrant, parts: NetParts, stop: Stop): Promise<WebAnswer> {
  const parsed = webUrlFrom(request.url);
  if (!parsed.ok) return failed(blocked(`${quoted(request.url)} can't be asked for: ${parsed.because}`));
  const { method, headers, body, secretHeader = null } = request;
  let hop: Hop = { url: parsed.value, method, headers, secretHeader, body };
  const urls: [string, ...string[]] = [hop.url.href];
  for (;;) {
    const answer = await asked(hop, grant, parts, stop, async (response) => {
      const { statusCode = 0, headers } = response;
      if (request.redirectsMax === 0 || !isRedirect(statusCode, headers.location))
        return await received(response, urls, request, stop);
      if (urls.length > request.redirectsMax)
        return failed({
          code: "BAD_RESPONSE",
          message: `the server redirects more than ${request.redirectsMax} times`,
        });
      const next = nextHop(hop, statusCode, headers.location);
      return "code" in next ? failed(next) : next;
    });
    if ("kind" in answer) return answer;
    if (!grant.covers(answer.url.host, answer.url.port)) return failed(uncovered(answer));
    hop = answer;
    urls.push(hop.url.href);
  }
}

/** One connection, one request; the connection is gone when this comes back. */
async function asked(
  hop: Hop,
  grant: ConnectGrant,
  parts: NetParts,
  stop: Stop,
  use: (response: IncomingMessage) => Promise<WebAnswer | Hop>,
): Promise<WebAnswer | Hop> {
  const connection = await openConnection(hop.url, grant, parts, stop.signal);
  if (!connection.ok) return ended(stop) ?? failed(connection.fault);
  const { socket } = connection;
  const destroy = () => void socket.destroy();
  stop.signal.addEventListener("abort", destroy, { once: true });
  try {
    const channel: Duplex | null =
      hop.url.scheme === "http" ? socket : await secureSocket(socket, hop.url.host, parts.ca, stop.signal);
    if (channel === null) return ended(stop) ?? failed(unproven(hop));
    if (stop.signal.aborted) return ended(stop) ?? { kind: "stopped" };
    const sent = await sendRequest(hop, channel);
    if (sent.kind === "answered") return await use(sent.response);
    if (!SAFE.has(hop.method)) return { kind: "lost" };
    return ended(stop) ?? failed(sent.kind === "malformed" ? malformed(hop) : silent(hop));
  } finally {
    stop.signal.removeEventListener("abort", destroy);
    destroy();
  }
}

async function received(
  message: IncomingMessage,
  urls: readonly [string, ...string[]],
  { bytesMax, streamed }: WebRequest,
  stop: Stop,
): Promise<WebAnswer> {
  const head = { status: message.statusCode ?? 0, headers: headersOf(message), urls };
  if (streamed !== undefined && isEventStream(message)) {
    stop.disarm();
    await streamed(head, unpacked(message) as AsyncIterable<Uint8Array>);
    return { kind: "answered", response: { ...head, body: new Uint8Array(), isCut: false } };
  }
  const { bytes, end } = await readBody(message, bytesMax);
  const response: WebResponse = { ...head, body: bytes, isCut: end !== "whole" };
  if (end !== "broken") return { kind: "answered", response };
  const fault = stop.why() === null ? BROKEN_OFF : LATE;
  return { kind: "failed", fault, response };
}

const isEventStream = ({ headers }: IncomingMessage): boolean =>
  /^text\/event-stream(?:;|$)/i.test(headers["content-type"]?.trim() ?? "");

/** How it is packed and how long that was says nothing about the body that is handed on. */
function headersOf({ headers }: IncomingMessage): Readonly<Record<string, string>> {
  const isChanged = isUnpacked(headers["content-encoding"]);
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => {
      if (value === undefined || (isChanged && (name === "content-encoding" || name === "content-length"))) return [];
      return [[name, Array.isArray(value) ? value.join(", ") : value]];
    }),
  );
}

const ended = ({ why }: Stop): WebAnswer | null => {
  const reason = why();
  if (reason === null) return null;
  return reason === "stopped" ? { kind: "stopped" } : failed(LATE);
};

const failed = (fault: WebFault): WebAnswer => ({ kind: "failed", fault });

const blocked = (message: string): WebFault => ({ code: "EGRESS_BLOCKED", message });

const uncovered = ({ url }: Hop): WebFault => ({
  ...blocked(`the server redirects to ${quoted(url.href, { max: 300 })}, which this call was not judged for`),
  hint: "make a call of its own to that URL, or name its host in `redirectsTo`",
});

const unproven = ({ url }: Hop): WebFault => ({
  code: "CONNECT_FAILED",
  message: `\`${originOf(url)}\` could not prove that it is that host (TLS)`,
});

const malformed = ({ url }: Hop): WebFault => ({
  code: "BAD_RESPONSE",
  message: `\`${originOf(url)}\` answers with something that is not HTTP`,
});

const silent = ({ url }: Hop): WebFault => ({
  code: "BAD_RESPONSE",
  message: `\`${originOf(url)}\` ended the connection without an answer`,
});

const BROKEN_OFF: WebFault = { code: "BAD_RESPONSE", message: "the answer broke off, or can't be unpacked" };
const LATE: WebFault = { code: "TIMEOUT", message: "the answer did not come in time" };
