import { describe, it } from "vitest";
import { KILL_POINTS, killAt } from "./killed-at.ts";

const TIMES = 10;

describe("killed while a call is approved and taken over, and then taken over by four at once", () => {
  it.each(KILL_POINTS)(`%s: the next finds it %s, ${TIMES} times`, async (point, found) => {
    for (let time = 0; time < TIMES; time++) await killAt(point, found, 4);
  });
});
