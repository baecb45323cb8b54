import { canonicalAddress } from "../domain/address.ts";
import { hostInUrl } from "../domain/host.ts";
import { quoted } from "../domain/visible.ts";
import type { Pattern } from "./pattern.ts";
import { type PatternError, patternError } from "./pattern-error.ts";

/** Labels of letters, digits, `-` and `_`; a name is not all numbers, since those are addresses. */
const NAME = /^(?=.*[a-z])[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/;
const PORT = /^[1-9]\d{0,4}$/;
const PORT_MAX = 65_535;
/** RFC 1035, section 2.3.4. */
const HOST_MAX = 253;

/**
 * `host:port`. The port is a number, or `*` for any; `*.example.com` is every name below example.com, at any depth,
 * `**.example.com` the same and example.com itself, `*` every host; an IPv6 address stands in brackets. What is not on the
 * internet (`127.0.0.1`, `localhost`) is let through by its own name only: see `coverageOf`.
 */
export function compileConnectPattern(pattern: string): Pattern | PatternError {
  const colon = pattern.lastIndexOf(":");
  const port = pattern.slice(colon + 1);
  if (colon === -1 || (port !== "*" && !isPort(port)))
    return bad(pattern, "does not end in a port", "write `example.com:443`, or `example.com:*` for every port");
  const host = hostOfPattern(pattern);
  const address = canonicalAddress(host);
  if (!pattern.startsWith("[") && host.includes(":") && address !== null)
    return bad(pattern, "has an address without brackets", "write `[::1]:443`");
  // Touches know one spelling of an address: a deny in another one would protect nobody.
  if (address !== null && address !== host)
    return bad(
      pattern,
      "spells its address in another way than connections do",
      `write \`${hostInUrl(address)}:${port}\``,
    );
  const stars = /^\*{1,2}(?=\.|$)/.exec(host)?.[0] ?? "";
  const rest = host.slice(stars === "" ? 0 : stars.length + 1);
  if (host !== "*" && !NAME.test(rest) && (stars !== "" || address === null))
    return bad(
      pattern,
      "has no host that a connection can name",
      "write it in lower case; `*.` at the start stands for every name below",
    );
  const isHost = hostMatcher(stars, rest);
  const matches = (subject: string): boolean => {
    const end = subject.lastIndexOf(":");
    return (port === "*" || subject.slice(end + 1) === port) && isHost(subject.slice(0, end));
  };
  const exact = stars === "" ? { isExact: true as const } : {};
  return { text: pattern, matches, ...exact, head: host === "*" ? [] : hostSteps(rest), last: null };
}

/** The host that a pattern speaks about, wildcards and all. */
export const hostOfPattern = (pattern: string): string => unbracketed(pattern.slice(0, pattern.lastIndexOf(":")));

/** The labels of a host from the right; an address is one step. */
export const hostSteps = (host: string): readonly string[] => (NAME.test(host) ? host.split(".").reverse() : [host]);

/** Whether rules can speak about the host: a name in another spelling would slip past the patterns of a deny. */
export const isCanonicalHost = (host: string): boolean =>
  host.length <= HOST_MAX && (NAME.test(host) || canonicalAddress(host) === host);

function hostMatcher(stars: string, rest: string): (host: string) => boolean {
  if (stars === "") return (host) => host === rest;
  if (rest === "") return () => true;
  return (host) => host.endsWith(`.${rest}`) || (stars === "**" && host === rest);
}

const isPort = (text: string): boolean => PORT.test(text) && Number(text) <= PORT_MAX;

const unbracketed = (host: string): string => (/^\[.*:.*\]$/.test(host) ? host.slice(1, -1) : host);

const bad = (pattern: string, what: string, hint: string): PatternError =>
  patternError(`the connection ${quoted(pattern)} ${what}`, hint);
