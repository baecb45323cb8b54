import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PatternTrie, type Visitor } from "../../src/rules/pattern-trie.ts";

interface Added {
  readonly head: readonly string[];
  readonly last: string | null;
}

const name = fc.constantFrom("a", "b", "ab", "c");
const names = fc.array(name, { maxLength: 4 });
const added: fc.Arbitrary<Added> = fc.record({ head: names, last: fc.option(name) });

/** Begins with the head, and ends in the last step if there is one. */
const mayMatch = ({ head, last }: Added, steps: readonly string[]): boolean =>
  head.every((step, i) => steps[i] === step) && (last === null || steps.at(-1) === last);

function found(look: (visitor: Visitor<Added>) => void): readonly Added[] {
  const all: Added[] = [];
  look({ visit: (entries) => void all.push(...entries) });
  return all;
}

const inOrder = (entries: readonly Added[]) => entries.map((entry) => JSON.stringify(entry)).sort();

describe("entries by the steps of their patterns", () => {
  it("are found by steps and by path, all that may match and no other; also those added after a look", () => {
    void fc.assert(
      fc.property(fc.array(added, { maxLength: 8 }), fc.array(added, { maxLength: 4 }), names, (first, more, steps) => {
        const trie = new PatternTrie<Added>();
        const path = `/${steps.join("/")}`;
        for (const entries of [first, more]) {
          for (const entry of entries) trie.add(entry, entry);
          const known = entries === first ? first : [...first, ...more];
          const expected = inOrder(known.filter((entry) => mayMatch(entry, steps)));
          expect(inOrder(found((visitor) => trie.along(steps, visitor)))).toEqual(expected);
          expect(inOrder(found((visitor) => trie.alongPath(path, visitor)))).toEqual(expected);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it("are found by the words of a command, and all that are possible from a word on that is not known", () => {
    const first = fc.option(fc.constantFrom("/usr/bin/", "./"), { nil: "" });
    const length = fc.option(fc.nat(3), { nil: 9 });
    void fc.assert(
      fc.property(fc.array(added, { maxLength: 8 }), names, first, length, (entries, steps, folder, known) => {
        const trie = new PatternTrie<Added>();
        for (const entry of entries) trie.add(entry, entry);
        const words = steps.map((step, at) => ({ text: at === 0 ? folder + step : step, known: at < known }));
        const sure = steps.slice(0, known);
        const mayBegin = ({ head }: Added) =>
          head.every((step, at) => sure[at] === step || (known < steps.length && at >= known));
        const expected = inOrder(entries.filter(mayBegin));
        expect(inOrder(found((visitor) => trie.alongWords(words, visitor)))).toEqual(expected);
      }),
      { numRuns: 1000 },
    );
  });

  it("are found whatever the subject is, where they have no pattern", () => {
    const trie = new PatternTrie<number>();
    trie.add(1, null);
    const seen: number[] = [];
    for (const path of ["/", "/a", "/a/b"]) trie.alongPath(path, { visit: (entries) => void seen.push(...entries) });
    expect(seen).toEqual([1, 1, 1]);
  });

  it("below a workspace are not found beside it", () => {
    const trie = new PatternTrie<string>();
    trie.add("ws", { head: ["home", "ws"], last: null });
    const at = (path: string) => {
      const seen: string[] = [];
      trie.alongPath(path, { visit: (entries) => void seen.push(...entries) });
      return seen;
    };
    for (const path of ["/home/ws", "/home/ws/a"]) expect(at(path)).toEqual(["ws"]);
    for (const path of ["/", "/home", "/home/w", "/home/ws-evil", "/home/ws-evil/a", "/homes/ws", "/x/home/ws"])
      expect(at(path)).toEqual([]);
  });
});
