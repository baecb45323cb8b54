import type { Digest } from "./digest.ts";
import type { UpstreamSpec, UpstreamValue } from "./upstream.ts";

export type GovernorWay =
  | {
      readonly kind: "script";
      /** The program as the operator names it, and its arguments: no shell. Started in the workspace. */
      readonly command: readonly [string, ...string[]];
      readonly grant: UpstreamSpec["grant"];
    }
  | {
      readonly kind: "http";
      readonly url: string;
      /** Names in lower case. At most one of them holds a secret. */
      readonly headers: Readonly<Record<string, UpstreamValue>>;
    };

/** A governor as the operator wants it. */
export interface GovernorSpec {
  readonly id: string;
  readonly way: GovernorWay;
  readonly timeoutMs: number;
  /** A yes of this one is not enough: a person has to look all the same. */
  readonly requiresManual: boolean;
}

export interface GovernorSettings {
  /** One after the other until one objects, instead of all at once. */
  readonly stopOnFirstReject: boolean;
  /** Whether the yes of all of them answers a question; otherwise they can only object. */
  readonly autoDecision: "all_approve" | null;
}

/** What a file of governors says. */
export interface GovernorSpecs {
  readonly specs: readonly GovernorSpec[];
  readonly settings: GovernorSettings;
  /** Of the file's text; null = there is none. */
  readonly hash: Digest | null;
}
