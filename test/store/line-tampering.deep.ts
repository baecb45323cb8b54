import { describe, expect, it } from "vitest";
import { inThreads } from "../support/in-threads.ts";
import { LINE_MOVES } from "./line-tampering.ts";
import type { TamperTask } from "./tampering-thread.ts";

const PROGRAM = new URL("./tampering-thread.ts", import.meta.url);

async function tried(tasks: readonly TamperTask[]): Promise<number> {
  return (await inThreads<TamperTask, number>(PROGRAM, tasks)).reduce((sum, places) => sum + places, 0);
}

describe("in a ledger of 300 entries, in segments of any length", () => {
  it.each(LINE_MOVES)("a line that was $name is named", async ({ name }) => {
    const lengths = [2, 3, 4, 16, 63, 64, 65, 300];
    const tasks = lengths.map((linesPerSegment) => ({ kind: "line-moved", name, linesPerSegment }) as const);
    expect(await tried(tasks)).toBeGreaterThan(300);
  });

  it("a segment cut in two is the same ledger", async () => {
    const tasks = [2, 3, 16, 64, 300].map((linesPerSegment) => ({ kind: "split", linesPerSegment }) as const);
    expect(await tried(tasks)).toBe(5 * 300);
  });
});
