import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { openScratch, type Scratch } from "./scratch.ts";

const program = (name: string) => fileURLToPath(new URL(`../programs/${name}`, import.meta.url));
const WRITER = program("writes-forever.ts");
const MANY_CHANGER = program("changes-many-forever.ts");
const DYING_CHANGER = program("dies-while-changing.ts");

/** Starts the program and kills it at any moment of its work: nothing is asserted about time. */
async function killed(argv: readonly string[]): Promise<void> {
  const child: ChildProcess = spawn(process.execPath, argv, { stdio: ["ignore", "pipe", "inherit"] });
  if (child.stdout === null) throw new Error("no output to wait for");
  await once(child.stdout, "data");
  await setTimeout(Math.random() * 20);
  child.kill("SIGKILL");
  await once(child, "exit");
}

const isLeftOver = (name: string) => name.startsWith(".toolgate-");

describe("a writer that is killed", () => {
  it("leaves the old or the new content, 100 times", async () => {
    using scratch = openScratch();
    const bytes = 500_000;
    const whole = ["a".repeat(bytes), "b".repeat(bytes)];
    scratch.put("a.txt", whole[0]);
    for (let i = 0; i < 100; i += 1) {
      await killed([WRITER, scratch.workspace, "a.txt", String(bytes)]);
      expect(whole).toContain(scratch.text("a.txt"));
    }
    expect(scratch.names().every((name) => name === "a.txt" || isLeftOver(name))).toBe(true);
  });
});

/** What a crash may leave behind, as `docs/design/005-file-tools.md` says. */
describe("a change of several files that is killed", () => {
  it("leaves each file old or new as a whole, and hidden names at the most, 60 times", async () => {
    using scratch = openScratch();
    const bytes = 1000;
    const whole = ["a".repeat(bytes), "b".repeat(bytes)];
    const names = Array.from({ length: 40 }, (_, i) => `f${String(i).padStart(2, "0")}`);
    for (const name of names) scratch.put(name, whole[0]);
    for (let i = 0; i < 60; i += 1) {
      await killed([MANY_CHANGER, scratch.workspace, String(bytes), ...names]);
      for (const name of names) expect(whole).toContain(scratch.text(name));
    }
    expect(scratch.names().every((name) => names.includes(name) || isLeftOver(name))).toBe(true);
  });

  it("right before each call that publishes a file: old or new, nothing torn, nothing lost", () => {
    const seen = new Set<string>();
    for (let call = 1, died = true; died; call += 1) {
      using scratch = openScratch();
      for (const name of ["a.txt", "from.txt", "gone.txt"]) scratch.put(name, "old");
      const { signal, status, stderr } = spawnSync(process.execPath, [DYING_CHANGER, scratch.workspace, String(call)]);
      died = signal === "SIGKILL";
      if (!died) expect([status, stderr.toString()]).toEqual([0, ""]);
      const state = contents(scratch);
      expect(["old", "new"]).toContain(state["a.txt"]);
      expect([undefined, "new"]).toContain(state["b.txt"]);
      expect([undefined, "old"]).toContain(state["gone.txt"]);
      expect(["old", "old,moved", "moved"]).toContain([state["from.txt"], state["to.txt"]].filter(Boolean).join());
      seen.add(JSON.stringify(state));
    }
    expect(seen.has(JSON.stringify(OLD)) && seen.has(JSON.stringify(NEW))).toBe(true);
    process.stdout.write(`${seen.size} states after a crash, ${seen.size - 2} of them between old and new\n`);
  });
});

const OLD = { "a.txt": "old", "from.txt": "old", "gone.txt": "old" };
const NEW = { "a.txt": "new", "b.txt": "new", "to.txt": "moved" };

const contents = (scratch: Scratch): Record<string, string> =>
  Object.fromEntries(
    scratch
      .names()
      .filter((name) => !isLeftOver(name))
      .map((name) => [name, scratch.text(name)]),
  );
