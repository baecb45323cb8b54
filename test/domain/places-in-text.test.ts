import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { isInText, placesInText } from "../../src/domain/places-in-text.ts";

function placesByHand(text: string, wanted: string): readonly number[] {
  return Array.from({ length: text.length + 1 }, (_, at) => at).filter((at) => text.startsWith(wanted, at));
}

describe("the places of a text in another", () => {
  it("are those where it stands, also where they overlap", () => {
    const few = fc.array(fc.constantFrom("a", "b"), { maxLength: 12 }).map((letters) => letters.join(""));
    // Short and long: those are searched for in different ways.
    fc.assert(
      fc.property(few, few, fc.constantFrom(1, 20), (text, wanted, times) => {
        const [longer, long] = [text.repeat(times * 2), wanted.repeat(times)];
        expect([...placesInText(longer, long)]).toEqual(placesByHand(longer, long));
        expect(isInText(longer, long)).toBe(longer.includes(long));
      }),
    );
  });

  it("are found by a look at each character a few times, however much the two are alike", () => {
    const half = "ab".repeat(600);
    const text = `${"ab".repeat(2500)}b${half}`;
    const wanted = `${half}b${half}`;
    let found: readonly number[] = [];
    const looks = looksDuring(() => {
      found = [...placesInText(text, wanted)];
    });
    expect(found).toEqual([2500 * 2 - half.length]);
    expect(looks).toBeGreaterThan(text.length);
    expect(looks).toBeLessThan(6 * (text.length + wanted.length));
  });
});

/** How many single characters are looked at. */
function looksDuring(step: () => void): number {
  let looks = 0;
  const { charCodeAt } = String.prototype;
  const counting = vi.spyOn(String.prototype, "charCodeAt").mockImplementation(function (this: string, at: number) {
    looks++;
    return charCodeAt.call(this, at);
  });
  step();
  counting.mockRestore();
  return looks;
}
