import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isoTime } from "../../src/domain/iso-time.ts";

const written = (ms: number): string => new Date(ms).toISOString();

describe("isoTime", () => {
  it.each([
    0, -0, 1, 999, 1000, 1001, 1_794_843_596_007, 1_794_843_596_070, 1_794_843_596_700, 1_794_843_595_999,
    1_794_843_597_000, 1.5, 999.999, -1, -1000.5, 253_402_300_799_999, 253_402_300_800_000, 8.64e15, -8.64e15,
  ])("of %d is what a date says", (ms) => {
    expect(isoTime(ms)).toBe(written(ms));
    expect(isoTime(ms)).toBe(written(ms));
  });

  it("is, in whatever order times come", () => {
    const near = fc.tuple(fc.integer({ min: 0, max: 300_000_000_000 }), fc.integer({ min: -2000, max: 2000 }));
    fc.assert(
      fc.property(near, ([second, off]) => {
        for (const ms of [second * 1000, second * 1000 + off, second * 1000 + 1]) expect(isoTime(ms)).toBe(written(ms));
      }),
    );
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, 8.64e15 + 1])("throws for %d, and goes on", (ms) => {
    expect(() => isoTime(ms)).toThrow(RangeError);
    expect(isoTime(5)).toBe("1970-01-01T00:00:00.005Z");
  });
});
