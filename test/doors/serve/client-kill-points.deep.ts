import { describe, it } from "vitest";
import { CLIENT_KILL_POINTS, killClientServerAt } from "./client-kill-points.ts";

const SEEDS = Array.from({ length: 20 }, (_, seed) => seed + 1);

describe.each(CLIENT_KILL_POINTS)("`kill -9` of the server at %s of a call that a client runs", (border) => {
  it.concurrent.each(SEEDS)("the %i. time", (nth) => killClientServerAt(border, nth), 120_000);
});
