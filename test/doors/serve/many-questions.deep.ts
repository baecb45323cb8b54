import { expect, it } from "vitest";
import { holdMany } from "./many-questions.ts";

it("F21: 100,000 open questions are held; a restart, memory and decisions don't grow with them", async () => {
  const few = await holdMany(100, 100);
  const many = await holdMany(100_000, 2000);
  process.stdout.write(`${JSON.stringify({ few, many })}\n`);
  expect(many.rssMb - few.rssMb).toBeLessThan(256);
}, 3_600_000);
