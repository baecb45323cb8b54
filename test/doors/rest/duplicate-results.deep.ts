import { it } from "vitest";
import { duplicateResults } from "./duplicate-results.ts";

it("F13: 1,000 calls whose results are sent 100 times at once each make one transition each", async () => {
  await duplicateResults(1000, 100);
}, 1_800_000);
