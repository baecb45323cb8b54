import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { LIMITS } from "../../domain/limits.ts";
import type { KeptLogins } from "../../wiring/admin-token.ts";
import type { Gate } from "../../wiring/gate.ts";
import { CallRate } from "../wire/call-rate.ts";
import { type OwnNames, ownNames } from "../wire/host-guard.ts";
import { InFlight } from "../wire/in-flight.ts";
import { Metrics } from "../wire/metrics.ts";
import { OpenStreams } from "../wire/open-streams.ts";
import { OWN_HEADERS } from "../wire/own-headers.ts";
import { problem } from "../wire/problem.ts";
import type { Door, ServerTimes } from "../wire/server-env.ts";
import { Tokens } from "../wire/tokens.ts";
import type { Log } from "./log.ts";
import { makeApp } from "./make-app.ts";
import { stallWatch } from "./stall-watch.ts";

export interface ServerOptions {
  readonly gate: Gate;
  readonly adminToken: string;
  readonly doors: readonly Door[];
  readonly log: Log;
  /** Where logins of browsers are kept. Left out: they end with the server. */
  readonly logins?: KeptLogins;
  /** Instead of the configured ones. */
  readonly host?: string;
  readonly port?: number;
  readonly times?: Partial<ServerTimes>;
  /** Of one caller, instead of the configured number. */
  readonly callsPerMinute?: number;
  /** Of one token; another number than the usual one. */
  readonly requestsPerCaller?: number;
  readonly bodyBytesPerCaller?: number;
}

const TIMES: ServerTimes = {
  heartbeatMs: LIMITS.heartbeatMs.default,
  stalledReaderMs: LIMITS.stalledReaderMs.default,
};

/** A server that listens. */
export interface OpenServer {
  /** `http://127.0.0.1:7420` */
  readonly url: string;
  /** A link to the console that signs the administrator in once, within ten minutes. */
  readonly consoleLink: () => string;
  /**
   * Takes no more requests, lets calls run for a while, cancels what is left, and comes back when all have their outcome.
   * Whoever waits for an answer is told that the call is pending: it goes on at the next start.
   */
  readonly close: (drainMs?: number) => Promise<void>;
}

const ANSWERED_WITHIN_MS = 2000;
const IDLE_EVERY_MS = 20;

/** Puts the doors on one server. Throws what listening throws. */
export async function openServer({
  gate,
  adminToken,
  doors,
  log,
  logins,
  times,
  callsPerMinute,
  requestsPerCaller,
  bodyBytesPerCaller,
  ...given
}: ServerOptions): Promise<OpenServer> {
  const { host, port, hosts } = { ...gate.inForce.server, ...given };
  const stop = new AbortController();
  const { sessions } = gate;
  const tokens = new Tokens({ adminToken, sessions, users: () => gate.inForce.server.users, nowMs: Date.now, logins });
  const metrics = new Metrics();
  metrics.gauge("toolgate_running_calls", () => gate.executions.load.running);
  metrics.gauge("toolgate_queued_calls", () => gate.executions.load.queued);
  metrics.gauge("toolgate_event_listeners", () => gate.events.listeners);
  metrics.gauge("toolgate_executors", () => gate.executors.counts.connected);
  metrics.gauge("toolgate_dispatches_waiting", () => gate.executors.counts.waiting);
  metrics.gauge("toolgate_dispatches_running", () => gate.executors.counts.running);
  metrics.gauge("toolgate_ledger_entries", () => gate.events.lastSeq());
  const stalls = stallWatch(log);
  metrics.gauge("toolgate_event_loop_stall_seconds", () => stalls.worstMs() / 1000);
  metrics.gauge("process_resident_memory_bytes", () => process.memoryUsage.rss());
  gate.onToolUsed(({ tool, duration_ms, success }) => {
    metrics.count("toolgate_tool_used_total", { tool, success: String(success) });
    metrics.observe("toolgate_tool_used_seconds", { tool }, duration_ms / 1000);
  });
  const stopTelling = gate.faults.tell((fault) => log("error", "fault", { ...fault }));
  let names: OwnNames = ownNames(host, port, hosts);
  const app = makeApp({
    gate,
    tokens,
    streams: new OpenStreams((identity) => tokens.isStill(identity), gate.faults),
    metrics,
    callRate: new CallRate(Date.now, () => callsPerMinute ?? gate.inForce.server.callsPerMinute),
    inFlight: new InFlight(requestsPerCaller, bodyBytesPerCaller),
    log,
    doors,
    stopping: stop.signal,
    times: { ...TIMES, ...times },
    names: () => names,
    fault: (cause) => gate.faults.report(cause, { stage: "door" }),
  });
  const server = createServer(
    {
      maxHeaderSize: LIMITS.headerBytes.default,
      headersTimeout: LIMITS.headersMs.default,
      requestTimeout: LIMITS.requestMs.default,
      connectionsCheckingInterval: 1000,
    },
    getRequestListener(app.fetch, { overrideGlobalObjects: false, errorHandler: unroutable }),
  );
  server.maxConnections = LIMITS.connections.default;
  server.listen(port, host);
  await once(server, "listening");
  const bound = portOf(server) ?? port;
  names = ownNames(host, bound, hosts);
  const shown = host.includes(":") ? `[${host}]` : host;
  const url = `http://${shown}:${bound}`;
  return {
    url,
    consoleLink: () => `${url}/#code=${tokens.newAdminCode()}`,
    close: async (drainMs = LIMITS.drainMs.default) => {
      stop.abort();
      stalls.stop();
      stopTelling();
      const answered = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      const timer = setTimeout(() => gate.executions.cancelAll(), drainMs);
      await gate.close();
      clearTimeout(timer);
      // What became of the calls is still to be sent; who does not take it by then is gone.
      const idle = setInterval(() => server.closeIdleConnections(), IDLE_EVERY_MS);
      await Promise.race([answered, new Promise((resolve) => setTimeout(resolve, ANSWERED_WITHIN_MS).unref())]);
      clearInterval(idle);
      server.closeAllConnections();
    },
  };
}

/** No address can be made of its `Host` and path, so it never came to a door. The app answers for its own mistakes. */
const unroutable = (): Response =>
  problem("REQUEST_INVALID", { detail: "the `Host` header and the path make no address", headers: OWN_HEADERS });

function portOf(server: Server): number | undefined {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : undefined;
}
