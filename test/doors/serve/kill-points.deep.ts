import { describe, it } from "vitest";
import { KILL_POINTS, killServerAt } from "./kill-points.ts";

const SEEDS = Array.from({ length: 20 }, (_, seed) => seed + 1);

describe.each(KILL_POINTS)("`kill -9` of the server at %s/%s", (mode, border) => {
  it.concurrent.each(SEEDS)("the %i. time", (nth) => killServerAt(mode, border, nth), 120_000);
});
