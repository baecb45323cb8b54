import { addressKind, canonicalAddress } from "../domain/address.ts";
import { hostInUrl, isLocalHost, isLocalName } from "../domain/host.ts";
import { quoted } from "../domain/visible.ts";
import type { ConnectGrant, EgressFault } from "../ports/egress.ts";

export interface HostAndPort {
  readonly host: string;
  readonly port: number;
}

/** Where the host is, as far as its letters tell: at these addresses, or somebody has to look its name up. */
export type HostCheck =
  | { readonly kind: "addresses"; readonly addresses: readonly string[] }
  | { readonly kind: "lookup" }
  | { readonly kind: "blocked"; readonly fault: EgressFault };

/** Before anything is looked up: a name that is not granted is told to no name server either. */
export function checkHost({ host, port }: HostAndPort, grant: ConnectGrant): HostCheck {
  if (!grant.covers(host, port)) return { kind: "blocked", fault: notGranted({ host, port }) };
  if (isLocalHost(host) && !grant.names(host, port)) return { kind: "blocked", fault: notNamed({ host, port }, host) };
  // RFC 6761: this name is not for name servers to say.
  if (isLocalName(host)) return { kind: "addresses", addresses: ["127.0.0.1", "::1"] };
  return addressKind(host) === null ? { kind: "lookup" } : { kind: "addresses", addresses: [host] };
}

/**
 * Null = one may connect to any of them. One that is not granted spoils all: an answer that mixes both is not an
 * accident, and which of them is taken must not be left to chance (DNS rebinding).
 */
export function checkAddresses(
  { host, port }: HostAndPort,
  found: readonly string[],
  grant: ConnectGrant,
): EgressFault | null {
  if (found.length === 0) return unreachable({ host, port }, "it has no address");
  for (const text of found) {
    const address = canonicalAddress(text);
    if (address === null) return notNamed({ host, port }, text);
    if (addressKind(address) !== "public" && !grant.names(address, port)) return notNamed({ host, port }, address);
  }
  return null;
}

const shown = ({ host, port }: HostAndPort): string => quoted(`${hostInUrl(host)}:${port}`, { max: 300 });

const notGranted = (to: HostAndPort): EgressFault => ({
  code: "EGRESS_BLOCKED",
  message: `nothing grants a connection to ${shown(to)}`,
  hint: `a rule may grant it: \`connect: ["${hostInUrl(to.host)}:${to.port}"]\``,
});

/** `address`: what it leads to. */
const notNamed = (to: HostAndPort, address: string): EgressFault => {
  const kind = addressKind(address) ?? "unreadable";
  const leads = address === to.host ? `${shown(to)} is` : `${shown(to)} leads to ${quoted(address)}, which is`;
  return {
    code: "EGRESS_BLOCKED",
    message: `${leads} not on the internet (${isLocalName(address) ? "loopback" : kind}), and no rule names that address`,
    hint: `if it is meant, name it without a wildcard: \`connect: ["${hostInUrl(address)}:${to.port}"]\``,
  };
};

export const unreachable = (to: HostAndPort, why: string): EgressFault => ({
  code: "CONNECT_FAILED",
  message: `${shown(to)} could not be reached: ${why}`,
});
