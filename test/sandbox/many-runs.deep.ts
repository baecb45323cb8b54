import { it } from "vitest";
import { needs } from "../support/parts.ts";
import { runMany } from "./many-runs.ts";

needs("bwrap", "prlimit")("10,000 runs", () => {
  it.each(Array.from({ length: 10 }, (_, index) => index + 1))("leave nothing behind (F20): thousand %i", () =>
    runMany(1000),
  );
});
