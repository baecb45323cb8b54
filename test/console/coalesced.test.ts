import { describe, expect, it } from "vitest";
import { coalesced } from "../../console/coalesced.ts";

describe("coalesced", () => {
  it("does it once more behind the one on its way, however often it was wanted meanwhile", async () => {
    const acts: (() => void)[] = [];
    const want = coalesced(() => new Promise<void>((resolve) => void acts.push(resolve)));
    want();
    want();
    want();
    expect(acts.length).toBe(1);
    acts[0]?.();
    await expect.poll(() => acts.length).toBe(2);
    acts[1]?.();
    want();
    await expect.poll(() => acts.length).toBe(3);
  });

  it("does it the next time, too, after one that threw", async () => {
    let count = 0;
    const want: () => unknown = coalesced(async () => {
      if (++count === 1) throw new Error("what is shown can't be drawn");
    });
    await expect(want()).rejects.toThrow("can't be drawn");
    await want();
    expect(count).toBe(2);
  });
});
