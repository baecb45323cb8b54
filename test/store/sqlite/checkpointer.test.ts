import { generateKeyPairSync } from "node:crypto";
import { appendFileSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { GENESIS_HASH } from "../../../src/ledger/chain.ts";
import { type Checkpoint, checkpointFromText } from "../../../src/ledger/checkpoint.ts";
import { TreeBuilder } from "../../../src/ledger/tree.ts";
import { checkpointFile, readCheckpointFile } from "../../../src/store/sqlite/checkpoint-file.ts";
import { LedgerReader } from "../../../src/store/sqlite/ledger-reader.ts";
import { handClock } from "../../support/hand-clock.ts";
import { needs } from "../../support/parts.ts";
import { startProgram } from "../../support/started-program.ts";
import { bring, codeOf, draftFor, first } from "../changes.ts";
import { hastyClock } from "../hasty-clock.ts";
import { meddle, meddleWithEntries, openScratch, outsider, reportOn, verify } from "../state-dir.ts";
import { openJournal, readEntries, writeLedger } from "./open-journal.ts";

function storedLines(stateDir: string): readonly string[] {
  const reader = LedgerReader.open(stateDir);
  const lines = reader?.checkpoints().stored ?? [];
  reader?.close();
  return lines;
}

const sizesIn = (lines: readonly string[]): readonly number[] =>
  lines.map((line) => (checkpointFromText(line) as Checkpoint).size);

describe("a checkpoint", () => {
  it("advances with the entries, and says each time what a full recomputation says", async () => {
    using scratch = openScratch();
    await using journal = openJournal(scratch.stateDir);
    const sizes = [1, 2, 3, 7, 8, 64, 65, 100];
    for (let n = 1; n <= 100; n++) {
      await bring(journal, `c${n}`, "refused");
      if (!sizes.includes(n)) continue;
      const checkpoint = await journal.checkpoint();
      const tree = new TreeBuilder();
      const entries = readEntries(scratch.stateDir);
      for (const { hash } of entries) tree.add(hash);
      expect(checkpoint).toMatchObject({ size: n, root: tree.root(), head: entries.at(-1)?.hash });
      expect(await journal.checkpoint()).toBeNull();
    }
    expect(sizesIn(storedLines(scratch.stateDir))).toEqual(sizes);
    expect(readCheckpointFile(checkpointFile(scratch.stateDir))).toEqual(storedLines(scratch.stateDir));
    expect(await reportOn(scratch.stateDir)).toMatchObject({ ok: true, anchoredTo: 100, checkpoints: sizes.length });
  });

  it("says the same where two processes take turns in writing and signing", async () => {
    using scratch = openScratch();
    const { stateDir } = scratch;
    await using one = openJournal(stateDir, { owner: "owner_one" });
    await using other = openJournal(stateDir, { owner: "owner_other" });
    let made = 0;
    const bringTo = async (journal: typeof one, calls: number) => {
      for (let n = 0; n < calls; n++) await bring(journal, `c${made++}`, "refused");
    };
    // By whom how many calls are brought, and who signs then.
    const turns = [
      [one, 3, one],
      [other, 2, one], // nothing of its own: all is read
      [one, 5, other], // begins behind what the other has seen
      [other, 4, other],
      [one, 1, other],
      [one, 6, one], // what the other signed for lies in its own run
      [other, 2, one],
      [one, 9, one],
    ] as const;
    for (const [writer, calls, signer] of turns) {
      await bringTo(writer, calls);
      const tree = new TreeBuilder();
      const entries = readEntries(stateDir);
      for (const { hash } of entries) tree.add(hash);
      expect(await signer.checkpoint()).toMatchObject({
        size: entries.length,
        root: tree.root(),
        head: entries.at(-1)?.hash,
      });
    }
    expect(await reportOn(stateDir)).toMatchObject({ ok: true, checkpoints: turns.length, anchoredTo: made });
  });

  it("says the same after a batch that was written and one that was rolled back", async () => {
    using scratch = openScratch();
    await using journal = openJournal(scratch.stateDir);
    await Promise.all(Array.from({ length: 40 }, (_, n) => journal.commit(first(`c${n}`, "refused"))));
    const refusing = {
      ...first("x", "refused"),
      entries: () => [{ ...draftFor("x"), body: { n: Number.NaN } }] as const,
    };
    expect(codeOf(await journal.commit(refusing))).toBe("FAULT");
    await Promise.all(Array.from({ length: 40 }, (_, n) => journal.commit(first(`d${n}`, "refused"))));
    const entries = readEntries(scratch.stateDir);
    const tree = new TreeBuilder();
    for (const { hash } of entries) tree.add(hash);
    expect(await journal.checkpoint()).toMatchObject({ size: entries.length, root: tree.root() });
  });

  it("covers more entries than are read at a time", async () => {
    using scratch = openScratch();
    await using journal = openJournal(scratch.stateDir);
    const entries = Array.from({ length: 999 }, () => ({}));
    for (const id of ["a", "b", "c", "d", "e"])
      await journal.commit(first(id, "refused", { entries: [{}, ...entries] }));
    expect(await journal.checkpoint()).toMatchObject({ size: 5000 });
    expect(await reportOn(scratch.stateDir)).toMatchObject({ ok: true, anchoredTo: 5000 });
  });

  it("comes by itself, some time after the first new entry, and at the end", async () => {
    using scratch = openScratch();
    const clock = handClock();
    const journal = openJournal(scratch.stateDir, { clock });
    await bring(journal, "a", "refused");
    await bring(journal, "b", "refused");
    expect(storedLines(scratch.stateDir)).toEqual([]);
    clock.move(1000);
    expect(sizesIn([...(await filedLines(scratch.stateDir, 1))])).toEqual([2]);
    await bring(journal, "c", "refused");
    await journal.close();
    expect(sizesIn(storedLines(scratch.stateDir))).toEqual([2, 3]);
  });

  it("of several asked for at once covers the last entry", async () => {
    using scratch = openScratch();
    await using journal = openJournal(scratch.stateDir);
    await bring(journal, "a", "refused");
    const early = journal.checkpoint();
    await bring(journal, "b", "refused");
    const late = journal.checkpoint();
    const sizes = [(await early)?.size, (await late)?.size];
    expect(sizes.findLast((size) => size !== undefined)).toBe(2);
  });

  it("that a crash kept out of the file is made up for by the next one", async () => {
    using scratch = openScratch();
    const file = checkpointFile(scratch.stateDir);
    await writeLedger(scratch.stateDir, 1);
    await writeLedgerMore(scratch.stateDir, ["x"]);
    truncateSync(file, readFileSync(file, "utf8").indexOf("\n") + 1 + 40);
    expect(await verify(scratch.stateDir)).toMatchObject({ report: { ok: true, checkpoints: 2 } });
    await writeLedgerMore(scratch.stateDir, ["y"]);
    expect(readCheckpointFile(file)).toEqual(storedLines(scratch.stateDir));
    expect(sizesIn(storedLines(scratch.stateDir))).toEqual([2, 3, 4]);
  });

  it.each([
    ["is damaged", "'damaged'"],
    ["has a hash that was not signed", `'6:${GENESIS_HASH}' || substr(frontier, 67)`],
    ["is of another size", "'5' || substr(frontier, 2)"],
  ])("is computed afresh where the frontier that was kept %s", async (_, frontier) => {
    using scratch = openScratch();
    await writeLedger(scratch.stateDir, 3);
    meddle(scratch.stateDir, `UPDATE checkpoints SET frontier = ${frontier}`);
    await writeLedgerMore(scratch.stateDir, ["x"]);
    expect(await reportOn(scratch.stateDir)).toMatchObject({ ok: true, anchoredTo: 7 });
  });

  it("waits while another process holds the lock, and at the end does without", async () => {
    using scratch = openScratch();
    const journal = openJournal(scratch.stateDir, { clock: hastyClock() });
    await bring(journal, "a", "refused");
    const other = outsider(scratch.stateDir);
    other.exec("BEGIN IMMEDIATE");
    await expect(journal.checkpoint()).rejects.toThrow("database is locked");
    await journal.close();
    other.exec("ROLLBACK");
    other.close();
    expect(storedLines(scratch.stateDir)).toEqual([]);
    await writeLedgerMore(scratch.stateDir, ["b"]);
    expect(await reportOn(scratch.stateDir)).toMatchObject({ ok: true, anchoredTo: 2 });
  });

  // One process read the entries, another added some and signed for all of them, then the first one came to sign for
  // fewer. Its line was in the store and, since the file only grows at its end, never in the file: a false alarm.
  it("of fewer entries than another's is not kept", async () => {
    using scratch = openScratch();
    const clock = handClock();
    await using slow = openJournal(scratch.stateDir, { owner: "owner_slow", clock });
    await bring(slow, "a", "refused");
    const other = outsider(scratch.stateDir);
    other.exec("BEGIN IMMEDIATE");
    const late = slow.checkpoint();
    await clockWaits(clock);
    other.exec("ROLLBACK");
    other.close();
    await writeLedgerMore(scratch.stateDir, ["b", "c"]);
    clock.move(20);
    expect(await late).toMatchObject({ size: 1 });
    expect(sizesIn(storedLines(scratch.stateDir))).toEqual([3]);
    expect(readCheckpointFile(checkpointFile(scratch.stateDir))).toEqual(storedLines(scratch.stateDir));
    await bring(slow, "d", "refused");
    await slow.close();
    expect(await reportOn(scratch.stateDir)).toMatchObject({ ok: true, entries: 4, anchoredTo: 4 });
  });
});

describe("nothing is appended to a ledger", () => {
  const entriesFrom = (seq: number) => `DELETE FROM entries WHERE seq >= ${seq};`;
  const otherKey = () => generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" });

  it.each<[string, string, (stateDir: string) => void]>([
    ["whose tail was cut", "not the ledger that was signed", (dir) => meddleWithEntries(dir, entriesFrom(6))],
    [
      "whose tail was cut with its checkpoints",
      "not the ledger that was signed",
      (dir) => meddleWithEntries(dir, `${entriesFrom(6)} DELETE FROM checkpoints WHERE size > 5`),
    ],
    [
      "whose tail was cut, and the checkpoint file is gone",
      "not the ledger that was signed",
      (dir) => {
        meddleWithEntries(dir, entriesFrom(6));
        rmSync(checkpointFile(dir));
      },
    ],
    [
      "that was emptied",
      "not the ledger that was signed",
      (dir) => meddle(dir, "DELETE FROM segments; DELETE FROM checkpoints; DELETE FROM calls"),
    ],
    ["that is gone", "`journal.db` is gone", (dir) => rmSync(join(dir, "journal.db"))],
    [
      "whose last entry is another",
      "not the ledger that was signed",
      (dir) => meddleWithEntries(dir, `UPDATE entries SET hash = '${GENESIS_HASH}' WHERE seq = 6`),
    ],
    ["whose key is gone", "`ledger.key` is gone", (dir) => rmSync(join(dir, "ledger.key"))],
    [
      "whose key is another",
      "`ledger.key` is not the key",
      (dir) => writeFileSync(join(dir, "ledger.key"), otherKey()),
    ],
    ["whose last checkpoint is none", "can't be read", (dir) => appendFileSync(checkpointFile(dir), "garbage\n")],
    [
      "whose last checkpoint in the store is none",
      "can't be read",
      (dir) => meddle(dir, "UPDATE checkpoints SET text = 'garbage'"),
    ],
  ])("%s", async (_, reason, harm) => {
    using scratch = openScratch();
    await writeLedger(scratch.stateDir, 3);
    harm(scratch.stateDir);
    const before = readEntries(scratch.stateDir);
    await using journal = openJournal(scratch.stateDir);
    const committed = await journal.commit(first("late", "refused"));
    expect(committed).toMatchObject({ kind: "failed", refusal: { code: "LEDGER_UNAVAILABLE" } });
    expect(JSON.stringify(committed)).toContain(reason);
    await expect(journal.checkpoint()).rejects.toThrow(reason);
    expect(readEntries(scratch.stateDir)).toEqual(before);
  });

  it("but to one whose checkpoint file alone is gone, and the file is written again", async () => {
    using scratch = openScratch();
    await writeLedger(scratch.stateDir, 3);
    rmSync(checkpointFile(scratch.stateDir));
    expect(await verify(scratch.stateDir)).toMatchObject({ report: { ok: false } });
    await writeLedgerMore(scratch.stateDir, ["x"]);
    expect(await reportOn(scratch.stateDir)).toMatchObject({ ok: true, anchoredTo: 7, checkpoints: 2 });
  });
});

needs("strace")("in a journal that does not sync each commit", () => {
  it("what a checkpoint swears to is on the disk before the checkpoint file is", async () => {
    using scratch = openScratch();
    const trace = join(scratch.folder, "trace");
    // A reader with an old view keeps SQLite from moving its log into the database, which would sync as well.
    await startProgram("visits-journal.ts", [scratch.stateDir, "a"]).ended();
    const reader = outsider(scratch.stateDir);
    reader.exec("BEGIN; SELECT count(*) FROM segments;");
    await startProgram(
      "visits-journal.ts",
      [scratch.stateDir, "b", "normal"],
      ["strace", "-f", "-y", "-e", "trace=fsync,fdatasync,pwrite64", "-o", trace],
    ).ended();
    reader.close();
    const steps = readFileSync(trace, "utf8").match(
      /(pwrite64|f\w*sync)\(\d+<[^>]*(journal\.db-wal|checkpoints\.jsonl)>/g,
    );
    const names = (steps ?? []).map((step) => step.replace(/\(.*\//, " ").replace(">", ""));
    expect(names.slice(-3)).toEqual(["pwrite64 journal.db-wal", "fsync journal.db-wal", "fsync checkpoints.jsonl"]);
  });
});

/** Further calls, by a process of its own so to speak. */
async function writeLedgerMore(stateDir: string, ids: readonly string[]): Promise<void> {
  await using journal = openJournal(stateDir, { owner: `owner_${ids.join("_")}` });
  for (const id of ids) expect(codeOf(await journal.commit(first(id, "refused")))).toBe("committed");
}

/** What the background has put into the file, once it is there. */
async function filedLines(stateDir: string, count: number): Promise<readonly string[]> {
  for (;;) {
    const lines = readCheckpointFile(checkpointFile(stateDir)) ?? [];
    if (lines.length >= count) return lines;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Until somebody waits for the clock, besides the timer of the next checkpoint. */
async function clockWaits(clock: { readonly waiting: () => number }): Promise<void> {
  while (clock.waiting() < 2) await new Promise((resolve) => setImmediate(resolve));
}
