import { Buffer } from "node:buffer";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { truncateBytes, truncateText } from "../../src/redact/truncate.ts";

const NOTE = "\n[TRUNCATED: 100 bytes in all]";

describe("truncateText", () => {
  it("leaves a text alone that fits exactly", () => {
    expect(truncateText("é".repeat(50), 100)).toEqual({ text: "é".repeat(50), truncated: null });
  });

  it("keeps the start, and says how much there was", () => {
    expect(truncateText("a".repeat(100), 99)).toEqual({
      text: "a".repeat(99 - NOTE.length) + NOTE,
      truncated: { bytes: 100 },
    });
  });

  it("cuts no code point in two", () => {
    const { text } = truncateText("🔑".repeat(25), NOTE.length + 7);
    expect(text).toBe(`🔑${NOTE}`);
  });

  it.each([
    [NOTE.length, NOTE],
    [NOTE.length - 1, ""],
    [0, ""],
  ])("has room for the note or for nothing in %i bytes", (bytesMax, expected) => {
    expect(truncateText("a".repeat(100), bytesMax)).toEqual({ text: expected, truncated: { bytes: 100 } });
  });

  it("never goes over the limit, and is well formed", () => {
    void fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 80 }), fc.nat(120), (text, bytesMax) => {
        const cut = truncateText(text, bytesMax);
        expect(Buffer.byteLength(cut.text)).toBeLessThanOrEqual(bytesMax);
        expect(cut.text.isWellFormed()).toBe(true);
        expect(cut.truncated === null).toBe(Buffer.byteLength(text) <= bytesMax);
      }),
    );
  });
});

describe("truncateBytes", () => {
  it.each([
    ["fits", "abc", 3, "abc"],
    ["is cut", "abcd", 3, "abc"],
    ["is cut before a code point", "aé", 2, "a"],
    ["is cut behind one", "éa", 2, "é"],
    ["is cut to nothing", "🔑", 3, ""],
  ])("gives the start of what %s", (_, text, bytesMax, expected) => {
    expect(Buffer.from(truncateBytes(Buffer.from(text), bytesMax).bytes).toString()).toBe(expected);
  });

  it("cuts bytes that are no text anywhere", () => {
    expect(truncateBytes(Buffer.alloc(10, 0x80), 5)).toEqual({
      bytes: Buffer.alloc(5, 0x80),
      truncated: { bytes: 10 },
    });
  });
});
