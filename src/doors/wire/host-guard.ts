import { problem } from "./problem.ts";
import type { RequestHeaders } from "./request-headers.ts";

/** Under which names this server is reached. */
export interface OwnNames {
  /** `127.0.0.1:7420`, in lower case. */
  readonly hosts: ReadonlySet<string>;
  /** `http://127.0.0.1:7420` */
  readonly origins: ReadonlySet<string>;
}

const LOOPBACK = ["127.0.0.1", "localhost", "[::1]"];
const DEFAULT_PORTS = { http: 80, https: 443 } as const;

export function ownNames(host: string, port: number, more: readonly string[]): OwnNames {
  const bound = host.includes(":") ? `[${host}]` : host.toLowerCase();
  const names = [...LOOPBACK, bound].flatMap((name) =>
    port === DEFAULT_PORTS.http ? [name, `${name}:80`] : [`${name}:${port}`],
  );
  return {
    hosts: new Set([...names, ...more]),
    origins: new Set([
      ...names.map((name) => `http://${name}`),
      ...more.flatMap((name) => [`https://${name}`, `http://${name}`]),
    ]),
  };
}

/**
 * A page of another site can make a browser send requests here, and by changing what its own name resolves to it can even
 * read the answers (DNS rebinding). Such requests carry the other site's name as `Host` or `Origin`. Null: it is none.
 */
export function foreignRequest(headers: RequestHeaders, { hosts, origins }: OwnNames, target = "/"): Response | null {
  const host = headers.get("host")?.toLowerCase();
  if (host === undefined || !hosts.has(host) || !isOwnTarget(target, origins)) {
    return problem("HOST_FORBIDDEN", {
      detail: "the `Host` header or the address does not name this server",
      hint: "use its own address; names of a proxy in front of it go into `server.hosts`",
    });
  }
  const origin = headers.get("origin")?.toLowerCase();
  const site = headers.get("sec-fetch-site");
  const isForeign = origin !== undefined && !origins.has(origin);
  // A link on another site may lead to the console; nothing else of another site's may come here.
  const isNavigation = headers.get("sec-fetch-mode") === "navigate" && origin === undefined;
  const isCrossSite = (site === "cross-site" || site === "same-site") && !isNavigation;
  if (!isForeign && !isCrossSite) return null;
  return problem("ORIGIN_FORBIDDEN", { detail: "the request was made by a page of another site" });
}

/** RFC 9112, section 3.2.2: a whole address, as proxies are sent, comes before `Host`, and is what doors would be told. */
const isOwnTarget = (target: string, origins: ReadonlySet<string>): boolean =>
  target.startsWith("/") || target === "*" || origins.has(URL.parse(target)?.origin ?? "");
