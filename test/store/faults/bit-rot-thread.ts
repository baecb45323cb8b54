// A part of the bytes of `bit-rot.deep.ts`.

import { parentPort, workerData } from "node:worker_threads";
import { type Damage, every, rotIn } from "./bit-rot.ts";
import { type CrashImage, imageFromThread } from "./crash-image.ts";

export interface RotTask {
  readonly image: CrashImage;
  readonly damage: Damage;
  readonly from: number;
  readonly to: number;
}

const { image, damage, from, to } = workerData as RotTask;
parentPort?.postMessage(await rotIn(imageFromThread(image), every(1, from, to), damage));
