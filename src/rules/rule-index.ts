import { type Effect, isStricter } from "../domain/decision.ts";
import type { Touch, TouchKind } from "../domain/touch.ts";
import type { PathPattern } from "./path-pattern.ts";
import type { Rule } from "./rule.ts";

/** A rule as far as one kind of touch is concerned. */
export interface Candidate {
  readonly rule: Rule;
  /** Null = whatever is touched. */
  readonly paths: readonly PathPattern[] | null;
}

const KINDS = ["read", "write", "delete", "exec", "connect", "git", "model", "tool", "unknown"] as const;

/**
 * For each kind of touch the rules that can cover it.
 * INVARIANT (strictest first): plain rules come before `otherwise` rules, and within both deny before ask before
 * allow, each in file order. So the first that covers a touch is the one that decides it.
 */
export function indexByKind(rules: readonly Rule[]): ReadonlyMap<TouchKind, readonly Candidate[]> {
  const plain = strictestFirst(rules.filter((rule) => !rule.otherwise));
  const otherwise = strictestFirst(rules.filter((rule) => rule.otherwise));
  const ordered = [...plain, ...otherwise];
  return new Map(KINDS.map((kind) => [kind, ordered.flatMap((rule) => candidateFor(rule, kind))]));
}

export function covers({ rule, paths }: Candidate, touch: Touch, toolName: string): boolean {
  if (rule.tools !== null && !rule.tools.some((pattern) => pattern.matches(toolName))) return false;
  if (paths === null) return true;
  // Only rules about files have paths, so the touch is one.
  const { path } = touch as { path: string };
  for (const pattern of paths) if (pattern.matches(path)) return true;
  return false;
}

function candidateFor(rule: Rule, kind: TouchKind): readonly Candidate[] {
  if (rule.kinds === null) return kind === "unknown" && rule.effect === "allow" ? [] : [{ rule, paths: null }];
  const paths = rule.kinds.get(kind);
  return paths === undefined ? [] : [{ rule, paths }];
}

/** Sorting is stable, so file order holds among equals. */
const strictestFirst = (rules: readonly Rule[]): readonly Rule[] =>
  rules.toSorted((a, b) => compared(a.effect, b.effect));

const compared = (a: Effect, b: Effect): number => (isStricter(a, b) ? -1 : isStricter(b, a) ? 1 : 0);
