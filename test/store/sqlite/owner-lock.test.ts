import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isOwnerAlive, sweepOwners, takeOwnerLock } from "../../../src/store/sqlite/owner-lock.ts";
import { startProgram } from "../../support/started-program.ts";
import { openScratch } from "../state-dir.ts";

const filesIn = (stateDir: string): string[] => readdirSync(join(stateDir, "owners")).toSorted();

async function holder(stateDir: string, owner: string) {
  const program = startProgram("holds-owner-lock.ts", [stateDir, owner]);
  expect(await program.line()).toBe("held");
  return program;
}

describe("an owner", () => {
  it("is dead that never was", () => {
    using scratch = openScratch();
    expect(isOwnerAlive(scratch.stateDir, "nobody")).toBe(false);
    sweepOwners(scratch.stateDir);
  });

  it("of this process is alive until its lock is released", () => {
    using scratch = openScratch();
    const lock = takeOwnerLock(scratch.stateDir, "me");
    // Looked at more than once: a look must not drop the lock, as closing a file with POSIX locks does.
    for (let look = 0; look < 3; look++) expect(isOwnerAlive(scratch.stateDir, "me")).toBe(true);
    lock.release();
    expect(isOwnerAlive(scratch.stateDir, "me")).toBe(false);
    expect(filesIn(scratch.stateDir)).toEqual([]);
  });

  it("of another process is alive until it lets go", async () => {
    using scratch = openScratch();
    await using program = await holder(scratch.stateDir, "other");
    for (let look = 0; look < 3; look++) expect(isOwnerAlive(scratch.stateDir, "other")).toBe(true);
    await program.ended();
    expect(isOwnerAlive(scratch.stateDir, "other")).toBe(false);
  });

  it("is dead once its process was killed, although its file is still there", async () => {
    using scratch = openScratch();
    await using program = await holder(scratch.stateDir, "victim");
    await program.kill();
    expect(filesIn(scratch.stateDir)).toEqual(["victim.lock"]);
    expect(isOwnerAlive(scratch.stateDir, "victim")).toBe(false);
  });

  it("is told from the others, and only the dead are swept away", async () => {
    using scratch = openScratch();
    const { stateDir } = scratch;
    await using one = await holder(stateDir, "one");
    await using two = await holder(stateDir, "two");
    await using three = await holder(stateDir, "three");
    const mine = takeOwnerLock(stateDir, "mine");
    await two.kill();
    sweepOwners(stateDir);
    expect(filesIn(stateDir)).toEqual(["mine.lock", "one.lock", "three.lock"]);
    expect(["one", "two", "three", "mine"].map((owner) => isOwnerAlive(stateDir, owner))).toEqual([
      true,
      false,
      true,
      true,
    ]);
    await one.ended();
    await three.kill();
    sweepOwners(stateDir);
    expect(filesIn(stateDir)).toEqual(["mine.lock"]);
    expect(isOwnerAlive(stateDir, "mine")).toBe(true);
    mine.release();
  });

  it.each([
    ["no database", "garbage ".repeat(1000), false],
    ["an empty file", "", false],
  ])("whose file is %s counts as dead", (_, content, alive) => {
    using scratch = openScratch();
    mkdirSync(join(scratch.stateDir, "owners"), { recursive: true });
    writeFileSync(join(scratch.stateDir, "owners", "odd.lock"), content);
    expect(isOwnerAlive(scratch.stateDir, "odd")).toBe(alive);
  });

  it("whose file can't be opened counts as alive: nobody knows", () => {
    using scratch = openScratch();
    mkdirSync(join(scratch.stateDir, "owners", "odd.lock"), { recursive: true });
    expect(isOwnerAlive(scratch.stateDir, "odd")).toBe(true);
  });
});
