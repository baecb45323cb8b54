import { generateKeyPairSync } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { GENESIS_HASH, sealEntry } from "../../src/ledger/chain.ts";
import { RangeVerifier } from "../../src/ledger/range-verifier.ts";
import { judgeLedger } from "../../src/ledger/verify.ts";
import { checkpointLine, draftOf, flipped, keys, type Row, renumbered, rowsOf, verified } from "./sample-ledger.ts";

const rows = rowsOf(300);
const row = (seq: number): Row => rows[seq - 1] as Row;
const lines = (...sizes: number[]) => sizes.map((size) => checkpointLine(rows, size));
const every = (step: number, to: number) => Array.from({ length: Math.floor(to / step) }, (_, i) => (i + 1) * step);
/** One thread, and three. */
const SPLITS: readonly (readonly number[])[] = [[], [100, 201]];

/** For what is tried at every place of a ledger: long enough for three ranges. */
const short = rows.slice(0, 120);
const SHORT_SPLITS: readonly (readonly number[])[] = [[], [40, 81]];
const seqs = every(1, short.length);

/** The entry that verification names, however the reading was split. */
function named(rows: readonly Row[], stored: readonly string[] = []) {
  const [seq, ...others] = SHORT_SPLITS.map((splits) => {
    const { ok, firstFinding } = verified(rows, { splits, stored });
    expect(ok).toBe(firstFinding === null);
    return firstFinding !== null && "seq" in firstFinding ? firstFinding.seq : null;
  });
  for (const other of others) expect(other).toBe(seq);
  return seq;
}

/** Entry `k` changed and everything after it chained anew: the work of somebody who knows the format. */
const rebuiltFrom = (k: number): Row[] => {
  const draft = (n: number) => (n === k ? { ...draftOf(n), actor: "mallory" } : draftOf(n));
  return [...rows.slice(0, k - 1), ...rowsOf(rows.length, { from: k, prev: row(k - 1)?.hash ?? GENESIS_HASH, draft })];
};

describe("a sound ledger", () => {
  it.each(SPLITS.map((splits) => ({ splits })))("is ok, read in ranges that begin at 1 and $splits", ({ splits }) => {
    expect(verified(rows, { stored: lines(64, 100, 250), splits })).toEqual({
      ok: true,
      entries: 300,
      head: row(300).hash,
      firstFinding: null,
      findings: [],
      anchoredTo: 250,
      unanchored: { from: 251, to: 300 },
      checkpoints: 3,
    });
  });

  it("may be split anywhere", () => {
    const stored = lines(1, 33, 128, 299, 300);
    const splits = fc.uniqueArray(fc.integer({ min: 2, max: 300 }), { maxLength: 6 });
    void fc.assert(
      fc.property(splits, (splits) => {
        const report = verified(rows, { stored, splits: splits.sort((a, b) => a - b) });
        expect(report).toMatchObject({ ok: true, entries: 300, anchoredTo: 300, unanchored: null });
      }),
    );
  });

  it("may be empty", () => {
    expect(verified([])).toMatchObject({ ok: true, entries: 0, head: GENESIS_HASH, anchoredTo: 0, unanchored: null });
  });
});

describe("an altered entry is named", () => {
  it("whichever byte of a text or a hash was flipped", () => {
    const few = rows.slice(0, 12);
    for (const { seq, text, hash } of few) {
      for (let at = 0; at < text.length; at++) {
        expect(named(few.with(seq - 1, { seq, hash, text: flipped(text, at, at % 8) }))).toBe(seq);
      }
      for (let at = 0; at < hash.length; at++) {
        expect(named(few.with(seq - 1, { seq, text, hash: flipped(hash, at, at % 7) }))).toBe(seq);
      }
    }
  });

  it("whichever bit of whichever entry, in 200 entries", () => {
    const many = rows.slice(0, 200);
    const bit = fc.record({ seq: fc.integer({ min: 1, max: 200 }), at: fc.nat(), bit: fc.integer({ min: 0, max: 6 }) });
    void fc.assert(
      fc.property(bit, fc.constantFrom("text" as const, "hash" as const), ({ seq, at, bit }, part) => {
        const { [part]: value } = row(seq);
        const bad = { ...row(seq), [part]: flipped(value, at % value.length, bit) };
        const report = verified(many.with(seq - 1, bad));
        expect(report.firstFinding).toEqual({ kind: "altered", seq, what: "hash" });
        expect(report.entries).toBe(seq - 1);
      }),
      { numRuns: 300 },
    );
  });

  it("also when its hash was computed anew, and the chain behind it was not", () => {
    for (const seq of seqs.slice(0, -2)) {
      const prev = seq === 1 ? GENESIS_HASH : row(seq - 1).hash;
      const forged = { seq, ...sealEntry({ ...draftOf(seq), actor: "mallory" }, seq, prev) };
      expect(named(short.with(seq - 1, forged))).toBe(seq);
    }
  });
});

describe("a moved entry is named, at every place, with rows renumbered or not:", () => {
  it("deleted", () => {
    for (const seq of seqs.slice(0, -1)) {
      const bad = short.toSpliced(seq - 1, 1);
      expect(verified(bad).firstFinding).toEqual({ kind: "gap", seq, found: seq + 1 });
      expect(named(bad)).toBe(seq);
      expect(named(renumbered(bad))).toBe(seq);
    }
  });

  it("inserted, with a link that fits", () => {
    for (const seq of seqs) {
      const prev = seq === 1 ? GENESIS_HASH : row(seq - 1).hash;
      const forged = { seq, ...sealEntry({ ...draftOf(seq), actor: "mallory" }, seq, prev) };
      const bad = short.toSpliced(seq - 1, 0, forged);
      expect(named(bad)).toBe(seq);
      expect(named(renumbered(bad))).toBe(seq);
    }
  });

  it("inserted, with a link that does not fit", () => {
    for (const seq of seqs.slice(1)) {
      const forged = { seq, ...sealEntry({ ...draftOf(seq), actor: "mallory" }, seq, GENESIS_HASH) };
      expect(named(renumbered(short.toSpliced(seq - 1, 0, forged)))).toBe(seq);
    }
  });

  it("inserted as the copy of an earlier one", () => {
    for (const seq of seqs.slice(9)) expect(named(renumbered(short.toSpliced(seq - 1, 0, row(seq - 8))))).toBe(seq);
  });

  it("doubled", () => {
    for (const seq of seqs) {
      const bad = short.toSpliced(seq, 0, row(seq));
      expect(verified(renumbered(bad)).firstFinding).toEqual({ kind: "gap", seq, found: seq });
      expect(named(bad)).toBe(seq);
      expect(named(renumbered(bad))).toBe(seq);
    }
  });

  it("overwritten by the one before it", () => {
    for (const seq of seqs.slice(1, -1)) expect(named(short.with(seq - 1, { ...row(seq - 1), seq }))).toBe(seq);
  });

  it("swapped", () => {
    for (const seq of seqs.slice(0, -1)) {
      const bad = short.with(seq - 1, row(seq + 1)).with(seq, row(seq));
      expect(named(renumbered(bad))).toBe(seq);
      // A table has no order of its own: rows that keep their seq are read as they were.
      expect(named(bad.toSorted((a, b) => a.seq - b.seq))).toBeNull();
    }
  });
});

describe("a cut tail", () => {
  it("is truncated when a checkpoint speaks of it, for every length of 1 to 100", () => {
    const stored = lines(100, 300);
    for (const k of every(1, 100)) {
      for (const splits of SPLITS) {
        const report = verified(rows.slice(0, 300 - k), { stored, splits });
        expect(report).toMatchObject({ ok: false, entries: 300 - k, anchoredTo: 100 });
        expect(report.findings).toEqual([{ kind: "truncated", expected: 300, found: 300 - k }]);
      }
    }
  });

  it("may be the whole ledger", () => {
    expect(verified([], { stored: lines(5) }).firstFinding).toEqual({ kind: "truncated", expected: 5, found: 0 });
  });

  it("is found when the store's checkpoints were cut along with it", () => {
    const { findings } = verified(rows.slice(0, 200), { stored: lines(100), filed: lines(100, 300) });
    expect(findings).toEqual([
      { kind: "truncated", expected: 300, found: 200 },
      { kind: "missing", what: "stored-checkpoint", size: 300 },
    ]);
  });

  it("is not seen where no checkpoint speaks of it, and the report says so", () => {
    const report = verified(rows.slice(0, 290), { stored: lines(100) });
    expect(report).toMatchObject({ ok: true, unanchored: { from: 101, to: 290 } });
  });
});

describe("a rebuilt chain", () => {
  const sizes = every(50, 300);
  const stored = lines(...sizes);

  it("is placed between two checkpoints, from every tenth entry", () => {
    for (const k of [1, ...every(10, 300)]) {
      const upTo = Math.ceil(k / 50) * 50;
      for (const splits of SPLITS) {
        const report = verified(rebuiltFrom(k), { stored, splits });
        expect(report.findings).toEqual([{ kind: "rebuilt", size: upTo, after: upTo - 50, upTo }]);
        expect(report).toMatchObject({ ok: false, entries: 300, anchoredTo: upTo - 50 });
      }
    }
  });

  it("and cut is both", () => {
    const { findings } = verified(rebuiltFrom(70).slice(0, 280), { stored });
    expect(findings).toEqual([
      { kind: "rebuilt", size: 100, after: 50, upTo: 100 },
      { kind: "truncated", expected: 300, found: 280 },
    ]);
  });

  it("comes before a flaw behind it, and after a flaw before it", () => {
    const behind = rebuiltFrom(70).with(119, { ...row(120), text: "x" });
    expect(verified(behind, { stored }).findings.map(({ kind }) => kind)).toEqual(["rebuilt", "altered"]);
    const before = rebuiltFrom(70).with(59, { ...row(60), text: "x" });
    expect(verified(before, { stored }).findings).toEqual([{ kind: "altered", seq: 60, what: "hash" }]);
  });

  it("is found although somebody signed it with a key of their own", () => {
    const rebuilt = rebuiltFrom(70);
    const own = checkpointLine(rebuilt, 100, generateKeyPairSync("ed25519").privateKey);
    const report = verified(rebuilt, { stored: [...lines(50), own] });
    const where = "row 2 of the store";
    expect(report.firstFinding).toEqual({ kind: "bad-checkpoint", where, reason: "it was signed with another key" });
    expect(report).toMatchObject({ ok: false, anchoredTo: 50, checkpoints: 1 });
  });
});

describe("ranges", () => {
  it("of which one lost its end leave a gap", () => {
    const bad = rows.filter(({ seq }) => seq < 95 || seq > 101);
    expect(verified(bad, { splits: [100] }).firstFinding).toEqual({ kind: "gap", seq: 95, found: 102 });
  });

  it("settle a doubt with the first row of the next one", () => {
    const forged = { seq: 98, ...sealEntry({ ...draftOf(98), actor: "mallory" }, 98, row(97).hash) };
    for (const splits of [[98], [99], [100], [101], [99, 100]]) {
      expect(verified(rows.with(97, forged), { splits }).firstFinding).toEqual({ kind: "replaced", seq: 98 });
    }
  });

  it("of one row each name the row that does not follow", () => {
    const forged = { seq: 300, ...sealEntry(draftOf(300), 300, GENESIS_HASH) };
    const finding = { kind: "broken-link", seq: 300 };
    expect(verified(rows.with(299, forged), { splits: [300] }).firstFinding).toEqual(finding);
  });

  const nothing = { from: 1, count: 0, first: null, head: null, marks: [], subtrees: [], finding: null, doubt: null };
  const { publicKey } = keys;

  it("that overlap are the caller's mistake", () => {
    const checkpoints = { stored: [], filed: [] };
    const verifier = new RangeVerifier({ from: 1, prev: GENESIS_HASH, sizes: [] });
    verifier.add(1, row(1).hash, Buffer.from(row(1).text));
    const ranges = [verifier.result(), nothing];
    expect(() => judgeLedger({ ranges, checkpoints, publicKey })).toThrow("from entry 1 was verified already");
  });

  it("that were not told of a checkpoint's size are the caller's mistake", () => {
    const checkpoints = { stored: lines(1), filed: lines(1) };
    const verifier = new RangeVerifier({ from: 1, prev: GENESIS_HASH, sizes: [] });
    verifier.add(1, row(1).hash, Buffer.from(row(1).text));
    const ranges = [verifier.result()];
    expect(() => judgeLedger({ ranges, checkpoints, publicKey })).toThrow("at the checkpoint of 1 entries");
  });
});
