import fc from "fast-check";
import { describe, expect, it } from "vitest";
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

  it("are found in linear time, however much the two are alike", () => {
    const half = "ab".repeat(60_000);
    const text = "ab".repeat(250_000);
    const startedMs = performance.now();
    expect(isInText(text, `${half}b${half}`)).toBe(false);
    expect([...placesInText(`${text}b${half}`, `${half}b${half}`)]).toEqual([text.length - half.length]);
    expect(performance.now() - startedMs).toBeLessThan(5000);
  });
});
