import { createServer as createHttpServer, type RequestListener } from "node:http";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { NET_LIMITS } from "../../src/domain/net-limits.ts";
import type { Dial, NetParts } from "../../src/net/open-connection.ts";
import { systemDial } from "../../src/net/system-net.ts";
import type { Clock } from "../../src/ports/clock.ts";
import type { ConnectGrant } from "../../src/ports/egress.ts";
import type { WebRequest } from "../../src/ports/web.ts";
import { connectGrant } from "../../src/rules/connect-grant.ts";
import { systemClock } from "../../src/wiring/system-clock.ts";

/** A real server on loopback. */
export interface LocalServer extends AsyncDisposable {
  readonly port: number;
  /** How many connections there were. */
  readonly connections: () => number;
}

export const httpServer = (listener: RequestListener): Promise<LocalServer> => served(createHttpServer(listener));

/** Says what it likes to whoever connects. */
export const rawServer = (says: (socket: Socket) => void): Promise<LocalServer> =>
  served(
    createServer((socket) => {
      socket.on("error", () => {});
      says(socket);
    }),
  );

/** Answers every request with the same bytes, once it has seen its head. */
export const answering = (bytes: string | Uint8Array, then: (socket: Socket) => void = (socket) => socket.end()) =>
  rawServer((socket) => {
    let seen = "";
    socket.on("data", (chunk) => {
      seen += chunk.toString("latin1");
      if (!seen.includes("\r\n\r\n")) return;
      seen = "";
      socket.write(bytes);
      then(socket);
    });
  });

async function served(server: Server): Promise<LocalServer> {
  let connections = 0;
  const open = new Set<Socket>();
  server.on("connection", (socket) => {
    connections += 1;
    open.add(socket);
    socket.once("close", () => open.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}

export interface TestNet extends NetParts {
  /** `address:port`, in order. */
  readonly dialed: string[];
  /** Names that were looked up, in order. */
  readonly resolved: string[];
}

/** Names and what they lead to; a list of lists gives the answers one after the other. */
export type Names = Readonly<Record<string, readonly string[] | (() => readonly string[])>>;

export interface TestNetOptions {
  readonly names?: Names;
  /** Where the internet is: connections to addresses other than this machine's own end up at this port of ours. */
  readonly internet?: number;
  readonly clock?: Clock;
  readonly dial?: Dial;
  readonly ca?: string;
}

/** Real sockets on loopback, names from a table, and an internet of one port. */
export function testNet({ names = {}, internet, clock = systemClock, dial, ca }: TestNetOptions = {}): TestNet {
  const dialed: string[] = [];
  const resolved: string[] = [];
  return {
    clock,
    dialed,
    resolved,
    ...(ca !== undefined && { ca }),
    resolve: async (name) => {
      resolved.push(name);
      const found = names[name];
      if (found === undefined) throw Object.assign(new Error("no such name"), { code: "ENOTFOUND" });
      return typeof found === "function" ? found() : found;
    },
    dial: (address, port, signal) => {
      dialed.push(`${address}:${port}`);
      if (dial !== undefined) return dial(address, port, signal);
      if (address === "127.0.0.1") return systemDial(address, port, signal);
      if (internet === undefined) return Promise.reject(Object.assign(new Error("no way"), { code: "ENETUNREACH" }));
      return systemDial("127.0.0.1", internet, signal);
    },
  };
}

export const EVERYTHING: ConnectGrant = { covers: () => true, names: () => true };
export const grant = (...patterns: readonly string[]): ConnectGrant => connectGrant(patterns);

export const requestTo = (url: string, more: Partial<WebRequest> = {}): WebRequest => ({
  url,
  method: "GET",
  headers: {},
  body: null,
  bytesMax: NET_LIMITS.webResponseBytes.default,
  redirectsMax: 5,
  timeoutMs: 20_000,
  ...more,
});

/** What comes back over a plain connection until its end. */
export function spoken(to: { readonly path: string } | { readonly port: number }, text: string | Uint8Array) {
  return new Promise<string>((resolve, reject) => {
    const socket = connect({ ...to, ...("port" in to && { host: "127.0.0.1" }) });
    const chunks: Uint8Array[] = [];
    socket.on("data", (chunk) => chunks.push(Buffer.from(chunk)));
    socket.on("close", () => resolve(Buffer.concat(chunks).toString("latin1")));
    socket.on("error", (error) => (chunks.length > 0 ? undefined : reject(error)));
    socket.write(text);
  });
}
