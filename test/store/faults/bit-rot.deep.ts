import { describe, expect, it } from "vitest";
import { inThreads } from "../../support/in-threads.ts";
import { closedImage, type Damage, every, type Rot } from "./bit-rot.ts";
import type { RotTask } from "./bit-rot-thread.ts";

const PROGRAM = new URL("./bit-rot-thread.ts", import.meta.url);
const PART_BYTES = 16 * 1024;

describe("F31: each byte that rots in journal.db is reported, or has changed nothing", () => {
  it.each<Damage>(["one bit flipped", "all bits flipped", "no bit left"])("with %s", async (damage) => {
    const image = await closedImage();
    const tasks = [...every(PART_BYTES, 0, image.db.length)].map((from) => {
      return { image, damage, from, to: Math.min(from + PART_BYTES, image.db.length) };
    });
    const parts = await inThreads<RotTask, Rot>(PROGRAM, tasks);
    const sum = (of: (part: Rot) => number) => parts.reduce((all, part) => all + of(part), 0);
    process.stdout.write(`F31: ${damage}: ${sum(({ tried }) => tried)} bytes, ${sum(({ found }) => found)} found\n`);
    expect(parts.flatMap(({ silentAt }) => silentAt)).toEqual([]);
    expect(sum(({ tried }) => tried)).toBe(image.db.length);
    expect(sum(({ found }) => found)).toBeGreaterThan(6000);
  });
});
