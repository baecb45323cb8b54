import { Buffer } from "node:buffer";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { truncateText } from "../../src/redact/truncate.ts";

const NOTE = "\n[TRUNCATED: 100 bytes in all]\n";

describe("truncateText", () => {
  it("leaves a text alone that fits exactly", () => {
    expect(truncateText("é".repeat(50), 100)).toEqual({ text: "é".repeat(50), bytes: null });
  });

  it("keeps the start and the end, and says how much there was", () => {
    expect(truncateText("a".repeat(50) + "z".repeat(50), 99)).toEqual({
      text: "a".repeat(34) + NOTE + "z".repeat(34),
      bytes: 100,
    });
  });

  it("says how to get the whole", () => {
    const { text } = truncateText("a".repeat(100), 99, "toolgate blobs get 00");
    expect(text).toMatch(/^a+\n\[TRUNCATED: 100 bytes in all; toolgate blobs get 00\]\na+$/);
    expect(Buffer.byteLength(text)).toBe(99);
  });

  it("cuts no code point in two", () => {
    const { text } = truncateText("🔑".repeat(25), NOTE.length + 14);
    expect(text).toBe(`🔑${NOTE}🔑`);
  });

  it.each([
    [NOTE.length, NOTE],
    [NOTE.length - 1, ""],
    [0, ""],
  ])("has room for the note or for nothing in %i bytes", (bytesMax, expected) => {
    expect(truncateText("a".repeat(100), bytesMax)).toEqual({ text: expected, bytes: 100 });
  });

  it("never goes over the limit, and is well formed", () => {
    void fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 80 }), fc.nat(120), (text, bytesMax) => {
        const cut = truncateText(text, bytesMax);
        expect(Buffer.byteLength(cut.text)).toBeLessThanOrEqual(bytesMax);
        expect(cut.text.isWellFormed()).toBe(true);
        expect(cut.bytes === null).toBe(Buffer.byteLength(text) <= bytesMax);
      }),
    );
  });
});
