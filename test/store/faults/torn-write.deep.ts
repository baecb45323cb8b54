import { afterAll, beforeAll, describe, it } from "vitest";
import { type CrashImage, crashImage, openCrashSite } from "./crash-image.ts";
import { expectNoSilentLoss, lastFiveFrom, withoutSector } from "./torn-write.ts";

let image: CrashImage;
const site = openCrashSite();
beforeAll(async () => {
  image = await crashImage();
});
afterAll(() => site[Symbol.dispose]());

describe("F03: after a crash, what was acknowledged is there or its loss is reported", () => {
  it("with the log cut at every byte of the last five commits", async () => {
    for (let at = lastFiveFrom(image); at <= image.log.length; at++) {
      expectNoSilentLoss(image, at, await site.restart(image, { log: image.log.subarray(0, at) }));
    }
  });

  it("with 10,000 random cuts, half of them filled with zeros", async () => {
    for (let n = 0; n < 10_000; n++) {
      const at = Math.floor(Math.random() * (image.log.length + 1));
      const log = n % 2 === 0 ? image.log.subarray(0, at) : Buffer.from(image.log).fill(0, at);
      expectNoSilentLoss(image, at, await site.restart(image, { log }));
    }
  });

  it("with any sector of the log lost", async () => {
    for (let at = 0; at < image.log.length; at += 512) {
      const log = withoutSector(image.log, at);
      if (!log.equals(image.log)) expectNoSilentLoss(image, at, await site.restart(image, { log }));
    }
  });
});
