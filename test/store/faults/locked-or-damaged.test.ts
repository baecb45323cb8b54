import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SqliteJournal } from "../../../src/store/sqlite/journal.ts";
import { journalFile } from "../../../src/store/sqlite/open-database.ts";
import { defineTool } from "../../../src/tools/function/define-tool.ts";
import { systemClock } from "../../../src/wiring/system-clock.ts";
import { needs } from "../../support/parts.ts";
import { asKind, codeOf, openScratchGate } from "../../support/scratch-gate.ts";
import { startProgram } from "../../support/started-program.ts";
import { first } from "../changes.ts";
import { hastyClock } from "../hasty-clock.ts";
import { openJournal, readEntries, writeLedger } from "../sqlite/open-journal.ts";
import { copyOf, isReported, openScratch, reportOn, type Scratch, verify } from "../state-dir.ts";
import { openCountingSetUp } from "./calling-program.ts";

describe("F10: while another process holds the lock", () => {
  it("a call waits for a bounded time, is refused, and works again afterwards", async () => {
    let runs = 0;
    const execute = () => `run ${++runs}`;
    const count = defineTool({ name: "count", description: "counts", inputSchema: { type: "object" }, execute });
    const rules = [{ id: "count", effect: "allow", touch: { unknown: true } }] as const;
    await using scratch = openScratchGate({ rules, tools: [count] });
    const { stateDir } = scratch;
    const journal = new SqliteJournal({ stateDir, durability: "full", owner: "owner_h", clock: hastyClock() });
    const gate = scratch.again({ inner: { journal } });
    expect(codeOf(await gate.call({ tool: "count", input: {} }))).toBe("completed");

    await using holder = startProgram("holds-write-lock.ts", [journalFile(stateDir)]);
    expect(await holder.line()).toBe("held");
    const outcomes = await Promise.all([1, 2, 3].map((n) => gate.call({ tool: "count", input: { n } })));
    for (const outcome of outcomes) {
      const { refusal } = asKind(outcome, "refused");
      expect(refusal).toMatchObject({ code: "LEDGER_UNAVAILABLE", stage: "journal" });
      expect(refusal.message).toContain("`journal.db` can't be written (database is locked)");
      expect(refusal.hint).toContain("another process holds the ledger");
    }
    expect(runs).toBe(1);
    await holder.ended();
    expect(codeOf(await gate.call({ tool: "count", input: {} }))).toBe("completed");
    expect(runs).toBe(2);
    await gate.close();
    expect(await reportOn(stateDir)).toMatchObject({ ok: true, entries: 7 });
  });

  it("a call waits until the lock is free, if that is in time", async () => {
    using scratch = openScratch();
    await writeLedger(scratch.stateDir, 1);
    await using holder = startProgram("holds-write-lock.ts", [journalFile(scratch.stateDir)]);
    expect(await holder.line()).toBe("held");
    // As slow as the machine may be, the time to wait is not over.
    const clock = { ...systemClock, monotonicMs: () => 0 };
    await using journal = openJournal(scratch.stateDir, { owner: "owner_w", clock });
    const waiting = journal.commit(first("w", "refused"));
    await holder.ended();
    expect((await waiting).kind).toBe("committed");
  });

  it("reading goes on", async () => {
    using scratch = openScratch();
    await writeLedger(scratch.stateDir, 1);
    await using holder = startProgram("holds-write-lock.ts", [journalFile(scratch.stateDir)]);
    expect(await holder.line()).toBe("held");
    expect(await reportOn(scratch.stateDir)).toMatchObject({ ok: true, entries: 2 });
  });
});

describe("F10: a damaged journal", () => {
  let sound: Scratch;
  beforeAll(async () => {
    sound = openScratch();
    await writeLedger(sound.stateDir, 60);
  });
  afterAll(() => sound[Symbol.dispose]());

  it.each([
    ["without its header", (file: Buffer) => file.fill(0, 0, 100)],
    ["with another header", (file: Buffer) => file.write("PNG and other things", 0)],
    ["cut in the middle of a page", (file: Buffer) => file.subarray(0, 4096 + 1000)],
    ["cut to one page", (file: Buffer) => file.subarray(0, 4096)],
    ["of random bytes", (file: Buffer) => file.map((_, i) => (i * 7919) % 251)],
  ])("%s is refused, and the file named", async (_, damage) => {
    using copy = copyOf(sound.stateDir);
    const file = readFileSync(journalFile(copy.stateDir));
    const damaged = damage(file);
    writeFileSync(journalFile(copy.stateDir), typeof damaged === "number" ? file : damaged);
    await using journal = openJournal(copy.stateDir, { owner: "owner_late" });
    const committed = await journal.commit(first("late", "executing"));
    expect(committed).toMatchObject({ kind: "failed", refusal: { code: "LEDGER_UNAVAILABLE" } });
    expect(JSON.stringify(committed)).toMatch(/journal\.db|ledger is not written to/);
    expect(JSON.stringify(committed)).not.toContain(copy.folder);
    expect(isReported(await verify(copy.stateDir))).toBe(true);
  });

  it("in which any page is overwritten is reported, or what it holds is unharmed", async () => {
    const original = readFileSync(journalFile(sound.stateDir));
    const entries = readEntries(sound.stateDir);
    for (let page = 0; page < original.length; page += 4096) {
      using copy = copyOf(sound.stateDir);
      writeFileSync(journalFile(copy.stateDir), Buffer.from(original).fill(0xa5, page, page + 4096));
      const verified = await verify(copy.stateDir);
      if (!isReported(verified)) expect(readEntries(copy.stateDir)).toEqual(entries);
    }
  });
});

needs("setpriv")("F10: a state directory that can't be written", () => {
  const NOBODY = 65534;
  const isRoot = process.getuid?.() === 0;
  // Nothing is forbidden to root.
  const wrapper = isRoot ? ["setpriv", `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups"] : [];

  /** The folder and all in it belong to whoever runs the program, but for the given modes. */
  function handOver(folder: string, modes: { readonly directory: number; readonly file: number }): void {
    chmodSync(folder, 0o755);
    const stateDir = join(folder, "state");
    for (const name of readdirSync(stateDir, { recursive: true }) as string[]) {
      if (isRoot) chownSync(join(stateDir, name), NOBODY, NOBODY);
      if (!name.startsWith("owners")) chmodSync(join(stateDir, name), modes.file);
    }
    if (isRoot) chownSync(stateDir, NOBODY, NOBODY);
    if (isRoot) chownSync(join(folder, "counter"), NOBODY, NOBODY);
    chmodSync(stateDir, modes.directory);
  }

  it.each([
    ["a read-only directory", { directory: 0o500, file: 0o600 }],
    ["read-only files", { directory: 0o700, file: 0o400 }],
    ["files that can't be read", { directory: 0o700, file: 0o000 }],
  ])("%s: nothing runs, and the message tells nothing of the machine", async (_, modes) => {
    using setUp = openCountingSetUp();
    await writeLedger(setUp.stateDir, 1);
    handOver(setUp.folder, modes);
    await using gate = setUp.start(wrapper);
    const outcome = await gate.ask({ call: {} });
    expect(outcome).toMatchObject({ kind: "refused", refusal: { code: "LEDGER_UNAVAILABLE", stage: "journal" } });
    expect(JSON.stringify(outcome)).toContain("journal.db");
    expect(JSON.stringify(outcome)).not.toContain(setUp.folder);
    expect(setUp.runs()).toBe(0);
    await gate.ended();
    chmodSync(setUp.stateDir, 0o700);
  });

  it("one that can be written runs (the sibling)", async () => {
    using setUp = openCountingSetUp();
    mkdirSync(setUp.stateDir);
    handOver(setUp.folder, { directory: 0o700, file: 0o600 });
    await using gate = setUp.start(wrapper);
    expect(await gate.call()).toBe("completed");
    expect(setUp.runs()).toBe(1);
    await gate.ended();
  });
});
