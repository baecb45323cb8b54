import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { connect, disconnect } from "../../../src/store/sqlite/connection.ts";
import { isOwnerAlive } from "../../../src/store/sqlite/owner-lock.ts";
import { systemClock } from "../../../src/wiring/system-clock.ts";
import { bring } from "../changes.ts";
import { openScratch, outsider, statesOf } from "../state-dir.ts";
import { openJournal, writeLedger } from "./open-journal.ts";

const openDescriptors = (): number => readdirSync("/proc/self/fd").length;
const connectTo = (stateDir: string) =>
  connect({ stateDir, durability: "full", owner: "owner_me", clock: systemClock });

describe("connect", () => {
  it("holds the owner's lock from then on", () => {
    using scratch = openScratch();
    const connection = connectTo(scratch.stateDir);
    if (connection.kind === "refused") throw new Error(connection.refusal.message);
    expect(isOwnerAlive(scratch.stateDir, "owner_me")).toBe(true);
    disconnect(connection);
    expect(isOwnerAlive(scratch.stateDir, "owner_me")).toBe(false);
  });

  // Each attempt to settle used to leave its lock behind: hundreds in the seconds that a commit waits.
  it("leaves neither lock nor descriptor behind when it fails, and works once it can", async () => {
    using scratch = openScratch();
    const { stateDir } = scratch;
    {
      await using journal = openJournal(stateDir, { owner: "owner_gone" });
      await bring(journal, "a", "executing", { owner: "owner_gone" });
    }
    const other = outsider(stateDir);
    other.exec("BEGIN IMMEDIATE");
    expect(() => connectTo(stateDir)).toThrow("database is locked");
    // SQLite keeps one in store while `other`, in this same process, has locks on the file.
    const before = openDescriptors();
    for (let attempt = 0; attempt < 5; attempt++) expect(() => connectTo(stateDir)).toThrow("database is locked");
    expect(openDescriptors()).toBe(before);
    expect(readdirSync(join(stateDir, "owners"))).toEqual([]);
    other.exec("ROLLBACK");
    other.close();
    const connection = connectTo(stateDir);
    expect(statesOf(stateDir)).toEqual({ a: "unknown" });
    if (connection.kind === "connected") disconnect(connection);
  });

  it("leaves no descriptor behind when it is refused", async () => {
    using scratch = openScratch();
    await writeLedger(scratch.stateDir, 1);
    writeFileSync(join(scratch.stateDir, "checkpoints.jsonl"), "no checkpoint\n");
    const before = openDescriptors();
    expect(connectTo(scratch.stateDir)).toMatchObject({ kind: "refused", refusal: { code: "LEDGER_UNAVAILABLE" } });
    expect(openDescriptors()).toBe(before);
  });

  it("is refused where the owners' folder can't be, and closes what it opened", () => {
    using scratch = openScratch();
    mkdirSync(scratch.stateDir);
    writeFileSync(join(scratch.stateDir, "owners"), "a file in the way");
    const before = openDescriptors();
    expect(connectTo(scratch.stateDir)).toMatchObject({ kind: "refused", refusal: { code: "LEDGER_UNAVAILABLE" } });
    expect(openDescriptors()).toBe(before);
  });
});
