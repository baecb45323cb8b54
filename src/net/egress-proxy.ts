import { createServer, type Socket } from "node:net";
import { NET_LIMITS } from "../domain/net-limits.ts";
import type { EgressProxies, EgressProxy, ProxyLimits, ProxyRequest } from "../ports/egress.ts";
import type { NetParts } from "./open-connection.ts";
import { proxyHttp } from "./proxy-http.ts";
import { ProxyLedger } from "./proxy-ledger.ts";
import { proxySocks } from "./proxy-socks.ts";
import { ProxyWays } from "./proxy-way.ts";

const DEFAULTS: ProxyLimits = {
  connections: NET_LIMITS.proxyConnections.default,
  bytes: NET_LIMITS.proxyBytes.default,
  idleMs: NET_LIMITS.proxyIdleMs.default,
};

const SOCKS_5 = 5;
/** Clients that only connect and wait count as well, so that they can't be without number. */
const CLIENTS_PER_CONNECTION = 2;

/** One proxy for one call, on a unix socket that the sandbox puts into its namespace. Without a grant it lets nothing out. */
export const openEgressProxies = (net: NetParts): EgressProxies => ({ open: (request) => openProxy(request, net) });

async function openProxy({ socketPath, grant, limits }: ProxyRequest, net: NetParts): Promise<EgressProxy> {
  const stop = new AbortController();
  const ledger = new ProxyLedger();
  const allLimits = { ...DEFAULTS, ...limits };
  const ways = new ProxyWays({ net, grant, limits: allLimits, ledger, signal: stop.signal });
  const http = proxyHttp(ways);
  const clients = new Set<Socket>();
  const server = createServer({ allowHalfOpen: false, pauseOnConnect: false }, (client) => {
    clients.add(client);
    client.on("error", () => client.destroy());
    client.once("close", () => clients.delete(client));
    const disarm = net.clock.after(allLimits.idleMs, () => client.destroy());
    client.once("close", disarm);
    client.once("data", (first: Buffer) => {
      disarm();
      client.pause();
      client.unshift(first);
      if (first[0] === SOCKS_5) void proxySocks(client, ways);
      else http.emit("connection", client);
      client.resume();
    });
  });
  server.maxConnections = allLimits.connections * CLIENTS_PER_CONNECTION;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ path: socketPath, readableAll: false, writableAll: false }, resolve);
  });
  // A server that can't accept any more takes nothing in: fails closed.
  server.on("error", () => {});
  const closed = new Promise<void>((resolve) => server.once("close", () => resolve()));
  return {
    log: () => ledger.log,
    close: async () => {
      stop.abort();
      server.close();
      http.closeAllConnections();
      for (const client of clients) client.destroy();
      await closed;
      await ways.ended();
      return ledger.log;
    },
  };
}
