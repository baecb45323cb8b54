import type { FlowingWord } from "./flow-uses.ts";
import { ELSEWHERE } from "./starters.ts";
import { headOf } from "./word-shape.ts";

/** What git was told of where repositories are, to push to them by a name later. */
export const REMOTES = "git remote";

export function remotesIn(called: string, words: readonly FlowingWord[]): ReadonlySet<number> {
  const isTold = called === "git" && words.some(({ text }) => text === "remote" || text === "clone");
  return words.reduce<ReadonlySet<number>>(
    (values, { shape, flow }) => (isTold && !ELSEWHERE.test(headOf(shape)) ? values.union(flow.holds) : values),
    new Set<number>(),
  );
}
