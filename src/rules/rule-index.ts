import type { CallFacts } from "../domain/call-facts.ts";
import { type Effect, isStricter } from "../domain/decision.ts";
import type { TouchKind } from "../domain/touch.ts";
import type { Pattern } from "./pattern.ts";
import { PatternTrie } from "./pattern-trie.ts";
import type { Rule } from "./rule.ts";

/** A rule as far as one of its patterns for one kind of touch is concerned. */
export interface Candidate {
  readonly rule: Rule;
  /**
   * INVARIANT (strictest first): plain rules come before `otherwise` rules, and within both deny before ask before
   * allow, each in file order. So of those that cover a touch the one of the lowest rank decides it.
   */
  readonly rank: number;
  /** Null = whatever is touched. */
  readonly pattern: Pattern | null;
}

/** The rules for one kind of touch: those for tools by exact name, and the rest. */
interface KindIndex {
  readonly byTool: ReadonlyMap<string, PatternTrie<Candidate>>;
  readonly rest: PatternTrie<Candidate>;
  /** The same, alone in a list. */
  readonly always: readonly PatternTrie<Candidate>[];
}

export type RuleIndex = ReadonlyMap<TouchKind, KindIndex>;

const KINDS = ["read", "write", "delete", "exec", "connect", "git", "model", "tool", "unknown"] as const;

export function indexRules(rules: readonly Rule[]): RuleIndex {
  const inOrder = ranked(rules);
  return new Map(KINDS.map((kind) => [kind, kindIndex(inOrder, kind)]));
}

/** In the order of rank. */
export const ranked = (rules: readonly Rule[]): readonly Rule[] => [
  ...strictestFirst(rules.filter((rule) => !rule.otherwise)),
  ...strictestFirst(rules.filter((rule) => rule.otherwise)),
];

/** The tries that hold rules for this kind of touch by this tool. */
export function triesFor(index: RuleIndex, kind: TouchKind, tool: string): readonly PatternTrie<Candidate>[] {
  const ofKind = index.get(kind);
  if (ofKind === undefined) return NO_TRIES;
  const ofTool = ofKind.byTool.get(tool);
  return ofTool === undefined ? ofKind.always : [ofKind.rest, ofTool];
}

const NO_TRIES: readonly PatternTrie<Candidate>[] = [];

/** Whether the rule speaks about such a call at all: what is cheap to see, before any condition. */
export function concerns({ tools, containment }: Rule, facts: CallFacts): boolean {
  if (tools !== null && !tools.some((pattern) => pattern.matches(facts.tool))) return false;
  return containment === null || containment.has(facts.containment);
}

function kindIndex(inOrder: readonly Rule[], kind: TouchKind): KindIndex {
  const byTool = new Map<string, PatternTrie<Candidate>>();
  const rest = new PatternTrie<Candidate>();
  for (const [rank, rule] of inOrder.entries()) {
    const patterns = patternsFor(rule, kind);
    for (const trie of exactTools(rule)?.map((name) => trieOf(byTool, name)) ?? [rest]) {
      for (const pattern of patterns) trie.add({ rule, rank, pattern }, pattern);
    }
  }
  return { byTool, rest, always: [rest] };
}

/** What the rule says about a kind of touch: a null among them covers all of that kind, none at all covers nothing. */
export function patternsFor({ kinds, effect }: Rule, kind: TouchKind): readonly (Pattern | null)[] {
  if (kinds === null) return kind === "unknown" && effect === "allow" ? [] : [null];
  const patterns = kinds.get(kind);
  return patterns === undefined ? [] : (patterns ?? [null]);
}

/** The rule's tools, if it names each in full. */
function exactTools({ tools }: Rule): readonly string[] | null {
  const names = tools?.flatMap(({ head }) => head);
  return names !== undefined && names.length === tools?.length ? [...new Set(names)] : null;
}

function trieOf(tries: Map<string, PatternTrie<Candidate>>, tool: string): PatternTrie<Candidate> {
  const trie = tries.get(tool) ?? new PatternTrie<Candidate>();
  tries.set(tool, trie);
  return trie;
}

/** Sorting is stable, so file order holds among equals. */
const strictestFirst = (rules: readonly Rule[]): readonly Rule[] =>
  rules.toSorted((a, b) => compared(a.effect, b.effect));

const compared = (a: Effect, b: Effect): number => (isStricter(a, b) ? -1 : isStricter(b, a) ? 1 : 0);
