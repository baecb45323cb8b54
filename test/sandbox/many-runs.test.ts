import { it } from "vitest";
import { needs } from "../support/parts.ts";
import { runMany } from "./many-runs.ts";
import { sandboxAhead } from "./real-sandbox.ts";

needs("bwrap", "prlimit")("many runs", () => {
  it("leave nothing behind (F20)", () => runMany(20));

  it("in sandboxes set up ahead (F20)", () => runMany(40, sandboxAhead()));
});
