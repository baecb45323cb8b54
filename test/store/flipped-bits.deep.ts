import { describe, expect, it } from "vitest";
import { inThreads } from "../support/in-threads.ts";
import type { FlipTask } from "./flip-thread.ts";
import type { Missed } from "./flips.ts";

const PROGRAM = new URL("./flip-thread.ts", import.meta.url);

async function flipAll(tasks: readonly FlipTask[]) {
  const parts = await inThreads<FlipTask, { tried: number; missed: readonly Missed[] }>(PROGRAM, tasks);
  return { tried: parts.reduce((sum, { tried }) => sum + tried, 0), missed: parts.flatMap(({ missed }) => missed) };
}

describe("a flipped bit is found, and its entry named (A55)", () => {
  it("all bits of 210 entries", async () => {
    const { tried, missed } = await flipAll(Array.from({ length: 10 }, () => ({ kind: "all", entries: 21 })));
    process.stdout.write(`A55: ${tried} bits of 210 entries\n`);
    expect(missed).toEqual([]);
    expect(tried).toBeGreaterThan(210 * 4000);
  });

  it("100,000 anywhere in longer ledgers, which are opened anew each time", async () => {
    const { tried, missed } = await flipAll(Array.from({ length: 4 }, () => ({ kind: "any", flips: 25_000 })));
    expect(missed).toEqual([]);
    expect(tried).toBe(100_000);
  });
});
