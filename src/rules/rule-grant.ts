import type { PathPattern } from "./path-pattern.ts";
import type { Pattern } from "./pattern.ts";

/** What a rule lets a program do by itself. */
export interface RuleGrant {
  readonly read: readonly PathPattern[];
  readonly write: readonly PathPattern[];
  readonly connect: readonly Pattern[];
}
