import { hostFromParsed, hostInUrl } from "./host.ts";
import { quoted } from "./visible.ts";

/** Where a connection goes. INVARIANT (host): `host` is canonical, see `hostFromParsed`. */
export interface WebTarget {
  readonly scheme: "http" | "https";
  readonly host: string;
  readonly port: number;
}

/** A URL that may be asked for, in its one spelling. */
export interface WebUrl extends WebTarget {
  /** Without fragment. What is asked for is this, and no second reading of what was given. */
  readonly href: string;
  /** Path and query. */
  readonly path: string;
}

export type Parsed<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly because: string };

const no = (because: string): Parsed<never> => ({ ok: false, because });

export const URL_LENGTH_MAX = 8192;

/** `base`: of the page that refers to it. */
export function webUrlFrom(text: string, base?: string): Parsed<WebUrl> {
  // The engine drops tabs, line ends and outer blanks without a word; what is shown must be what is asked for.
  if (text.length > URL_LENGTH_MAX) return no(`it is longer than ${URL_LENGTH_MAX} characters`);
  if (/[\p{Cc}\p{Cs}\s\\]/u.test(text)) return no("it holds a blank, a backslash or a control character");
  if (!URL.canParse(text, base)) return no("it is no URL");
  const url = new URL(text, base);
  if (url.protocol !== "http:" && url.protocol !== "https:")
    return no(`its scheme is ${quoted(url.protocol.slice(0, -1))}, and only \`http\` and \`https\` are spoken`);
  if (url.username !== "" || url.password !== "" || /^[a-z]+:\/*[^/?#]*@/i.test(text))
    return no("it holds a user name or password before its host");
  const host = hostFromParsed(url.hostname);
  if (host === null) return no(`it has no host that a connection can name`);
  const scheme = url.protocol === "http:" ? "http" : "https";
  const port = url.port === "" ? DEFAULT_PORTS[scheme] : Number(url.port);
  if (port === 0) return no("no server listens on port 0");
  const path = `${url.pathname}${url.search}`;
  return { ok: true, value: { scheme, host, port, path, href: `${originOf({ scheme, host, port })}${path}` } };
}

/** `host:port`, as CONNECT has it. */
export function authorityFrom(text: string): Parsed<{ readonly host: string; readonly port: number }> {
  const [, rawHost, rawPort] = /^(\[[0-9a-f:.]+\]|[^\s\p{Cc}:/?#@\\[\]%]+):([1-9]\d{0,4})$/iu.exec(text) ?? [];
  if (rawHost === undefined || Number(rawPort) > 65_535) return no("it is not a host and a port");
  const host = URL.canParse(`http://${rawHost}/`) ? hostFromParsed(new URL(`http://${rawHost}/`).hostname) : null;
  return host === null
    ? no("it has no host that a connection can name")
    : { ok: true, value: { host, port: Number(rawPort) } };
}

const DEFAULT_PORTS = { http: 80, https: 443 } as const;

/** Scheme, host and port, the port only where it is not the scheme's own. */
export const originOf = (target: WebTarget): string => `${target.scheme}://${hostHeader(target)}`;

export const hostHeader = ({ scheme, host, port }: WebTarget): string =>
  `${hostInUrl(host)}${port === DEFAULT_PORTS[scheme] ? "" : `:${port}`}`;
