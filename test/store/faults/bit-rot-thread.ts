// A part of the bytes of `bit-rot.deep.ts`.

import { doTasks } from "../../support/in-threads.ts";
import { type Damage, every, rotIn } from "./bit-rot.ts";
import { type CrashImage, imageFromThread } from "./crash-image.ts";

export interface RotTask {
  readonly image: CrashImage;
  readonly damage: Damage;
  readonly from: number;
  readonly to: number;
}

doTasks(({ image, damage, from, to }: RotTask) => rotIn(imageFromThread(image), every(1, from, to), damage));
