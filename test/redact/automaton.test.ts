import { Buffer } from "node:buffer";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { automatonFrom } from "../../src/redact/automaton.ts";

/** `word@end` for each place where a word ends. */
function hitsOf(words: readonly string[], text: string, letters: "exact" | "any-case"): readonly string[] {
  const automaton = automatonFrom(
    words.map((word) => Buffer.from(word)),
    letters,
  );
  const hits: string[] = [];
  let state = 0;
  for (const [at, byte] of Buffer.from(text).entries()) {
    state = automaton.next[state + (automaton.columns[byte] ?? 0)] ?? 0;
    if (state >= automaton.firstHit) hits.push(...automaton.wordsAt(state).map((word) => `${words[word]}@${at + 1}`));
  }
  return hits;
}

const naiveHits = (words: readonly string[], text: string): readonly string[] =>
  Array.from({ length: text.length + 1 }, (_, end) => end).flatMap((end) =>
    words
      .filter((word) => text.slice(0, end).endsWith(word))
      .toSorted((a, b) => b.length - a.length)
      .map((word) => `${word}@${end}`),
  );

describe("automaton", () => {
  it("finds all words at once, also inside of each other", () => {
    expect(hitsOf(["he", "she", "his", "hers"], "ushers", "exact")).toEqual(["she@4", "he@4", "hers@6"]);
  });

  it("finds words in any case only where that is asked for", () => {
    expect(hitsOf(["Key_"], "kEY_", "any-case")).toEqual(["Key_@4"]);
    expect(hitsOf(["Key_"], "kEY_", "exact")).toEqual([]);
    expect(hitsOf(["a["], "A{", "any-case")).toEqual([]);
  });

  it("finds nothing without words", () => expect(hitsOf([], "text", "exact")).toEqual([]));

  it("finds what a naive search finds", () => {
    const someWords = fc.uniqueArray(fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 1, maxLength: 6 }), {
      maxLength: 8,
    });
    void fc.assert(
      fc.property(someWords, fc.string({ unit: fc.constantFrom("a", "b", "c", "d"), maxLength: 60 }), (words, text) => {
        expect(hitsOf(words, text, "exact")).toEqual(naiveHits(words, text));
      }),
      { numRuns: 1000 },
    );
  });

  it("knows how much of a word has been read", () => {
    const { next, columns, depthAt } = automatonFrom([Buffer.from("abab"), Buffer.from("bac")], "exact");
    let state = 0;
    const depths = Array.from(Buffer.from("xabac"), (byte) => {
      state = next[state + (columns[byte] ?? 0)] ?? 0;
      return depthAt(state);
    });
    expect(depths).toEqual([0, 1, 2, 3, 3]);
  });
});
