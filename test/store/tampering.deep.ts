import { describe, expect, it } from "vitest";
import { inThreads } from "../support/in-threads.ts";
import { MOVES } from "./tampering.ts";
import type { TamperTask } from "./tampering-thread.ts";

const PROGRAM = new URL("./tampering-thread.ts", import.meta.url);
const PARTS = 4;

const upTo = (last: number): number[] => Array.from({ length: last }, (_, i) => i + 1);

/** Tries all places from 1 on, in parts, and gives how many those were. */
async function tried(kind: "moved" | "rebuilt" | "truncated", last: number, name?: string): Promise<number> {
  const parts = upTo(PARTS).map((part) => upTo(last).filter((place) => place % PARTS === part % PARTS));
  const tasks = parts.map((places) => ({ kind, places, ...(name && { name }) }));
  return (await inThreads<TamperTask, number>(PROGRAM, tasks)).reduce((sum, places) => sum + places, 0);
}

describe("in a ledger of 999 entries", () => {
  it.each(MOVES)("an entry that was $name is named, at every place (A56)", async ({ name }) => {
    expect(await tried("moved", 999, name)).toBe(999);
  });

  it("a cut of 1 to 100 entries is found (A57)", async () => {
    expect(await tried("truncated", 100)).toBe(100);
  });

  it("a chain rebuilt from every entry on is found (A58)", async () => {
    expect(await tried("rebuilt", 999)).toBe(999);
  });
});
