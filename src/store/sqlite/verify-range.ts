import { GENESIS_HASH } from "../../ledger/chain.ts";
import { type RangeResult, RangeVerifier } from "../../ledger/range-verifier.ts";
import { LedgerReader } from "./ledger-reader.ts";
import type { Range } from "./ranges-of.ts";
import { everyStoredRow } from "./stored-page.ts";

/** `from` is 1 or the first entry of a segment, `to` the last one before a segment or the last of all. */
export interface RangeTask extends Range {
  readonly stateDir: string;
  readonly sizes: readonly number[];
}

export function verifyRange({ stateDir, ...range }: RangeTask): RangeResult {
  using reader = LedgerReader.open(stateDir);
  return verifyRangeOf(reader, range);
}

function verifyRangeOf(reader: LedgerReader | null, { from, to, sizes }: Omit<RangeTask, "stateDir">): RangeResult {
  const verifier = new RangeVerifier({ from, prev: from === 1 ? GENESIS_HASH : null, sizes });
  // Also what was put in front of entry 1: no range comes before the first.
  for (const page of reader?.pages(from === 1 ? null : from, to) ?? []) {
    if (!everyStoredRow(page, (seq, hash, text) => verifier.add(seq, hash, text))) break;
  }
  return withSoundEnd(verifier.result(), to);
}

/** All ranges, for as many threads as there are. Who is done with one takes the next, so that none waits for another. */
export interface RangeWork {
  readonly stateDir: string;
  readonly sizes: readonly number[];
  readonly ranges: readonly Range[];
  /** How many of them are taken; in memory that the threads share. */
  readonly taken: Int32Array<SharedArrayBuffer>;
}

/** A range's place among all, and what became of it. */
export type VerifiedRange = readonly [index: number, result: RangeResult];

/** What one thread makes of them, with a connection of its own. */
export function* verifyRanges(
  reader: LedgerReader | null,
  { sizes, ranges, taken }: Omit<RangeWork, "stateDir">,
): Generator<VerifiedRange> {
  for (;;) {
    const index = Atomics.add(taken, 0, 1);
    const range = ranges[index];
    if (range === undefined) return;
    yield [index, verifyRangeOf(reader, { ...range, sizes })];
  }
}

/**
 * A range that ends early and without a flaw has lost its last rows: more follow, or `to` would be smaller. One that
 * goes on behind its end holds what the next range holds as well.
 */
function withSoundEnd(result: RangeResult, to: number): RangeResult {
  const next = result.from + result.count;
  if (result.finding !== null || result.doubt !== null || next === to + 1) return result;
  const finding = next > to ? { seq: to + 1, found: to + 1 } : { seq: next, found: to + 1 };
  return { ...result, finding: { kind: "gap", ...finding } };
}
