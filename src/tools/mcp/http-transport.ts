import { StreamableHTTPClientTransport, type Transport } from "@modelcontextprotocol/client";
import type { UpstreamWay } from "../../domain/upstream.ts";
import type { Web } from "../../ports/web.ts";
import { reconnectLater } from "./reconnect-later.ts";
import { webFetch } from "./web-fetch.ts";

/** How an upstream is reached that is no program of ours. */
export interface WayByHttp {
  readonly way: Extract<UpstreamWay, { kind: "http" }>;
  readonly web: Web;
  readonly timeoutMs: number;
}

export const httpTransport = ({ way, web, timeoutMs }: WayByHttp): Transport =>
  new StreamableHTTPClientTransport(new URL(way.url), {
    fetch: webFetch(way, web, timeoutMs),
    // INVARIANT (sent once): else the SDK sends a call again to wherever on the same host it is told to, five times.
    requestInit: { redirect: "manual" },
    reconnectionScheduler: reconnectLater(),
  });
