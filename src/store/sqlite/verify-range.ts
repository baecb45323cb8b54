import { GENESIS_HASH } from "../../ledger/chain.ts";
import { type RangeResult, RangeVerifier } from "../../ledger/range-verifier.ts";
import { LedgerReader } from "./ledger-reader.ts";

/** `from` is 1 or the first entry of a segment, `to` the last one before a segment or the last of all. */
export interface RangeTask {
  readonly stateDir: string;
  readonly from: number;
  readonly to: number;
  readonly sizes: readonly number[];
}

export function verifyRange({ stateDir, from, to, sizes }: RangeTask): RangeResult {
  const verifier = new RangeVerifier({ from, prev: from === 1 ? GENESIS_HASH : null, sizes });
  const reader = LedgerReader.open(stateDir);
  try {
    // Also what was put in front of entry 1: no range comes before the first.
    for (const rows of reader?.segments(from === 1 ? null : from, to) ?? []) {
      if (!rows.every(([seq, hash, text]) => verifier.add(seq, hash, text))) break;
    }
    return withSoundEnd(verifier.result(), to);
  } finally {
    reader?.close();
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
