import { it } from "vitest";
import { needs } from "../support/parts.ts";
import { stopAtManyMoments } from "./left-behind.ts";

needs("bwrap", "prlimit")("a program in bubblewrap", () => {
  it("is gone at whatever moment it is stopped, 2,000 times (A32)", () => stopAtManyMoments(2000));
});
