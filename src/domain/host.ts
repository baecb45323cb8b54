import { addressKind, canonicalAddress } from "./address.ts";

/** RFC 1035, section 2.3.4: labels of at most 63 characters, all of them together 253. Names of numbers are addresses. */
const NAME = /^(?=.*[a-z])(?=.{1,253}$)[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*$/;

/**
 * The one spelling of a host, as rules know it: in lower case and ASCII, without a final dot; an address as an address,
 * whichever way it was written (`0x7f.1`, `2130706433`, `[::ffff:127.0.0.1]`). Null = no connection can name it.
 * Takes the host of a URL that the engine has parsed: that has read numbers and letters of other scripts already.
 */
export function hostFromParsed(hostname: string): string | null {
  if (hostname.startsWith("[")) return canonicalAddress(hostname.slice(1, -1));
  const host = hostname.endsWith(".") ? hostname.slice(0, -1) : hostname;
  return canonicalAddress(host) ?? (NAME.test(host) ? host : null);
}

/** RFC 6761: this name and all below it mean this machine, whatever a name server says. */
export const isLocalName = (host: string): boolean => host === "localhost" || host.endsWith(".localhost");

/** Nobody else can reach what listens there. */
export const isOfThisMachine = (host: string): boolean => isLocalName(host) || addressKind(host) === "loopback";

/** Whether it is plain, from the host's letters alone, that this leads to something that is not on the internet. */
export function isLocalHost(host: string): boolean {
  const kind = addressKind(host);
  return kind === null ? isLocalName(host) : kind !== "public";
}

/** With brackets around an IPv6 address, as URLs and patterns have them. */
export const hostInUrl = (host: string): string => (host.includes(":") ? `[${host}]` : host);
