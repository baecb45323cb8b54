import { expect, it } from "vitest";
import { needs } from "../support/parts.ts";
import { comparedInTheEnd } from "./against-bash.ts";
import { composition, Dice } from "./compositions.ts";
import { allowing, decisionOn } from "./judged.ts";

const DEPTH = 4;
const FRIENDS = ["ca", "cb", "cc1"];
const FOE = "ce";
/** What compositions use beside their commands. */
const GLUE = [":", "true", "wait", "break", "declare", "trap", "exec", "echo", "eval", "bash", "find", "xargs"];
const SLICE = 2000;

/** Scripts put together from operators, quotes and carriers: with a command that is not allowed, none is. */
export function judgeCompositions(count: number, seed: number): void {
  it(`none of ${count} compositions is wrongly allowed`, () => {
    const rules = allowing([...FRIENDS, ...GLUE], { dynamic: true });
    const dice = new Dice(seed);
    const wrong: string[] = [];
    const tally = { withFoe: 0, allowed: 0, withoutFoe: 0 };
    for (let i = 0; i < count; i++) {
      const { script, leaves } = composition(dice, { names: [...FRIENDS, ...FRIENDS, FOE], depth: DEPTH });
      const hasFoe = leaves.some(([name]) => name === FOE);
      const isAllowed = decisionOn(rules, script) === "allow";
      if (hasFoe && isAllowed) wrong.push(script);
      tally[hasFoe ? "withFoe" : "withoutFoe"]++;
      if (isAllowed) tally.allowed++;
    }
    console.info(`compositions: ${JSON.stringify(tally)}`);
    expect(wrong).toEqual([]);
    // A gate that refuses everything would pass as well.
    expect(tally.allowed).toBeGreaterThan(tally.withoutFoe * 0.4);
    expect(tally.withFoe).toBeGreaterThan(count * 0.2);
  });
}

export function traceCompositions(count: number, seed: number): void {
  needs(
    "bwrap",
    "bash",
    "dash",
    "timeout",
  )("compositions in real bash", () => {
    it(`of ${count}, the list of commands is what bash runs`, () => {
      const dice = new Dice(seed);
      const names = [...FRIENDS, FOE];
      const scripts = Array.from({ length: count }, () => composition(dice, { names, depth: DEPTH }).script);
      for (let at = 0; at < count; at += SLICE) {
        const compared = comparedInTheEnd(scripts.slice(at, at + SLICE), names);
        const different = compared.filter(({ missing, extra }) => missing.length + extra.length > 0);
        expect(different.map(({ script, missing, extra }) => ({ script, missing, extra }))).toEqual([]);
      }
    });
  });
}
