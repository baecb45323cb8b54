import type { Secret } from "./secret.ts";
import type { Trust } from "./tool-effects.ts";

/** A value that the operator wrote, or one that only its user may see. */
export type UpstreamValue = string | { readonly prefix: string; readonly secret: Secret };

export type UpstreamWay =
  | {
      readonly kind: "stdio";
      readonly command: string;
      readonly args: readonly string[];
      /** Absolute. */
      readonly cwd: string;
      readonly env: Readonly<Record<string, UpstreamValue>>;
    }
  | { readonly kind: "http"; readonly url: string; readonly headers: Readonly<Record<string, UpstreamValue>> };

export const MAPPED_KINDS = ["read", "write", "delete", "connect"] as const;
/** Names of inputs, by what the operator says that they name. */
export type InputTouches = Readonly<Partial<Record<(typeof MAPPED_KINDS)[number], readonly string[]>>>;

/** An upstream MCP server as the operator wants it. */
export interface UpstreamSpec {
  readonly name: string;
  /** In front of its tools' names. Empty = nothing. */
  readonly prefix: string;
  readonly way: UpstreamWay;
  /** Variables that hold its secrets and are not set. INVARIANT (no secret, no start): while there is one, it is out of use. */
  readonly missing: readonly string[];
  readonly grant: {
    readonly read: readonly string[];
    readonly write: readonly string[];
    readonly connect: readonly string[];
  };
  /** By the upstream's own name of the tool; `*` = of all. */
  readonly touches: Readonly<Record<string, InputTouches>>;
  readonly trust: Trust | null;
  readonly timeoutMs: number;
  /** Whether all callers speak to one, or each session to its own. */
  readonly connection: "shared" | "session";
}

/** What an upstream says of one of its tools, as far as it is looked at and pinned. */
export interface UpstreamTool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly outputSchema?: Readonly<Record<string, unknown>>;
  readonly annotations?: Readonly<Record<string, unknown>>;
}
