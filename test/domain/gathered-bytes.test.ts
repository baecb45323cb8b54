import { expect, it } from "vitest";
import { GatheredBytes } from "../../src/domain/gathered-bytes.ts";

const gathered = (...pieces: readonly Uint8Array[]): GatheredBytes => {
  const all = new GatheredBytes();
  for (const piece of pieces) all.push(piece);
  return all;
};

it.each([0, 1, 2, 255, 256, 257, 1000])("gives back %i pieces in their order", (count) => {
  const pieces = Array.from({ length: count }, (_, at) => Uint8Array.of(at % 256, 7));
  expect(Buffer.from(gathered(...pieces).whole())).toEqual(Buffer.concat(pieces));
});

it("one piece is not copied", () => {
  const piece = Uint8Array.of(1, 2, 3);
  expect(gathered(piece).whole()).toBe(piece);
});

it("pieces of one byte are not kept as so many objects", () => {
  const all = new GatheredBytes();
  for (let at = 0; at < 100_000; at++) all.push(Uint8Array.of(at % 256));
  expect(all.count).toBeLessThan(1000);
  expect(all.whole()).toHaveLength(100_000);
});
