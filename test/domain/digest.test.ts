import fc from "fast-check";
import { expect, it, vi } from "vitest";
import { canonicalJson, canonicalPieces } from "../../src/domain/canonical-json.ts";
import { digestOf, digestOfText } from "../../src/domain/digest.ts";

const asText = (value: unknown): string => [...canonicalPieces(value)].join("");

it("is the same for a long value in pieces as for its JSON at once", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.string({ unit: "binary" }), (value, text) => {
      const long = { value, text: text.repeat(Math.ceil(70_000 / Math.max(1, text.length))), a: [[], {}, text] };
      expect(asText(long) === canonicalJson(long)).toBe(true);
      expect(digestOf(long)).toBe(digestOfText(canonicalJson(long)));
    }),
    { numRuns: 20 },
  );
});

it("never cuts a surrogate pair", () => {
  for (const before of ["", "a"]) {
    const text = before + "\u{1d4b3}".repeat(40_000);
    expect(asText({ text })).toBe(canonicalJson({ text }));
  }
});

it.each([
  ["a lone surrogate", `${"x".repeat(70_000)}\ud800`],
  ["a number that JSON can't hold", ["x".repeat(70_000), Number.NaN]],
])("refuses %s in a long value as in a short one", (_, value) => {
  expect(() => digestOf(value)).toThrow(TypeError);
});

it("28.15: never holds the JSON of a long text as one string", () => {
  const stringify = vi.spyOn(JSON, "stringify");
  try {
    digestOf({ content: "\0".repeat(3_000_000) });
    const lengths = stringify.mock.results.map(({ value }) => (value as string).length);
    expect(Math.max(...lengths)).toBeLessThan(256 * 1024);
  } finally {
    stringify.mockRestore();
  }
});
