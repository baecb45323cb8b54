import type { SeenTexts } from "./seen-texts.ts";
import type { Span } from "./span.ts";

/** What was found, by rule. Says nothing about the values. */
export interface RuleCount {
  readonly rule: string;
  readonly count: number;
}

const NONE: readonly RuleCount[] = [];

/** Counts findings over several texts. */
export class Tally {
  /** Long texts that were looked at, and what was left of them. Null: every one is looked at, and counted, by itself. */
  readonly seen: SeenTexts | null;
  #counts: Map<string, number> | null = null;

  constructor(seen: SeenTexts | null = null) {
    this.seen = seen;
  }

  add(spans: readonly Span[]): void {
    this.#counts ??= new Map();
    for (const { rule } of spans) this.#counts.set(rule, (this.#counts.get(rule) ?? 0) + 1);
  }

  get found(): readonly RuleCount[] {
    return this.#counts === null ? NONE : Array.from(this.#counts, ([rule, count]) => ({ rule, count }));
  }
}
