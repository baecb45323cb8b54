import fc from "fast-check";
import { expect, it } from "vitest";
import { lineDifferences } from "../../../src/doors/cli/line-differences.ts";

it.each<[string, string, string]>([
  ["a b c", "a b c", "  a|  b|  c"],
  ["a b c", "a x c", "  a|- b|+ x|  c"],
  ["a", "a b", "  a|+ b"],
  ["a b", "b", "- a|  b"],
  // The types of two parameters, exchanged.
  ["p string q number", "p number q string", "  p|- string|- q|  number|+ q|+ string"],
  ["a a", "a", "  a|- a"],
])("%s and %s: %s", (before, after, shown) => {
  expect(lineDifferences(before.split(" "), after.split(" ")).join("|")).toBe(shown);
});

it("gives both texts back, and marks something wherever they differ", () => {
  const texts = fc.array(fc.constantFrom("a", "b", "c", "{", "}"), { maxLength: 12 });
  fc.assert(
    fc.property(texts, texts, (before, after) => {
      const lines = lineDifferences(before, after);
      const without = (mark: string) => lines.filter((line) => !line.startsWith(mark)).map((line) => line.slice(2));
      expect(without("+")).toEqual(before);
      expect(without("-")).toEqual(after);
      expect(lines.every((line) => line.startsWith(" "))).toBe(before.join() === after.join());
    }),
  );
});

it("takes no more than it may for what is very long", () => {
  const before = Array.from({ length: 3000 }, (_, at) => `old ${at}`);
  const after = Array.from({ length: 3000 }, (_, at) => `new ${at}`);
  expect(lineDifferences(before, after)).toHaveLength(6000);
});
