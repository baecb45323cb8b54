import { describe, expect, it } from "vitest";
import { closedImage, every, expectRotFound } from "./bit-rot.ts";

describe("F31: a byte that rots in journal.db", () => {
  it("is reported, or has changed nothing (every 61st, and all of the header)", async () => {
    const image = await closedImage();
    const found = await expectRotFound(image, every(61, image.db.length), (byte, at) => byte ^ (1 << (at % 8)));
    expect(found).toBeGreaterThan(50);
    await expectRotFound(image, every(1, 100), (byte) => byte ^ 0x80);
  });
});
