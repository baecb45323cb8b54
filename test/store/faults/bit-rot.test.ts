import { describe, expect, it } from "vitest";
import { closedImage, every, rotIn } from "./bit-rot.ts";

describe("F31: a byte that rots in journal.db", () => {
  it("is reported, or has changed nothing (every 61st, and all of the header)", async () => {
    const image = await closedImage();
    const { found, silentAt } = await rotIn(image, every(61, 0, image.db.length), "one bit flipped");
    expect(silentAt).toEqual([]);
    expect(found).toBeGreaterThan(50);
    const header = await rotIn(image, every(1, 0, 100), "its highest bit flipped");
    expect(header.silentAt).toEqual([]);
  });
});
