import { Buffer } from "node:buffer";
import { expect, it } from "vitest";
import { united, withMarkers } from "../../src/redact/span.ts";

const span = (start: number, end: number, rule: string) => ({ start, end, rule });

it("makes one of spans that overlap, named by the leftmost and longest", () => {
  const spans = [span(4, 9, "late"), span(0, 3, "short"), span(0, 5, "long"), span(9, 10, "next")];
  expect(united(spans)).toEqual([span(0, 9, "long"), span(9, 10, "next")]);
});

it("names equal spans by the first", () => {
  expect(united([span(1, 2, "first"), span(1, 2, "second")])).toEqual([span(1, 2, "first")]);
});

it("puts markers in the place of spans, and none for a span that began before the range", () => {
  const shown = (from: number, to: number) =>
    Buffer.from(withMarkers(Buffer.from("0123456789"), [span(1, 3, "a"), span(5, 9, "b")], { from, to })).toString();
  expect(shown(0, 10)).toBe("0[REDACTED:a]34[REDACTED:b]9");
  expect(shown(2, 10)).toBe("34[REDACTED:b]9");
  expect(shown(0, 7)).toBe("0[REDACTED:a]34[REDACTED:b]");
  expect(shown(3, 5)).toBe("34");
});
