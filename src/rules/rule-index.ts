import type { CallFacts } from "../domain/call-facts.ts";
import { type Effect, isStricter } from "../domain/decision.ts";
import type { FileTouch, TouchKind } from "../domain/touch.ts";
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

/** The rules for one kind of touch: those for tools by exact name, those for tools by pattern, and the rest. */
interface KindIndex {
  readonly byTool: ReadonlyMap<string, PatternTrie<Candidate>>;
  readonly byPattern: readonly Ranked[];
  readonly rest: PatternTrie<Candidate>;
  /** What was found for a tool when it was first asked about: which patterns its name matches does not change. */
  readonly found: Map<string, readonly PatternTrie<Candidate>[]>;
  /** What was found for a file, by tool: agents come back to the same files. */
  readonly byPath: Map<string, Map<string, FileCandidates>>;
}

/** What covers a file when a tool touches it. */
interface FileCandidates {
  /** But for containment and conditions. */
  readonly all: readonly Candidate[];
  /** Which of them decides, where nothing else about the call matters; null = none covers it. Undefined: that matters. */
  readonly decisive: Candidate | null | undefined;
}

interface Ranked {
  readonly rule: Rule;
  readonly rank: number;
}

/** Far more than there are tools in use at a time; beyond it everything is found anew. */
const FOUND_MAX = 20_000;
const PATHS_MAX = 10_000;
const TOOLS_PER_PATH_MAX = 16;

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
  const known = ofKind.found.get(tool);
  if (known !== undefined) return known;
  const tries = triesOf(ofKind, kind, tool);
  if (ofKind.found.size === FOUND_MAX) ofKind.found.clear();
  ofKind.found.set(tool, tries);
  return tries;
}

/** What covers a file when this tool touches it, but for containment and conditions. */
export function candidatesFor(
  index: RuleIndex,
  kind: FileTouch["kind"],
  tool: string,
  path: string,
): readonly Candidate[] {
  const { byPath } = index.get(kind) as KindIndex; // there is one for each of KINDS
  const known = byPath.get(path)?.get(tool);
  if (known !== undefined) return known.all;
  const candidates: Candidate[] = [];
  for (const trie of triesFor(index, kind, tool)) {
    trie.alongPath(path, {
      visit: (some) => {
        for (const candidate of some)
          if (isForTool(candidate.rule, tool) && (candidate.pattern?.matches(path) ?? true)) candidates.push(candidate);
      },
    });
  }
  remember(byPath, path, tool, { all: candidates, decisive: decisiveOf(candidates) });
  return candidates;
}

/**
 * Which rule decides about a file, if that was found out before and depends on the file and the tool only. Undefined: it
 * has to be judged. What is here is canonical, or it would not have come so far.
 */
export const decisiveFor = (
  index: RuleIndex,
  kind: FileTouch["kind"],
  tool: string,
  path: string,
): Candidate | null | undefined => (index.get(kind) as KindIndex).byPath.get(path)?.get(tool)?.decisive;

function decisiveOf(candidates: readonly Candidate[]): Candidate | null | undefined {
  let decisive: Candidate | null = null;
  for (const candidate of candidates) {
    const { condition, containment, sandbox } = candidate.rule;
    if (condition !== null || containment !== null || sandbox !== null) return undefined;
    if (decisive === null || candidate.rank < decisive.rank) decisive = candidate;
  }
  return decisive;
}

function remember(
  byPath: Map<string, Map<string, FileCandidates>>,
  path: string,
  tool: string,
  candidates: FileCandidates,
): void {
  const byTool = byPath.get(path);
  if (byTool !== undefined && byTool.size < TOOLS_PER_PATH_MAX) {
    byTool.set(tool, candidates);
    return;
  }
  if (byPath.size === PATHS_MAX) byPath.clear();
  byPath.set(path, new Map([[tool, candidates]]));
}

const NO_TRIES: readonly PatternTrie<Candidate>[] = [];

function triesOf(
  { byTool, byPattern, rest }: KindIndex,
  kind: TouchKind,
  tool: string,
): readonly PatternTrie<Candidate>[] {
  const matching = byPattern.filter(({ rule }) => isForTool(rule, tool));
  const byName = byTool.get(tool);
  return [rest, ...(byName ? [byName] : []), ...(matching.length > 0 ? [trieFrom(matching, kind)] : [])];
}

/** Whether the rule speaks about such a call at all: what is cheap to see, before any condition. */
export const concerns = (rule: Rule, facts: CallFacts): boolean =>
  isForTool(rule, facts.tool) && isContained(rule, facts);

export const isContained = ({ containment, sandbox }: Rule, facts: CallFacts): boolean =>
  (containment === null || containment.has(facts.containment)) &&
  (sandbox === null || (facts.sandbox !== undefined && sandbox.has(facts.sandbox)));

const isForTool = ({ tools }: Rule, tool: string): boolean =>
  tools === null || tools.names.has(tool) || tools.patterns.some((pattern) => pattern.matches(tool));

function kindIndex(inOrder: readonly Rule[], kind: TouchKind): KindIndex {
  const byTool = new Map<string, Ranked[]>();
  const byPattern: Ranked[] = [];
  const rest: Ranked[] = [];
  for (const [rank, rule] of inOrder.entries()) {
    if (patternsFor(rule, kind).length === 0) continue;
    const names = exactTools(rule);
    if (names === null) (rule.tools === null ? rest : byPattern).push({ rule, rank });
    else for (const name of names) byTool.set(name, [...(byTool.get(name) ?? []), { rule, rank }]);
  }
  const tries = new Map([...byTool].map(([name, some]) => [name, trieFrom(some, kind)]));
  return { byTool: tries, byPattern, rest: trieFrom(rest, kind), found: new Map(), byPath: new Map() };
}

function trieFrom(some: readonly Ranked[], kind: TouchKind): PatternTrie<Candidate> {
  const trie = new PatternTrie<Candidate>();
  for (const { rule, rank } of some)
    for (const pattern of patternsFor(rule, kind)) trie.add({ rule, rank, pattern }, pattern);
  return trie;
}

/** What the rule says about a kind of touch: a null among them covers all of that kind, none at all covers nothing. */
export function patternsFor({ kinds, effect }: Rule, kind: TouchKind): readonly (Pattern | null)[] {
  if (kinds === null) return kind === "unknown" && effect === "allow" ? [] : [null];
  const patterns = kinds.get(kind);
  return patterns === undefined ? [] : (patterns ?? [null]);
}

/** The rule's tools, if it names each in full. */
const exactTools = ({ tools }: Rule): ReadonlySet<string> | null => (tools?.patterns.length === 0 ? tools.names : null);

/** Sorting is stable, so file order holds among equals. */
const strictestFirst = (rules: readonly Rule[]): readonly Rule[] =>
  rules.toSorted((a, b) => compared(a.effect, b.effect));

const compared = (a: Effect, b: Effect): number => (isStricter(a, b) ? -1 : isStricter(b, a) ? 1 : 0);
