import { describe, expect, it } from "vitest";
import { GENESIS_HASH } from "../../../src/ledger/chain.ts";
import { verifyRange } from "../../../src/store/sqlite/verify-range.ts";
import { meddle, meddleWithEntries, openScratch } from "../state-dir.ts";
import { readEntries, writeLedger } from "./open-journal.ts";

async function openLedger() {
  const scratch = openScratch();
  await writeLedger(scratch.stateDir, 5);
  return scratch;
}

describe("verifyRange", () => {
  it.each([
    [1, 10],
    [1, 1],
    [4, 7],
    [10, 10],
  ])("finds nothing in entries %d to %d as they were written", async (from, to) => {
    using scratch = await openLedger();
    const { stateDir } = scratch;
    const entries = readEntries(stateDir);
    const result = verifyRange({ stateDir, from, to, sizes: [5, to] });
    expect(result).toMatchObject({
      from,
      count: to - from + 1,
      finding: null,
      doubt: null,
      head: entries[to - 1]?.hash,
    });
    expect(result.first).toEqual({ seq: from, link: { seq: from, prev: entries[from - 2]?.hash ?? GENESIS_HASH } });
    expect(result.marks.map(({ size }) => size)).toEqual(
      [...new Set([5, to])].filter((size) => size >= from && size <= to),
    );
  });

  it.each([
    [10, 1, 10],
    [3, 1, 3],
    [9, 1, 9],
    [8, 5, 8],
  ])("finds that entry %d is gone from the end of %d to %d", async (seq, from, to) => {
    using scratch = await openLedger();
    meddleWithEntries(scratch.stateDir, `DELETE FROM entries WHERE seq = ${seq}`);
    const { finding, count } = verifyRange({ stateDir: scratch.stateDir, from, to, sizes: [] });
    expect([finding, count]).toEqual([{ kind: "gap", seq, found: to + 1 }, seq - from]);
  });

  it.each([0, -1, -5, -(2 ** 40)])("finds what was put in front of the first entry, with seq %d", async (seq) => {
    using scratch = await openLedger();
    meddleWithEntries(scratch.stateDir, `INSERT INTO entries SELECT ${seq}, hash, text FROM entries WHERE seq = 1`);
    const { finding } = verifyRange({ stateDir: scratch.stateDir, from: 1, to: 10, sizes: [] });
    expect(finding).toEqual({ kind: "gap", seq: 1, found: seq });
  });

  it("can't be got round by a number that is none of JavaScript's", async () => {
    using scratch = await openLedger();
    meddle(scratch.stateDir, `INSERT INTO segments VALUES (-${2n ** 63n}, 'hidden')`);
    const { stateDir } = scratch;
    expect(() => verifyRange({ stateDir, from: 1, to: 10, sizes: [] })).toThrow("too large");
  });

  // A range ends where the next segment begins; what the last segment of the range says behind that was not read.
  it("finds what a segment holds of the next range", async () => {
    using scratch = await openLedger();
    const { stateDir } = scratch;
    meddle(
      stateDir,
      "UPDATE segments SET lines = lines || char(10) || (SELECT lines FROM segments WHERE first_seq = 5) WHERE first_seq = 4",
    );
    expect(verifyRange({ stateDir, from: 1, to: 4, sizes: [] }).finding).toEqual({ kind: "gap", seq: 5, found: 5 });
    meddle(stateDir, "UPDATE segments SET lines = lines || char(10) || 'more' WHERE first_seq = 9");
    expect(verifyRange({ stateDir, from: 5, to: 9, sizes: [] }).finding).toMatchObject({ kind: "altered", seq: 10 });
  });

  it("finds nothing where there is nothing", () => {
    using scratch = openScratch();
    expect(verifyRange({ stateDir: scratch.stateDir, from: 1, to: 0, sizes: [] })).toMatchObject({
      count: 0,
      first: null,
      finding: null,
    });
  });
});
