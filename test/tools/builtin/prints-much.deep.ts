import { it } from "vitest";
import { needs } from "../../support/parts.ts";
import { printMuch } from "./prints-much.ts";

needs("bwrap", "prlimit")("1 GB of output", () => {
  it.each(["zeros", "lines"] as const)(
    "of %s is counted and hashed whole, and takes less than 64 MB of memory (A31, F22)",
    (flood) => printMuch(flood, 1_000_000_000, 64 * 1024),
  );
});
