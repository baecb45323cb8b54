import type { UpstreamValue } from "../../domain/upstream.ts";
import { webUrlFrom } from "../../domain/web-target.ts";
import type { ConnectGrant } from "../../ports/egress.ts";
import type { SecretHeader } from "../../ports/web.ts";

/** The operator has named this very host, so it may also be one that is not on the internet. */
export function grantFor(url: string): ConnectGrant {
  const parsed = webUrlFrom(url);
  const isIt = (host: string, port: number): boolean =>
    parsed.ok && parsed.value.host === host && parsed.value.port === port;
  return { covers: isIt, names: isIt };
}

export interface SplitHeaders {
  /** Names in lower case. */
  readonly plain: Record<string, string>;
  readonly secretHeader: SecretHeader | undefined;
}

export function splitHeaders(given: Readonly<Record<string, UpstreamValue>>): SplitHeaders {
  const plain: Record<string, string> = {};
  let secretHeader: SecretHeader | undefined;
  for (const [name, value] of Object.entries(given)) {
    if (typeof value === "string") plain[name.toLowerCase()] = value;
    else secretHeader = { name: name.toLowerCase(), prefix: value.prefix, secret: value.secret };
  }
  return { plain, secretHeader };
}
