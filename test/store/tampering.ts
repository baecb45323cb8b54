import { deepEqual } from "node:assert/strict";
import type { DatabaseSync } from "node:sqlite";
import { putEntries as put } from "./entries-table.ts";
import { foundWithFlip, named } from "./flips.ts";
import { forgedAt, namedBy, rebuiltFrom, shift, type WrittenLedger } from "./written-ledger.ts";

// Without vitest: threads use it.

/** A55 to A58: what somebody does to a ledger at a given place. Each must be found, with that entry named. */
export interface Tampering {
  readonly name: string;
  readonly at: (seq: number, ledger: WrittenLedger) => (db: DatabaseSync) => void;
  /** Places at which it is harm: the first and the last, counted from the ends of the ledger. */
  readonly from: number;
  readonly untilLast: number;
}

export const MOVES: readonly Tampering[] = [
  {
    name: "deleted",
    at: (seq) => (db) => db.exec(`DELETE FROM entries WHERE seq = ${seq}`),
    from: 1,
    untilLast: 0,
  },
  {
    name: "deleted, and the rest moved up",
    at: (seq) => (db) => {
      db.exec(`DELETE FROM entries WHERE seq = ${seq}`);
      shift(db, seq + 1, -1);
    },
    from: 1,
    untilLast: 0,
  },
  {
    name: "inserted, with a link that fits",
    at: (seq, ledger) => (db) => {
      shift(db, seq, 1);
      put(db, [forgedAt(seq, ledger)]);
    },
    from: 1,
    untilLast: 0,
  },
  {
    name: "inserted as the copy of the first",
    at:
      (seq, { row }) =>
      (db) => {
        shift(db, seq, 1);
        put(db, [{ ...row(1), seq }]);
      },
    from: 3,
    untilLast: 0,
  },
  {
    name: "doubled",
    at:
      (seq, { row }) =>
      (db) => {
        shift(db, seq + 1, 1);
        put(db, [{ ...row(seq), seq: seq + 1 }]);
      },
    from: 1,
    untilLast: 0,
  },
  {
    name: "swapped with the next",
    at:
      (seq, { row }) =>
      (db) =>
        put(db, [
          { ...row(seq + 1), seq },
          { ...row(seq), seq: seq + 1 },
        ]),
    from: 1,
    untilLast: 1,
  },
  {
    name: "replaced by a sound one",
    at: (seq, ledger) => (db) => put(db, [forgedAt(seq, ledger)]),
    from: 1,
    untilLast: 2,
  },
];

/** Segments of one line, of as many as a call has, and of many. */
const LINES_PER_SEGMENT = [1, 3, 64];

/** At each of the places that the tampering has: the ledger is sound without it, and with it the place is named. */
export async function expectNamed(
  { name, at, from, untilLast }: Tampering,
  ledger: WrittenLedger,
  places: readonly number[],
) {
  const last = ledger.rows.length - untilLast;
  for (const seq of places.filter((place) => place >= from && place <= last)) {
    for (const lines of LINES_PER_SEGMENT) {
      const named = namedBy(await ledger.foundAfterHarm(at(seq, ledger), lines));
      deepEqual({ name, seq, lines, named }, { name, seq, lines, named: seq });
    }
  }
  for (const lines of LINES_PER_SEGMENT) deepEqual(await ledger.foundAfterHarm(() => {}, lines), null);
}

/** Of the last `k` entries: with what the store says of them, and without. */
export async function expectTruncated(ledger: WrittenLedger, k: number) {
  const found = ledger.rows.length - k;
  const truncated = { kind: "truncated", expected: ledger.rows.length, found };
  const cut = `DELETE FROM entries WHERE seq > ${found};`;
  deepEqual(await ledger.foundAfterHarm((db) => db.exec(cut), 3), truncated);
  const withCheckpoints = `${cut} DELETE FROM main.checkpoints WHERE size > ${found};`;
  deepEqual(await ledger.foundAfterHarm((db) => db.exec(withCheckpoints)), truncated);
}

/** From one entry on: the chain has no flaw, and yet it is not what was signed. */
export async function expectRebuilt(ledger: WrittenLedger, seq: number, signedAt: readonly number[]) {
  const upTo = signedAt.find((size) => size >= seq) as number;
  const after = signedAt.findLast((size) => size < seq) ?? 0;
  const found = await ledger.foundAfterHarm((db) => put(db, rebuiltFrom(seq, ledger.rows)), 3);
  deepEqual(found, { kind: "rebuilt", size: upTo, after, upTo });
}

/** Flips one bit of an entry's line, and has its entry named. */
export async function expectFlipFound(ledger: WrittenLedger, seq: number, bit: number) {
  deepEqual({ seq, bit, found: await foundWithFlip(ledger, { seq, bit }) }, { seq, bit, found: named(seq) });
}
