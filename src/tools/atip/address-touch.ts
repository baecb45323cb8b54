import { canonicalAddress } from "../../domain/address.ts";
import { hostFromParsed } from "../../domain/host.ts";
import type { Touch } from "../../domain/touch.ts";
import { quoted } from "../../domain/visible.ts";

const PORTS: ReadonlyMap<string, number> = new Map([
  ["http", 80],
  ["https", 443],
  ["ws", 80],
  ["wss", 443],
  ["ftp", 21],
  ["ssh", 22],
  ["git", 9418],
]);

/**
 * Scheme, host and port in letters that every parser reads alike. Nothing before the host: of `good\@evil` and `good@evil`
 * programs make one or the other, and some of `good#@evil` as well. Only to ssh is a plain user name something that its addresses have.
 */
const PLAIN =
  /^(?:[a-z][a-z0-9+.-]*:\/\/|ssh:\/\/[a-z0-9_.-]+@)(?<host>\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(?::\d{1,5})?(?:\/|[?#][^@]*$|$)/i;

/** What the engine drops or turns round, and others do not. */
const TURNED = /[\p{Cc}\p{Cs}\s\\]/u;

/**
 * Where a program is told to connect to. The program gets the text and reads it itself, so that what parsers disagree about
 * (a backslash, a user before the host, `0x7f.1`, letters of other scripts) leads to where nobody here can tell.
 */
export function addressTouch(address: string): Touch {
  const plain = TURNED.test(address) || !URL.canParse(address) ? undefined : PLAIN.exec(address)?.groups;
  const unknown: Touch = { kind: "unknown", reason: `it can't be told where ${quoted(address)} leads` };
  if (plain === undefined) return unknown;
  const url = new URL(address);
  const scheme = url.protocol.slice(0, -1);
  const port = Number(url.port || PORTS.get(scheme) || 0);
  const host = hostFromParsed(url.hostname.toLowerCase());
  if (host === null || port === 0 || !isSpelled(plain["host"] ?? "", host)) return unknown;
  return { kind: "connect", host, port, scheme };
}

/** An IPv6 address has many spellings, and one meaning. */
const isSpelled = (given: string, host: string): boolean =>
  given.startsWith("[")
    ? canonicalAddress(given.slice(1, -1).toLowerCase()) === host
    : given.toLowerCase().replace(/\.$/, "") === host;
