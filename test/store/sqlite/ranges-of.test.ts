import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rangesOf } from "../../../src/store/sqlite/ranges-of.ts";

/** A ledger of which only the beginnings of its segments are known; the last has so many lines. */
function readerOf(begins: readonly number[], linesInLast: number) {
  return {
    size: begins.length === 0 ? 0 : (begins.at(-1) ?? 0) + linesInLast - 1,
    borderFrom: (seq: number) => begins.find((begin) => begin >= seq) ?? null,
  };
}

describe("rangesOf", () => {
  it("cover all entries, each once, from the beginning of a segment", () => {
    const gaps = fc.array(fc.integer({ min: 1, max: 50 }), { maxLength: 200 });
    void fc.assert(
      fc.property(gaps, fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 64 }), (gaps, last, parts) => {
        const begins = [1];
        for (const gap of gaps) begins.push((begins.at(-1) ?? 1) + gap);
        const reader = readerOf(begins, last);
        const ranges = rangesOf(reader, parts);
        expect(ranges.length).toBeLessThanOrEqual(parts);
        expect([ranges[0]?.from, ranges.at(-1)?.to]).toEqual([1, reader.size]);
        for (const [i, { from, to }] of ranges.entries()) {
          expect(begins).toContain(from);
          expect(to).toBe((ranges[i + 1]?.from ?? reader.size + 1) - 1);
          expect(to).toBeGreaterThanOrEqual(from);
        }
      }),
    );
  });

  it.each([
    ["nothing", readerOf([], 0), [{ from: 1, to: 0 }]],
    ["one long segment", readerOf([1], 100), [{ from: 1, to: 100 }]],
    [
      "entries in front of the first",
      readerOf([-9, 3, 50, 60], 41),
      [
        { from: 1, to: 59 },
        { from: 60, to: 100 },
      ],
    ],
    ["nothing but entries in front of the first", readerOf([-9], 3), [{ from: 1, to: -7 }]],
  ])("are still right for %s", (_, reader, ranges) => {
    expect(rangesOf(reader, 2)).toEqual(ranges);
  });
});
