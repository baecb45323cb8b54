import { describe, expect, it } from "vitest";
import type { Digest } from "../../../src/domain/digest.ts";
import { type Checkpoint, checkpointFromText } from "../../../src/ledger/checkpoint.ts";
import { verifyInclusion } from "../../../src/ledger/proof-check.ts";
import { leafHash } from "../../../src/ledger/tree.ts";
import { LedgerReader } from "../../../src/store/sqlite/ledger-reader.ts";
import { bring, first, next } from "../changes.ts";
import { openScratch } from "../state-dir.ts";
import { openJournal, writeLedger } from "./open-journal.ts";

async function withReader<T>(stateDir: string, read: (reader: LedgerReader) => T): Promise<T> {
  const reader = LedgerReader.open(stateDir);
  if (reader === null) throw new Error("no ledger");
  try {
    return read(reader);
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
    await using journal = openJournal(scratch.stateDir);
    await journal.checkpoint();
    await withReader(scratch.stateDir, (reader) => {
      expect([reader.size, [...reader.entries({ from: 1, to: 9 })], reader.checkpoints(), reader.prove(1)]).toEqual([
        0,
        [],
        [],
        null,
      ]);
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
      expect([...reader.rows(from, to)].map(([seq]) => seq)).toEqual(seqs);
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

  it("reads rows past the number that it fetches at a time", async () => {
    using scratch = openScratch();
    await using journal = openJournal(scratch.stateDir);
    const entries = Array.from({ length: 2500 }, () => ({}));
    await journal.commit(first("a", "refused", { entries }));
    await withReader(scratch.stateDir, (reader) => {
      expect([...reader.rows(1, 2500)].map(([seq]) => seq)).toEqual(entries.map((_, i) => i + 1));
      expect([...reader.rows(999, 1002)].map(([seq]) => seq)).toEqual([999, 1000, 1001, 1002]);
    });
  });

  it("proves every entry under the smallest checkpoint that covers it, and none behind the last", async () => {
    using scratch = openScratch();
    await using journal = openJournal(scratch.stateDir);
    const sizes = [1, 7, 33];
    for (let n = 1; n <= 40; n++) {
      await bring(journal, `c${n}`, "refused");
      if (sizes.includes(n)) await journal.checkpoint();
    }
    await withReader(scratch.stateDir, (reader) => {
      for (let seq = 1; seq <= 33; seq++) {
        const proof = reader.prove(seq);
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
      expect([reader.prove(34), reader.prove(41), reader.prove(0)]).toEqual([null, null, null]);
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
