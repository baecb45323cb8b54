import { describe, expect, it } from "vitest";
import { closedImage, every, expectRotFound } from "./bit-rot.ts";

describe("F31: each byte that rots in journal.db is reported, or has changed nothing", () => {
  it.each<[string, (byte: number, at: number) => number]>([
    ["one bit flipped", (byte, at) => byte ^ (1 << (at % 8))],
    ["all bits flipped", (byte) => byte ^ 0xff],
    ["no bit left", () => 0],
  ])("with %s", async (_, damage) => {
    const image = await closedImage();
    const found = await expectRotFound(image, every(1, image.db.length), damage);
    expect(found).toBeGreaterThan(1000);
  });
});
