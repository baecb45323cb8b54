import { it } from "vitest";
import { needs } from "../support/parts.ts";
import { runMany } from "./many-runs.ts";

needs("bwrap", "prlimit")("many runs", () => {
  it("leave nothing behind (F20)", () => runMany(40));
});
