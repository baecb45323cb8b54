import { describe, it } from "vitest";
import { KILL_POINTS, killServerAt } from "./kill-points.ts";

const SEEDS = Array.from({ length: 20 }, (_, seed) => seed + 1);

describe.each(KILL_POINTS)("`kill -9` of the server at %s/%s", (mode, border) => {
  it.concurrent.each(SEEDS)("the %i. time", (nth) => killServerAt(mode, border, nth), 120_000);
});

it.each([
  ["allowed", "started"],
  ["allowed", "ran"],
  ["asked", "approved"],
] as const)("the end of the server's own memory at %s/%s is like `kill -9` (F28)", (mode, border) =>
  killServerAt(mode, border, 3, "memory"),
);
