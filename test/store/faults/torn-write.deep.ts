import { beforeAll, describe, expect, it } from "vitest";
import { inThreads } from "../../support/in-threads.ts";
import { type CrashImage, crashImage } from "./crash-image.ts";
import { lastFiveFrom } from "./torn-write.ts";
import type { TearTask } from "./torn-write-thread.ts";

const PROGRAM = new URL("./torn-write-thread.ts", import.meta.url);
const PLACES_PER_TASK = 2500;

let image: CrashImage;
beforeAll(async () => {
  image = await crashImage();
});

const range = (from: number, to: number, step = 1): number[] =>
  Array.from({ length: Math.ceil((to - from) / step) }, (_, i) => from + i * step);

async function expectNoSilentLoss(tear: TearTask["tear"], places: readonly number[]): Promise<void> {
  const tasks = range(0, places.length, PLACES_PER_TASK).map((at) => {
    return { image, tear, places: places.slice(at, at + PLACES_PER_TASK) };
  });
  const losses = await inThreads<TearTask, readonly object[]>(PROGRAM, tasks);
  process.stdout.write(`F03: ${tear}: ${places.length} places\n`);
  expect(losses.flat()).toEqual([]);
}

describe("F03: after a crash, what was acknowledged is there or its loss is reported", () => {
  it("with the log cut at every byte of the last five commits", async () => {
    await expectNoSilentLoss("cut", range(lastFiveFrom(image), image.log.length + 1));
  });

  it.each(["cut", "zeros"] as const)("with 5,000 random ones: %s", async (tear) => {
    const anywhere = () => Math.floor(Math.random() * (image.log.length + 1));
    await expectNoSilentLoss(tear, Array.from({ length: 5000 }, anywhere));
  });

  it("with any sector of the log lost", async () => {
    await expectNoSilentLoss("lost sector", range(0, image.log.length, 512));
  });
});
