import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AfterCrash, acknowledgedBefore, type CrashImage, crashImage, openCrashSite } from "./crash-image.ts";
import { lastFiveFrom, silentLoss, withoutSector } from "./torn-write.ts";

let image: CrashImage;
const site = openCrashSite();
beforeAll(async () => {
  image = await crashImage();
});
afterAll(() => site[Symbol.dispose]());

const offsets = (step: number): number[] => {
  const from = lastFiveFrom(image);
  const borders = image.marks.flatMap(({ logBytes }) => [logBytes - 1, logBytes, logBytes + 1]);
  const sampled = Array.from({ length: Math.ceil((image.log.length - from) / step) }, (_, i) => from + i * step);
  return [...borders, ...sampled, image.log.length].filter((at) => at >= 0 && at <= image.log.length);
};

const expectNoSilentLoss = (of: CrashImage, soundBytes: number, after: AfterCrash) =>
  expect(silentLoss(of, soundBytes, after)).toBeNull();

describe("F03: after a crash", () => {
  it("that tore nothing, everything is there", async () => {
    const { texts, reported, refused } = await site.restart(image);
    expect([texts?.length, reported, refused]).toEqual([44, false, false]);
    expect([image.signed, acknowledgedBefore(image, image.log.length)]).toEqual([35, 44]);
  });

  it("that cut the log, only what was not acknowledged is gone, or the loss is reported", async () => {
    for (const at of offsets(311))
      expectNoSilentLoss(image, at, await site.restart(image, { log: image.log.subarray(0, at) }));
  });

  it("that left zeros at the end of the log, likewise", async () => {
    for (const at of offsets(1201)) {
      expectNoSilentLoss(image, at, await site.restart(image, { log: Buffer.from(image.log).fill(0, at) }));
    }
    const longer = Buffer.concat([image.log, Buffer.alloc(3 * 4096)]);
    expectNoSilentLoss(image, image.log.length, await site.restart(image, { log: longer }));
  });

  it.each([24 + 4096, 4096, 512, 1])("that wrote the last %d bytes twice, everything is there", async (bytes) => {
    const log = Buffer.concat([image.log, image.log.subarray(-bytes)]);
    expectNoSilentLoss(image, image.log.length, await site.restart(image, { log }));
  });

  it("that lost a sector of the log, everything before it is there", async () => {
    for (let at = 0; at < image.log.length; at += 5 * 512) {
      const log = withoutSector(image.log, at);
      if (!log.equals(image.log)) expectNoSilentLoss(image, at, await site.restart(image, { log }));
    }
  });

  it("that lost a sector of the database, the loss is reported, not repaired", async () => {
    let reports = 0;
    for (let at = 0; at < image.db.length; at += 512) {
      const db = withoutSector(image.db, at);
      if (db.equals(image.db)) continue;
      const { texts, reported } = await site.restart(image, {
        db,
        log: Buffer.alloc(0),
        checkpoints: firstLine(image.checkpoints),
      });
      if (reported) reports += 1;
      else expect(texts).toEqual(image.texts.slice(0, 20));
    }
    expect(reports).toBeGreaterThan(0);
  });
});

/** What the file said when the database was last closed. */
const firstLine = (lines: Buffer): Buffer => lines.subarray(0, lines.indexOf("\n") + 1);
