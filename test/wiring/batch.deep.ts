import { expect, it } from "vitest";
import { batchesLikeOneByOne } from "./like-one-by-one.ts";

it("5,000 random batches are like their calls one by one", async () => {
  const { calls, completed } = await batchesLikeOneByOne(5000);
  expect(completed).toBeGreaterThan(calls / 5);
  process.stdout.write(`${calls} calls, ${completed} of them completed\n`);
});
