import { it } from "vitest";
import { needs } from "../support/parts.ts";
import { DAEMONS, daemonise } from "./daemons.ts";

needs(
  "bwrap",
  "prlimit",
  "python3",
)("ways to outlive a call", () => {
  it.each(DAEMONS)("leave nothing behind, 500 times each (A32, F20): %s", (way) => daemonise(way, 500));
});
