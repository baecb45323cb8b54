import type { Span } from "./span.ts";

/** What was found, by rule. Says nothing about the values. */
export interface RuleCount {
  readonly rule: string;
  readonly count: number;
}

/** Counts findings over several texts. */
export class Tally {
  readonly #counts = new Map<string, number>();

  add(spans: readonly Span[]): void {
    for (const { rule } of spans) this.#counts.set(rule, (this.#counts.get(rule) ?? 0) + 1);
  }

  get found(): readonly RuleCount[] {
    return Array.from(this.#counts, ([rule, count]) => ({ rule, count }));
  }
}
