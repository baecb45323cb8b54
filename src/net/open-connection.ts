import type { Socket } from "node:net";
import { NET_LIMITS } from "../domain/net-limits.ts";
import type { Clock } from "../ports/clock.ts";
import type { ConnectGrant, EgressFault } from "../ports/egress.ts";
import { checkAddresses, checkHost, type HostAndPort, unreachable } from "./egress-check.ts";

/** Addresses of a name. Asked once for each connection; rejects when there is no answer. */
export type Resolve = (name: string, signal: AbortSignal) => Promise<readonly string[]>;

/** A connection to an address, never to a name. Rejects when there is none. */
export type Dial = (address: string, port: number, signal: AbortSignal) => Promise<Socket>;

/** What the network is made of. Only tests have others. */
export interface NetParts {
  readonly clock: Clock;
  readonly resolve: Resolve;
  readonly dial: Dial;
  /** Certificates of authorities that are believed, in place of the system's. */
  readonly ca?: string;
}

export type Connection =
  | { readonly ok: true; readonly socket: Socket; readonly address: string }
  | { readonly ok: false; readonly fault: EgressFault };

const ADDRESSES_MAX = 4;

/**
 * The only way to a socket.
 * INVARIANT (checked = connected): a name is resolved once, and the connection goes to an address of that very answer.
 */
export async function openConnection(
  to: HostAndPort,
  grant: ConnectGrant,
  parts: NetParts,
  signal: AbortSignal,
): Promise<Connection> {
  const check = checkHost(to, grant);
  if (check.kind === "blocked") return { ok: false, fault: check.fault };
  const late = new AbortController();
  const disarm = parts.clock.after(NET_LIMITS.connectMs.default, () => late.abort());
  const stop = AbortSignal.any([signal, late.signal]);
  try {
    const addresses = check.kind === "addresses" ? check.addresses : await lookedUp(to, parts, stop);
    if (addresses === null) return failed(to, stop.aborted ? "it took too long" : "its name is not known");
    // The names that stand for this machine were granted as such.
    const fault = check.kind === "addresses" ? null : checkAddresses(to, addresses, grant);
    return fault === null ? await firstOf(addresses, to, parts.dial, stop) : { ok: false, fault };
  } finally {
    disarm();
  }
}

async function lookedUp({ host }: HostAndPort, { resolve }: NetParts, signal: AbortSignal) {
  try {
    return await unlessAborted(resolve(host, signal), signal);
  } catch {
    return null;
  }
}

async function firstOf(
  addresses: readonly string[],
  to: HostAndPort,
  dial: Dial,
  signal: AbortSignal,
): Promise<Connection> {
  let why = "nobody answers";
  for (const address of addresses.slice(0, ADDRESSES_MAX)) {
    if (signal.aborted) break;
    try {
      return { ok: true, socket: await dial(address, to.port, signal), address };
    } catch (error) {
      why = REASONS[codeOf(error)] ?? why;
    }
  }
  return failed(to, signal.aborted ? "it took too long" : why);
}

const failed = (to: HostAndPort, why: string): Connection => ({ ok: false, fault: unreachable(to, why) });

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nobody listens there",
  ENETUNREACH: "there is no way to that network",
  EHOSTUNREACH: "there is no way to that host",
  ECONNRESET: "the connection was cut",
};

const codeOf = (error: unknown): string =>
  typeof error === "object" && error !== null && "code" in error ? String(error.code) : "";

/** A resolver that does not listen to signals goes on by itself; nobody waits for it. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(new Error("aborted"));
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
