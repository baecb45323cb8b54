import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { GENESIS_HASH } from "../../../src/ledger/chain.ts";
import { keyFingerprint } from "../../../src/ledger/checkpoint.ts";
import { checkpointSizes } from "../../../src/ledger/checkpoint-set.ts";
import { judgeLedger } from "../../../src/ledger/verify.ts";
import { checkpointFile, readCheckpointFile } from "../../../src/store/sqlite/checkpoint-file.ts";
import { journalFile, openDatabase } from "../../../src/store/sqlite/open-database.ts";
import { rangesOf } from "../../../src/store/sqlite/ranges-of.ts";
import { readPublicKey } from "../../../src/store/sqlite/signing-key.ts";
import { verifyLedger } from "../../../src/store/sqlite/verify-ledger.ts";
import { verifyRange } from "../../../src/store/sqlite/verify-range.ts";
import { bring } from "../changes.ts";
import { meddle, meddleWithEntries, openScratch, verify } from "../state-dir.ts";
import { openJournal, readEntries, readWith, writeLedger } from "./open-journal.ts";

/** 40 entries under three checkpoints. */
async function openLedger() {
  const scratch = openScratch();
  {
    await using journal = openJournal(scratch.stateDir);
    for (let n = 1; n <= 20; n++) {
      await bring(journal, `c${n}`, "completed");
      if (n === 4 || n === 15) await journal.checkpoint();
    }
  }
  return scratch;
}

const SHIFT_UP = (seq: number) =>
  `UPDATE entries SET seq = -seq - 1 WHERE seq >= ${seq}; UPDATE entries SET seq = -seq WHERE seq < 0;`;

const HARM: readonly (readonly [string, string, number | null])[] = [
  ["nothing", "", null],
  ["an altered text", "UPDATE entries SET text = replace(text, 'count', 'mount') WHERE seq = 20", 20],
  ["an altered hash", `UPDATE entries SET hash = '${GENESIS_HASH}' WHERE seq = 21`, 21],
  ["a missing entry", "DELETE FROM entries WHERE seq = 20", 20],
  ["missing entries over a border", "DELETE FROM entries WHERE seq BETWEEN 18 AND 23", 18],
  ["a doubled entry", `${SHIFT_UP(21)} INSERT INTO entries SELECT 21, hash, text FROM entries WHERE seq = 20`, 20],
  ["one in front", "INSERT INTO entries SELECT 0, hash, text FROM entries WHERE seq = 1", 1],
  ["a cut tail", "DELETE FROM entries WHERE seq > 33", 34],
  ["nothing left", "DELETE FROM entries", 1],
];

/** The first line of a segment, with its end. */
const FIRST_LINE = "substr(lines, 1, instr(lines, char(10)) - 1)";
const firstOf = (seq: number) => `(SELECT ${FIRST_LINE} FROM segments WHERE first_seq = ${seq})`;
const append = (seq: number, line: string) =>
  `UPDATE segments SET lines = lines || char(10) || ${line} WHERE first_seq = ${seq}`;

/** Segments of five lines: 1 to 5, 6 to 10, and so on up to 40. */
const SEGMENT_HARM: readonly (readonly [string, string, number])[] = [
  ["a segment that goes on with the next one's first line", append(16, firstOf(21)), 21],
  ["a segment that goes on with two of the next one's", append(16, `${firstOf(21)} || char(10) || 'x'`), 22],
  ["a segment that goes on with something else", append(16, "'x'"), 21],
  ["a segment with an empty line at its end", append(16, "''"), 21],
  ["the last segment with an empty line at its end", append(36, "''"), 41],
  [
    "every segment with its first line once more at its end",
    `UPDATE segments SET lines = lines || char(10) || ${FIRST_LINE}`,
    6,
  ],
  ["a segment inside another", `INSERT INTO segments SELECT 18, ${FIRST_LINE} FROM segments WHERE first_seq = 16`, 18],
  ["an empty segment inside another", "INSERT INTO segments VALUES (23, '')", 23],
  ["an empty segment at the end", "INSERT INTO segments VALUES (41, '')", 41],
  ["an empty segment far behind the end", "INSERT INTO segments VALUES (4100, '')", 41],
  ["a segment that was emptied", "UPDATE segments SET lines = '' WHERE first_seq = 21", 21],
  ["a segment with a number too high", "UPDATE segments SET first_seq = 22 WHERE first_seq = 21", 21],
  ["a segment with a number too low", "UPDATE segments SET first_seq = 20 WHERE first_seq = 21", 20],
  [
    "two segments that changed places",
    "UPDATE segments SET first_seq = -21 WHERE first_seq = 16; UPDATE segments SET first_seq = 16 WHERE first_seq = 21; UPDATE segments SET first_seq = 21 WHERE first_seq = -21",
    16,
  ],
];

describe("verifyLedger", () => {
  it("says what it read, and what signs for it", async () => {
    using scratch = await openLedger();
    const publicKey = readPublicKey(scratch.stateDir);
    expect(await verify(scratch.stateDir)).toEqual({
      kind: "judged",
      key: publicKey && keyFingerprint(publicKey),
      report: {
        ok: true,
        entries: 40,
        head: readEntries(scratch.stateDir).at(-1)?.hash,
        firstFinding: null,
        findings: [],
        anchoredTo: 40,
        unanchored: null,
        checkpoints: 3,
      },
    });
  });

  const cases = HARM.flatMap(([harm, sql, named]) => [1, 3, 7].map((lines) => ({ harm, sql, named, lines })));
  it.each(cases)("says the same with one thread and with several: $harm, $lines lines a segment", async (given) => {
    using scratch = await openLedger();
    meddleWithEntries(scratch.stateDir, given.sql, given.lines);
    await expectSame(scratch.stateDir, given.named);
  });

  it.each(SEGMENT_HARM)("says the same with one thread and with several: %s", async (_, sql, named) => {
    using scratch = await openLedger();
    meddleWithEntries(scratch.stateDir, "", 5);
    meddle(scratch.stateDir, sql);
    await expectSame(scratch.stateDir, named);
  });

  it.each([
    ["nothing", ""],
    ["an altered text", "UPDATE segments SET lines = replace(lines, 'count', 'mount') WHERE first_seq = 21"],
    ["a segment that goes on with the next one's first line", append(16, firstOf(21))],
  ])("says the same on real threads: %s", async (_, sql) => {
    using scratch = await openLedger();
    const { stateDir } = scratch;
    meddleWithEntries(stateDir, "", 5);
    meddle(stateDir, sql);
    const alone = await verify(stateDir);
    for (const [threads, thisThread] of [
      [2, "waits"],
      [2, "helps"],
      [5, "helps"],
    ] as const) {
      const together = await verifyLedger({ stateDir, threads, entriesPerThread: 1, thisThread });
      expect(withoutFound(together)).toEqual(withoutFound(alone));
    }
  });

  it("uses fewer threads than it may where there is little to read", async () => {
    using scratch = await openLedger();
    const { stateDir } = scratch;
    for (const entriesPerThread of [1, 20, 21, 40, 41]) {
      expect(await verifyLedger({ stateDir, threads: 2, entriesPerThread })).toEqual(await verify(stateDir));
    }
  });

  it.each<[string, (dir: string) => void, string, string]>([
    ["there is no ledger", () => {}, "MISSING", "MISSING: there is no `journal.db`"],
    [
      "it is no database",
      (dir) => writeFileSync(journalFile(dir), "garbage ".repeat(1000)),
      "UNREADABLE",
      "file is not a database",
    ],
    ["it is an empty file", (dir) => writeFileSync(journalFile(dir), ""), "NOT_A_LEDGER", "it is empty"],
    ["it is a database without tables", (dir) => meddle(dir, "VACUUM"), "NOT_A_LEDGER", "it is empty"],
    [
      "it is the database of something else",
      (dir) => meddle(dir, "CREATE TABLE songs (title TEXT); PRAGMA user_version = 1"),
      "NOT_A_LEDGER",
      "it has no table `segments`",
    ],
    [
      "it lost a table",
      (dir) => meddle(dir, "CREATE TABLE segments (first_seq, lines); CREATE TABLE calls (call_id)"),
      "NOT_A_LEDGER",
      "it has no table `checkpoints`",
    ],
    ["a newer version wrote it", (dir) => meddle(dir, "PRAGMA user_version = 99"), "OTHER_FORMAT", "has format 99"],
    [
      "the checkpoint file can't be read",
      (dir) => mkdirSync(checkpointFile(dir)),
      "FOREIGN_FILE",
      "`checkpoints.jsonl` is not a file that toolgate made",
    ],
  ])("can't judge where %s, and says what to do", async (_, prepare, code, reason) => {
    using scratch = openScratch();
    mkdirSync(scratch.stateDir);
    prepare(scratch.stateDir);
    const verified = await verify(scratch.stateDir);
    expect(verified).toMatchObject({
      kind: "unreadable",
      code,
      reason: expect.stringContaining(reason),
      hint: expect.any(String),
    });
    expect(JSON.stringify(verified)).not.toContain(scratch.folder);
  });

  it("holds the ledger against checkpoints that were kept elsewhere", async () => {
    using scratch = await openLedger();
    const { stateDir } = scratch;
    const kept = join(scratch.folder, "kept.jsonl");
    copyFileSync(checkpointFile(stateDir), kept);
    expect(await verifyLedger({ stateDir, threads: 1, checkpointFile: kept })).toMatchObject({ report: { ok: true } });
    // Everything beside the ledger agrees that it has only 8 entries.
    meddleWithEntries(stateDir, "DELETE FROM entries WHERE seq > 8; DELETE FROM checkpoints WHERE size > 8");
    meddle(stateDir, "DELETE FROM calls WHERE last_seq > 8");
    writeFileSync(checkpointFile(stateDir), `${readFileSync(kept, "utf8").split("\n")[0]}\n`);
    expect(await verify(stateDir)).toMatchObject({ report: { ok: true, entries: 8 } });
    const found = await verifyLedger({ stateDir, threads: 1, checkpointFile: kept });
    expect(found).toMatchObject({ report: { ok: false, firstFinding: { kind: "truncated", expected: 40, found: 8 } } });
  });

  it("wants the key that it was told to expect", async () => {
    using scratch = await openLedger();
    const { stateDir } = scratch;
    const verified = await verify(stateDir);
    const key = verified.kind === "judged" ? (verified.key ?? "") : "";
    expect(await verifyLedger({ stateDir, threads: 1, key })).toEqual(verified);
    expect(await verifyLedger({ stateDir, threads: 1, key: key.replace(/^./, "x") })).toMatchObject({
      kind: "unreadable",
    });
    // The public half follows from the key itself.
    rmSync(join(stateDir, "ledger.pub"));
    expect(await verifyLedger({ stateDir, threads: 1, key })).toEqual(verified);
    rmSync(join(stateDir, "ledger.key"));
    expect(await verifyLedger({ stateDir, threads: 1, key })).toMatchObject({
      kind: "unreadable",
      reason: expect.stringContaining("`missing`"),
    });
  });

  it.each([
    "CREATE TABLE extra (x)",
    "CREATE TRIGGER hides BEFORE INSERT ON segments BEGIN SELECT RAISE(IGNORE); END",
    "ALTER TABLE calls RENAME COLUMN tool TO tools",
    "DROP INDEX open_calls",
  ])("finds tables that are not ours, as the gate does: %s", async (sql) => {
    using scratch = await openLedger();
    meddle(scratch.stateDir, sql);
    expect(openDatabase(scratch.stateDir).kind).toBe("refused");
    expect(await verify(scratch.stateDir)).toMatchObject({
      report: { ok: false, entries: 40, findings: [{ kind: "other-tables" }] },
    });
  });

  it("reads while others write", async () => {
    using scratch = openScratch();
    await writeLedger(scratch.stateDir, 1);
    await using journal = openJournal(scratch.stateDir, { owner: "owner_writing" });
    const verdicts = [];
    for (let n = 0; n < 20; n++) {
      const written = bring(journal, `w${n}`, "completed");
      verdicts.push(verify(scratch.stateDir));
      await written;
      if (n % 5 === 0) await journal.checkpoint();
    }
    for (const verdict of await Promise.all(verdicts)) expect(verdict).toMatchObject({ report: { ok: true } });
  });
});

/** As threads do it, without the threads. */
function judgedInParts(stateDir: string, parts: number) {
  const filed = readCheckpointFile(checkpointFile(stateDir));
  return readWith(stateDir, (reader) => {
    const checkpoints = { ...reader.checkpoints(), filed };
    const sizes = checkpointSizes(checkpoints);
    const ranges = rangesOf(reader, parts).map((range) => verifyRange({ stateDir, sizes, ...range }));
    return judgeLedger({ ranges, checkpoints, publicKey: readPublicKey(stateDir) });
  });
}

async function expectSame(stateDir: string, named: number | null): Promise<void> {
  const alone = await verify(stateDir);
  expect(placeOf(alone.kind === "judged" ? alone.report.firstFinding : null)).toBe(named);
  for (const parts of [2, 3, 4, 7, 11, 40]) {
    const together = { ...alone, report: judgedInParts(stateDir, parts) };
    // Where rows are missing at a border, one thread sees which came instead and another only that they are gone; where
    // some are there twice, one counts them and another does not.
    expect(withoutFound(together)).toEqual(withoutFound(alone));
  }
}

function placeOf(finding: object | null): number | null {
  if (finding === null) return null;
  if ("seq" in finding) return Number(finding.seq);
  return "found" in finding ? Number(finding.found) + 1 : null;
}

const withoutFound = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (key, member) => (key === "found" ? undefined : member)));
