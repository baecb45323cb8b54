import { Buffer } from "node:buffer";
import { LIMITS } from "../../domain/limits.ts";
import type { UpstreamWay } from "../../domain/upstream.ts";
import type { Web, WebAnswer } from "../../ports/web.ts";
import { grantFor, splitHeaders } from "../operator/way-to.ts";
import { eventsFrom } from "./events-from.ts";
import { fault, type UpstreamFault } from "./upstream-fault.ts";

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;
type Http = Extract<UpstreamWay, { kind: "http" }>;

/** How a request failed, for whoever has to say whether anything was done. */
export class WebFetchError extends Error {
  /** `unsent`: nothing left this machine. */
  readonly how: "unsent" | "lost";
  readonly fault: UpstreamFault;

  constructor(how: WebFetchError["how"], reason: UpstreamFault) {
    super(reason.message);
    this.how = how;
    this.fault = reason;
  }
}

/**
 * `fetch` for the SDK, through the gate's own net: to the one host of the upstream and nowhere else, no redirect, no
 * more than fits. Streams of events are handed on as they come.
 */
export function webFetch(way: Http, web: Web, timeoutMs: number): Fetch {
  const grant = grantFor(way.url);
  const { plain, secretHeader } = splitHeaders(way.headers);
  return async (url, init = {}) => {
    const method = init.method ?? "GET";
    const given = Object.fromEntries(
      [...new Headers(init.headers)].map(([name, value]) => [name.toLowerCase(), value]),
    );
    const begun = Promise.withResolvers<Response>();
    const asking = web.fetch(
      {
        url: String(url),
        method,
        headers: { ...given, ...plain },
        secretHeader,
        body: typeof init.body === "string" ? Buffer.from(init.body) : null,
        bytesMax: LIMITS.upstreamMessageBytes.default,
        redirectsMax: 0,
        timeoutMs,
        streamed: async ({ status, headers }, chunks) => {
          const events = eventsFrom(chunks, requestId(init.body), LIMITS.upstreamMessageBytes.default);
          begun.resolve(new Response(events.body, { status, headers: { ...headers } }));
          await events.ended;
        },
      },
      grant,
      init.signal ?? new AbortController().signal,
    );
    return await Promise.race([begun.promise, asking.then(responseFrom)]);
  };
}

function responseFrom(answer: WebAnswer): Response {
  switch (answer.kind) {
    case "answered": {
      const { status, headers, body, isCut } = answer.response;
      if (isCut) throw new WebFetchError("lost", fault("BAD_RESPONSE", "the upstream's answer is too large"));
      const hasBody = body.length > 0 && status !== 204 && status !== 304;
      return new Response(hasBody ? Buffer.from(body) : null, { status, headers: { ...headers } });
    }
    case "failed": {
      const { code, message } = answer.fault;
      const isUnsent = code === "CONNECT_FAILED" || code === "EGRESS_BLOCKED";
      throw new WebFetchError(
        isUnsent ? "unsent" : "lost",
        fault(isUnsent ? "CONNECT_FAILED" : "BAD_RESPONSE", message),
      );
    }
    case "lost":
      throw new WebFetchError("lost", fault("BAD_RESPONSE", "the upstream ended the connection without an answer"));
    case "stopped":
      throw new DOMException("stopped", "AbortError");
    default:
      return answer satisfies never;
  }
}

/** Of the request that is sent: what a stream that breaks off owes an answer to. */
function requestId(body: unknown): string | number | null {
  const { id } = typeof body === "string" ? (JSON.parse(body) as { readonly id?: unknown }) : {};
  return typeof id === "string" || typeof id === "number" ? id : null;
}
