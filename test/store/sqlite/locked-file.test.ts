import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { lockedFile, whileLocked } from "../../../src/store/sqlite/locked-file.ts";
import { startProgram } from "../../support/started-program.ts";
import { hastyClock } from "../hasty-clock.ts";
import { openScratch } from "../state-dir.ts";

describe("what is done while a file is locked", () => {
  it("is done, in a folder and with a file that it makes, for this user alone", async () => {
    using scratch = openScratch();
    const path = join(scratch.stateDir, "deeper", "x.lock");
    expect(await whileLocked(path, hastyClock(), () => 7)).toEqual({ ok: true, value: 7 });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(await whileLocked(path, hastyClock(), () => 8)).toEqual({ ok: true, value: 8 });
  });

  it("is not done while somebody else holds it, and is once they let go", async () => {
    using scratch = openScratch();
    mkdirSync(scratch.stateDir, { recursive: true });
    const path = join(scratch.stateDir, "x.lock");
    const held = lockedFile(path);
    const before = await whileLocked(path, hastyClock(), () => expect.unreachable());
    expect(before).toEqual({ ok: false, reason: "another process is at it" });
    held.close();
    expect(await whileLocked(path, hastyClock(), () => 1)).toEqual({ ok: true, value: 1 });
  });

  it("waits for no dead process", async () => {
    using scratch = openScratch();
    await using holder = startProgram("holds-owner-lock.ts", [scratch.stateDir, "victim"]);
    expect(await holder.line()).toBe("held");
    const path = join(scratch.stateDir, "owners", "victim.lock");
    expect(await whileLocked(path, hastyClock(), () => 1)).toMatchObject({ ok: false });
    await holder.kill();
    expect(await whileLocked(path, hastyClock(), () => 1)).toEqual({ ok: true, value: 1 });
  });

  it("lets go when it throws", async () => {
    using scratch = openScratch();
    const path = join(scratch.stateDir, "x.lock");
    const thrown = whileLocked(path, hastyClock(), () => {
      throw new Error("ours");
    });
    await expect(thrown).rejects.toThrow("ours");
    expect(await whileLocked(path, hastyClock(), () => 1)).toMatchObject({ ok: true });
  });

  it.each<[string, (path: string) => void]>([
    ["is a folder", (path) => mkdirSync(path, { recursive: true })],
    ["is no database", (path) => writeFileSync(path, "text that no database begins with, and long enough to be read")],
  ])("is not done where the lock %s", async (_, put) => {
    using scratch = openScratch();
    mkdirSync(scratch.stateDir, { recursive: true });
    const path = join(scratch.stateDir, "x.lock");
    put(path);
    expect(await whileLocked(path, hastyClock(), () => 1)).toMatchObject({ ok: false });
  });
});
