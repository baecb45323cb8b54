import { isIP } from "node:net";
import { hostInUrl } from "../domain/host.ts";
import { RELAY_PORT } from "./proxy-environment.ts";

/** A place on a sandbox's own loopback that leads to a granted host, by way of the proxy. */
export interface Forward {
  readonly address: string;
  readonly port: number;
  /** The host as the program knows it. */
  readonly host: string;
}

/** More than any program has use for, and so few that all names of them fit into the file of names. */
const FORWARDS_MAX = 12;
/** Below, only root may listen; what is served there (HTTP, SSH) is reached through a proxy. */
const PORT_MIN = 1024;
const EXACT = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+):(\d+)$/;
const OWN = /^(?:localhost|127\.0\.0\.1|::1)$/;

/**
 * For grants that name one host and one port. What is on this machine is found at the same place inside; any other name
 * has an address of its own there. An address that is not of this machine can't be, and is left to programs that know
 * proxies.
 */
export function forwardsOf(connect: readonly string[]): readonly Forward[] {
  const forwards = new Map<string, Forward>();
  const addresses = new Map<string, string>();
  for (const pattern of connect) {
    const [, raw = "", digits] = EXACT.exec(pattern) ?? [];
    const host = raw.replace(/^\[|\]$/g, "");
    const port = Number(digits);
    if (host === "" || port < PORT_MIN || forwards.size >= FORWARDS_MAX) continue;
    const isOwn = OWN.test(host);
    if ((isIP(host) !== 0 && !isOwn) || (isOwn && port === RELAY_PORT)) continue;
    const address = isOwn ? "127.0.0.1" : (addresses.get(host) ?? `127.0.1.${addresses.size + 1}`);
    if (!isOwn) addresses.set(host, address);
    const at = `${address}:${port}`;
    if (!forwards.has(at)) forwards.set(at, { address, port, host });
  }
  return [...forwards.values()];
}

/** As the relay is told. */
export const relayPorts = (forwards: readonly Forward[]): string =>
  [RELAY_PORT, ...forwards.map(({ address, port, host }) => `${address}:${port}=${hostInUrl(host)}:${port}`)].join(",");

/** Which name is at which address. */
export const hostAddresses = (forwards: readonly Forward[]): Readonly<Record<string, string>> =>
  Object.fromEntries(forwards.flatMap(({ host, address }) => (OWN.test(host) ? [] : [[host, address]])));
