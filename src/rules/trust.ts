import type { CallFacts } from "../domain/call-facts.ts";
import type { Trust } from "../domain/tool-effects.ts";

/** The ATIP seed's order. */
const TRUST_ORDER = {
  native: 6,
  vendor: 5,
  org: 4,
  community: 3,
  user: 2,
  inferred: 1,
} as const satisfies Record<Trust, number>;

const LOWEST: Trust = "inferred";

/** Built-in tools are native and no others are: a tool that claims to be one has lied, and missing trust is the lowest. */
export function trustOf({ source, trust = LOWEST }: Pick<CallFacts, "source" | "trust">): Trust {
  if (source === "builtin") return "native";
  return trust === "native" ? LOWEST : trust;
}

export const isTrustedAs = (trust: Trust, least: Trust): boolean => TRUST_ORDER[trust] >= TRUST_ORDER[least];
