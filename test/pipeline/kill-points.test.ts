import { describe, expect, it } from "vitest";
import { KILL_POINTS, killAt } from "./kill-at-borders.ts";

describe("killed at a border, started anew (F01)", () => {
  it.concurrent.each(KILL_POINTS)("%s, %s", async (mode, border) => {
    const { states, drafts } = await killAt(mode, border, 1);
    if (border === "started" || border === "ran" || border === "finished") expect(states["unknown"]).toBe(1);
    else expect(states["unknown"]).toBeUndefined();
    // No border lies between a writer's draft and its publishing, and here the calls come one after the other.
    expect(drafts).toBe(0);
  });
});
