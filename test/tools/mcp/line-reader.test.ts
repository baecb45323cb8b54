import fc from "fast-check";
import { expect, it, vi } from "vitest";
import { LineReader } from "../../../src/tools/mcp/line-reader.ts";

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

it("gives the same lines however they are cut", () => {
  const text = "one\n\ntwö, with 👩‍👩‍👧\nthree\n";
  const whole = bytesOf(text);
  fc.assert(
    fc.property(fc.array(fc.nat(whole.length), { maxLength: 8 }), (cuts) => {
      const reader = new LineReader(1000);
      const places = [0, ...cuts.toSorted((a, b) => a - b), whole.length];
      const pieces = places.slice(1).map((end, at) => whole.subarray(places[at], end));
      expect(pieces.flatMap((piece) => reader.push(piece) ?? [])).toEqual(text.split("\n").slice(0, -1));
    }),
  );
});

it.each([
  ["one piece", ["123456\n"]],
  ["two pieces", ["1234", "56\n"]],
  ["no end", ["1234", "56"]],
])("takes no line that is too long, in %s", (_, pieces) => {
  const reader = new LineReader(5);
  expect(pieces.map((piece) => reader.push(bytesOf(piece))).at(-1)).toBeNull();
  const short = new LineReader(6);
  expect(pieces.map((piece) => short.push(bytesOf(piece))).at(-1)).not.toBeNull();
});

it("keeps a line that comes byte by byte as a few objects", () => {
  const reader = new LineReader(1_000_000);
  const joined = vi.spyOn(Buffer, "concat");
  const line = "0123456789".repeat(2000);
  const read = [...bytesOf(`${line}\n`)].flatMap((byte) => reader.push(Uint8Array.of(byte)) ?? []);
  expect(read).toEqual([line]);
  expect(Math.max(...joined.mock.calls.map(([pieces]) => pieces.length))).toBeLessThan(1000);
  joined.mockRestore();
});
