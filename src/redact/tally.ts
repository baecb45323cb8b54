import type { Span } from "./span.ts";

/** What was found, by rule. Says nothing about the values. */
export interface RuleCount {
  readonly rule: string;
  readonly count: number;
}

const NONE: readonly RuleCount[] = [];

/** Counts findings over several texts. */
export class Tally {
  #counts: Map<string, number> | null = null;

  add(spans: readonly Span[]): void {
    this.#counts ??= new Map();
    for (const { rule } of spans) this.#counts.set(rule, (this.#counts.get(rule) ?? 0) + 1);
  }

  get found(): readonly RuleCount[] {
    return this.#counts === null ? NONE : Array.from(this.#counts, ([rule, count]) => ({ rule, count }));
  }
}
