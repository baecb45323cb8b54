import type { Code } from "../domain/codes.ts";

/** Which connections are granted: what the rules, a person or a grant said, in the form that the network asks for. */
export interface ConnectGrant {
  /** Whether it covers this host and port. */
  readonly covers: (host: string, port: number) => boolean;
  /** Whether it names this very host, without a wildcard: what is not on the internet is granted in no other way. */
  readonly names: (host: string, port: number) => boolean;
}

export interface EgressFault {
  readonly code: Extract<Code, "EGRESS_BLOCKED" | "CONNECT_FAILED">;
  readonly message: string;
  readonly hint?: string;
}

/** One try to connect, for the outcome and the ledger. Holds nothing of what was sent. */
export interface EgressRecord {
  /** As it was asked for, canonical where it could be read. */
  readonly host: string;
  readonly port: number;
  /** The address that was connected to; null = none. */
  readonly address: string | null;
  readonly via: "connect" | "http" | "socks";
  /** Null = connected. */
  readonly refused: string | null;
  readonly sentBytes: number;
  readonly receivedBytes: number;
}

export interface EgressLog {
  /** The first of them, in the order in which they ended. */
  readonly connections: readonly EgressRecord[];
  /** How many more there were. */
  readonly unlisted: number;
}

export interface ProxyLimits {
  /** At one time. */
  readonly connections: number;
  /** Both ways, over the proxy's whole life. */
  readonly bytes: number;
  /** How long a connection may be silent. */
  readonly idleMs: number;
}

export interface ProxyRequest {
  /** A path in a folder that only this user may enter. Nothing may be there yet. */
  readonly socketPath: string;
  readonly grant: ConnectGrant;
  readonly limits?: Partial<ProxyLimits>;
}

/** A way out for one call: all connections go through it or nowhere. */
export interface EgressProxy {
  readonly log: () => EgressLog;
  /** Ends every connection. Comes back with what there was. */
  readonly close: () => Promise<EgressLog>;
}

export interface EgressProxies {
  /** Rejects when it can't listen: then there is no network, and the call must not be started. */
  readonly open: (request: ProxyRequest) => Promise<EgressProxy>;
}
