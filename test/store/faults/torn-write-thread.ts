// A part of the crashes of `torn-write.deep.ts`.

import { doTasks } from "../../support/in-threads.ts";
import { type CrashImage, imageFromThread, openCrashSite } from "./crash-image.ts";
import { silentLoss, withoutSector } from "./torn-write.ts";

/** What the crash does to the log at each place. */
const TEARS = {
  cut: (log: Buffer, at: number) => log.subarray(0, at),
  zeros: (log: Buffer, at: number) => Buffer.from(log).fill(0, at),
  "lost sector": withoutSector,
} as const satisfies Record<string, (log: Buffer, at: number) => Buffer>;

export interface TearTask {
  readonly image: CrashImage;
  readonly tear: keyof typeof TEARS;
  readonly places: readonly number[];
}

doTasks(async ({ tear, places, ...task }: TearTask) => {
  const image = imageFromThread(task.image);
  using site = openCrashSite();
  const losses: object[] = [];
  for (const at of places) {
    const log = TEARS[tear](image.log, at);
    // A sector that was empty is not lost, and then nothing is torn there.
    const soundBytes = tear === "lost sector" && log.equals(image.log) ? image.log.length : at;
    const loss = silentLoss(image, soundBytes, await site.restart(image, { log }));
    if (loss !== null) losses.push(loss);
  }
  return losses;
});
