import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Digest } from "../../../src/domain/digest.ts";
import { type Checkpoint, checkpointFromText } from "../../../src/ledger/checkpoint.ts";
import { verifyInclusion } from "../../../src/ledger/proof-check.ts";
import { leafHash } from "../../../src/ledger/tree.ts";
import { LedgerReader } from "../../../src/store/sqlite/ledger-reader.ts";
import { journalFile } from "../../../src/store/sqlite/open-database.ts";
import { bring, first, next } from "../changes.ts";
import { meddleWithEntries, openScratch } from "../state-dir.ts";
import { openJournal, writeLedger } from "./open-journal.ts";

async function withReader<T>(stateDir: string, read: (reader: LedgerReader) => T | Promise<T>): Promise<T> {
  const reader = LedgerReader.open(stateDir);
  if (reader === null) throw new Error("no ledger");
  try {
    return await read(reader);
  } finally {
    reader.close();
  }
}

describe("LedgerReader", () => {
  it("is null where there is no ledger", () => {
    using scratch = openScratch();
    expect(LedgerReader.open(scratch.stateDir)).toBeNull();
  });

  it("reads an empty ledger", async () => {
    using scratch = openScratch();
    mkdirSync(scratch.stateDir, { recursive: true }); // where there is none, looking makes none
    await using journal = openJournal(scratch.stateDir);
    await journal.checkpoint();
    await withReader(scratch.stateDir, async (reader) => {
      expect([
        reader.size,
        [...reader.entries({ from: 1, to: 9 })],
        reader.checkpoints().stored,
        await reader.prove(1),
      ]).toEqual([0, [], [], null]);
    });
  });

  it.each([
    [1, 6, [1, 2, 3, 4, 5, 6]],
    [1, 1, [1]],
    [6, 6, [6]],
    [6, 7, [6]],
    [3, 4, [3, 4]],
    [7, 9, []],
    [4, 3, []],
    [-5, 2, [1, 2]],
  ])("gives the entries from %d to %d", async (from, to, seqs) => {
    using scratch = openScratch();
    await writeLedger(scratch.stateDir, 3);
    await withReader(scratch.stateDir, (reader) => {
      expect([...reader.entries({ from, to })].map(({ seq }) => seq)).toEqual(seqs);
    });
  });

  it("gives the entries of one call, also where others lie between them", async () => {
    using scratch = openScratch();
    await using journal = openJournal(scratch.stateDir);
    await bring(journal, "a", "executing");
    await journal.commit(first("b", "executing", { entries: [{}, {}] }));
    await bring(journal, "c", "refused");
    await journal.commit(next("b", "executing", "failed"));
    await journal.commit(next("a", "executing", "completed"));
    await withReader(scratch.stateDir, (reader) => {
      const seqsOf = (callId: string) => [...reader.entriesOf(callId)].map(({ seq }) => seq);
      expect(["a", "b", "c", "nobody"].map(seqsOf)).toEqual([[1, 6], [2, 3, 5], [4], []]);
    });
  });

  it("reads past the number of segments that it fetches at a time, and out of the middle of one", async () => {
    using scratch = openScratch();
    await using journal = openJournal(scratch.stateDir);
    const changes = Array.from({ length: 100 }, (_, n) => first(`c${n}`, "refused", { entries: [{}, {}, {}] }));
    for (const change of changes) await journal.commit(change);
    await journal.commit(first("long", "refused", { entries: Array.from({ length: 700 }, () => ({})) }));
    const upTo = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);
    await withReader(scratch.stateDir, (reader) => {
      const seqs = (from: number, to: number) => [...reader.entries({ from, to })].map(({ seq }) => seq);
      expect([reader.size, seqs(1, 2000), seqs(299, 302), seqs(500, 503), seqs(1000, 1000)]).toEqual([
        1000,
        upTo(1, 1000),
        upTo(299, 302),
        upTo(500, 503),
        [1000],
      ]);
    });
  });

  it("gives segments as they are, also from in front of the first entry", async () => {
    using scratch = openScratch();
    await writeLedger(scratch.stateDir, 3);
    meddleWithEntries(scratch.stateDir, "UPDATE entries SET seq = -5 WHERE seq = 1", 2);
    await withReader(scratch.stateDir, (reader) => {
      const seqs = (from: number | null, to: number) =>
        [...reader.pages(from, to)].flatMap(({ segments }) => segments.map(([seq]) => seq));
      expect(seqs(null, 6)).toEqual([-5, 2, 4, 6]);
      expect(seqs(4, 5)).toEqual([4]);
      expect(seqs(2, 4)).toEqual([2, 4]);
      expect([-9, 1, 2, 3, 6, 7].map((seq) => reader.borderFrom(seq))).toEqual([-5, 2, 2, 4, 6, null]);
    });
  });

  it("leaves nothing open where it can't read", async () => {
    using scratch = openScratch();
    mkdirSync(scratch.stateDir);
    writeFileSync(journalFile(scratch.stateDir), "garbage ".repeat(1000));
    const before = readdirSync("/proc/self/fd").length;
    expect(() => LedgerReader.open(scratch.stateDir)).toThrow("file is not a database");
    expect(readdirSync("/proc/self/fd")).toHaveLength(before);
  });

  it("proves every entry under the smallest checkpoint that covers it, and none behind the last", async () => {
    using scratch = openScratch();
    await using journal = openJournal(scratch.stateDir);
    const sizes = [1, 7, 33];
    for (let n = 1; n <= 40; n++) {
      await bring(journal, `c${n}`, "refused");
      if (sizes.includes(n)) await journal.checkpoint();
    }
    await withReader(scratch.stateDir, async (reader) => {
      for (let seq = 1; seq <= 33; seq++) {
        const proof = await reader.prove(seq);
        if (proof === null) throw new Error(`no proof for ${seq}`);
        const signed = checkpointFromText(proof.checkpoint) as Checkpoint;
        expect(proof).toMatchObject({
          entry: { seq },
          index: seq - 1,
          size: sizes.find((size) => size >= seq),
          root: signed.root,
        });
        expect(signed.size).toBe(proof.size);
        const claim = { ...proof, leafHash: leafHash(proof.entry.hash) };
        expect(verifyInclusion(claim)).toBeNull();
        expect(verifyInclusion({ ...claim, leafHash: leafHash("0".repeat(64) as Digest) })).not.toBeNull();
      }
      for (const seq of [34, 41, 0]) expect(await reader.prove(seq)).toBeNull();
    });
  });

  it("lets others go in between while it proves an entry of a long ledger", async () => {
    using scratch = openScratch();
    await using journal = openJournal(scratch.stateDir);
    await Promise.all(Array.from({ length: 2000 }, (_, n) => bring(journal, `c${n}`, "refused")));
    await journal.checkpoint();
    await withReader(scratch.stateDir, async (reader) => {
      let [isOver, turns] = [false, 0];
      const count = () => {
        turns++;
        if (!isOver) setImmediate(count);
      };
      setImmediate(count);
      const proof = await reader.prove(1);
      isOver = true;
      expect(proof).toMatchObject({ index: 0, size: reader.size });
      expect(turns).toBeGreaterThanOrEqual(Math.floor(reader.size / 1000));
    });
  });

  it("sees what was committed while it was open, and writes nothing", async () => {
    using scratch = openScratch();
    await using journal = openJournal(scratch.stateDir);
    await bring(journal, "a", "refused");
    const reader = LedgerReader.open(scratch.stateDir);
    expect(reader?.size).toBe(1);
    await bring(journal, "b", "refused");
    expect(reader?.size).toBe(2);
    reader?.close();
  });
});
