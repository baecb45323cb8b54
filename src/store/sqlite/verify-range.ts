import { GENESIS_HASH } from "../../ledger/chain.ts";
import { type RangeResult, RangeVerifier } from "../../ledger/range-verifier.ts";
import { LedgerReader } from "./ledger-reader.ts";

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
    const begin = from === 1 ? Number.MIN_SAFE_INTEGER : from;
    for (const slice of reader?.slices(begin, to) ?? []) {
      if (!slice.every(([seq, hash, text]) => verifier.add(seq, hash, text))) break;
    }
    return withoutMissingEnd(verifier.result(), to);
  } finally {
    reader?.close();
  }
}

/** A range that ends early and without a flaw has lost its last rows: more follow, or `to` would be smaller. */
function withoutMissingEnd(result: RangeResult, to: number): RangeResult {
  const next = result.from + result.count;
  if (result.finding !== null || result.doubt !== null || next > to) return result;
  return { ...result, finding: { kind: "gap", seq: next, found: to + 1 } };
}
