import { it } from "vitest";
import { needs } from "../support/parts.ts";
import { daemonise } from "./daemons.ts";

needs(
  "bwrap",
  "prlimit",
  "python3",
)("ways to outlive a call", () => {
  it("leave nothing behind, 500 times each (A32, F20)", () => daemonise(500));
});
