import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { ConnectGrant, EgressFault, EgressRecord, ProxyLimits } from "../ports/egress.ts";
import type { HostAndPort } from "./egress-check.ts";
import { type NetParts, openConnection } from "./open-connection.ts";
import type { ProxyLedger } from "./proxy-ledger.ts";

/** A connection out, counted. */
export interface WayOut {
  readonly socket: Socket;
}

export type Opened = { readonly ok: true; readonly way: WayOut } | { readonly ok: false; readonly fault: EgressFault };

interface WayParts {
  readonly net: NetParts;
  readonly grant: ConnectGrant;
  readonly limits: ProxyLimits;
  readonly ledger: ProxyLedger;
  readonly signal: AbortSignal;
}

/** The ways out of one proxy. What a client asks for, in whichever protocol, is asked for here. */
export class ProxyWays {
  readonly #parts: WayParts;
  /** Those that are being opened, or are open: one promise each, kept until it has its line in the ledger. */
  readonly #open = new Set<Promise<void>>();
  #bytes = 0;

  constructor(parts: WayParts) {
    this.#parts = parts;
  }

  /** Writes into the ledger what was refused before a host could be read. */
  refused(text: string, via: EgressRecord["via"], because: string): void {
    this.#parts.ledger.add(recordOf({ host: text, port: 0 }, via, { refused: because }));
  }

  /** Once nothing is open any more. For whoever has told all of them to end. */
  async ended(): Promise<void> {
    await Promise.all(this.#open);
  }

  /** `client`: when it goes, the way out goes, and the other way round. */
  async open(to: HostAndPort, via: EgressRecord["via"], client: Duplex): Promise<Opened> {
    const { net, grant, limits, ledger, signal } = this.#parts;
    const refuse = (fault: EgressFault): Opened => {
      ledger.add(recordOf(to, via, { refused: fault.message }));
      return { ok: false, fault };
    };
    if (this.#bytes >= limits.bytes) return refuse(over("this call has sent and received all it may"));
    if (this.#open.size >= limits.connections) return refuse(over("this call has too many connections open"));
    const done = Promise.withResolvers<void>();
    this.#open.add(done.promise);
    const end = () => {
      this.#open.delete(done.promise);
      done.resolve();
    };
    const gone = new AbortController();
    const leave = () => gone.abort();
    client.once("close", leave);
    const connection = await openConnection(to, grant, net, AbortSignal.any([signal, gone.signal]));
    client.off("close", leave);
    if (!connection.ok || client.destroyed || signal.aborted) {
      if (connection.ok) connection.socket.destroy();
      const refused = refuse(connection.ok ? over("the program went away") : connection.fault);
      end();
      return refused;
    }
    const { socket, address } = connection;
    this.#watch(socket, client);
    socket.once("close", () => {
      const { bytesWritten: sentBytes, bytesRead: receivedBytes } = socket;
      ledger.add(recordOf(to, via, { address, sentBytes, receivedBytes }));
      end();
    });
    return { ok: true, way: { socket } };
  }

  /** Each way out ends by itself when it is silent for too long, and all do when the call has had its bytes. */
  #watch(socket: Socket, client: Duplex): void {
    const { limits, net, signal } = this.#parts;
    const end = () => {
      socket.destroy();
      client.destroy();
    };
    // Two pipes, a parser and what is counted here each listen for the end of both.
    for (const each of [socket, client]) each.setMaxListeners(LISTENERS_MAX);
    let disarm = net.clock.after(limits.idleMs, end);
    const count = (chunk: Uint8Array) => {
      this.#bytes += chunk.length;
      if (this.#bytes > limits.bytes) return end();
      disarm();
      disarm = net.clock.after(limits.idleMs, end);
    };
    socket.on("data", count);
    client.on("data", count);
    client.once("close", end);
    signal.addEventListener("abort", end, { once: true });
    socket.once("close", () => {
      disarm();
      client.off("data", count);
      client.off("close", end);
      signal.removeEventListener("abort", end);
    });
  }
}

const LISTENERS_MAX = 32;

const over = (message: string): EgressFault => ({ code: "EGRESS_BLOCKED", message });

const recordOf = (
  { host, port }: HostAndPort,
  via: EgressRecord["via"],
  more: Partial<EgressRecord>,
): EgressRecord => ({ host, port, via, address: null, refused: null, sentBytes: 0, receivedBytes: 0, ...more });
