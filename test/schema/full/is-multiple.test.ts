import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isMultiple } from "../../../src/schema/full/is-multiple.ts";

describe("multiples, as they are written", () => {
  it.each<[value: number, step: number, expected: boolean]>([
    [10, 5, true],
    [7, 5, false],
    [0, 0.01, true],
    [-0, 0.01, true],
    [19.99, 0.01, true],
    [19.995, 0.01, false],
    [-4.35, 0.01, true],
    [0.07, 0.01, true],
    [7, 0.5, true],
    [7.25, 0.5, false],
    [1e300, 0.01, true],
    [1e-7, 1e-8, true],
    [1e-8, 1e-7, false],
    [5e-324, 1, false],
    [Number.MAX_VALUE, 5e-324, true],
    [1.5e21, 1e20, true],
  ])("%d of %d: %s", (value, step, expected) => expect(isMultiple(value, step)).toBe(expected));

  it("whole cents are multiples of a cent, and half ones are not", () => {
    void fc.assert(
      fc.property(fc.integer({ min: -1e9, max: 1e9 }), (cents) => {
        expect(isMultiple(Number(`${cents}e-2`), 0.01)).toBe(true);
        expect(isMultiple(Number(`${cents}5e-3`), 0.01)).toBe(false);
      }),
    );
  });
});
