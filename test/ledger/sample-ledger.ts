import { Buffer } from "node:buffer";
import { generateKeyPairSync, type KeyObject } from "node:crypto";
import type { Digest } from "../../src/domain/digest.ts";
import type { EntryDraft } from "../../src/domain/entry.ts";
import { GENESIS_HASH, sealEntry } from "../../src/ledger/chain.ts";
import { checkpointText, signCheckpoint } from "../../src/ledger/checkpoint.ts";
import { checkpointSizes } from "../../src/ledger/checkpoint-set.ts";
import { RangeVerifier } from "../../src/ledger/range-verifier.ts";
import { TreeBuilder } from "../../src/ledger/tree.ts";
import { judgeLedger, type Report } from "../../src/ledger/verify.ts";

/** A row as a store holds it; a test may change any part. */
export interface Row {
  readonly seq: number;
  readonly hash: Digest;
  readonly text: string;
}

export const keys = generateKeyPairSync("ed25519");

/** What a session says contains the patterns that `linkOf` looks for, so that every ledger test meets them. */
const TRICKY = '","prev":"x","seq":9,"sessionId":"';

export const draftOf = (n: number): EntryDraft => ({
  at: "2026-11-15T21:00:00.000Z",
  kind: "tool.executed",
  project: n % 3 === 0 ? TRICKY : "default",
  sessionId: `s${n % 7}`,
  callId: `c${n}`,
  actor: "local",
  planDigest: n % 2 === 0 ? null : GENESIS_HASH,
  body: { n, prev: "p", seq: n, sessionId: TRICKY },
});

/** The rows of entries `from` to `to`, chained to `prev`. */
export function rowsOf(to: number, { from = 1, prev = GENESIS_HASH, draft = draftOf } = {}): Row[] {
  const rows: Row[] = [];
  let head = prev;
  for (let seq = from; seq <= to; seq++) {
    rows.push({ seq, ...sealEntry(draft(seq), seq, head) });
    head = rows.at(-1)?.hash ?? head;
  }
  return rows;
}

/** The signed line for the first `size` rows. */
export function checkpointLine(rows: readonly Row[], size: number, privateKey: KeyObject = keys.privateKey): string {
  const tree = new TreeBuilder();
  for (const { hash } of rows.slice(0, size)) tree.add(hash);
  const head = rows[size - 1]?.hash ?? GENESIS_HASH;
  return checkpointText(signCheckpoint({ size, root: tree.root(), head, at: "2026-11-15T21:00:00Z" }, privateKey));
}

interface Circumstances {
  readonly stored?: readonly string[];
  readonly filed?: readonly string[] | null;
  readonly publicKey?: KeyObject | null;
  /** The seqs at which further ranges begin, as if other threads read them. */
  readonly splits?: readonly number[];
}

/** Verifies as a store does: ranges by row seq, then the verdict. Checkpoints are in both places unless told otherwise. */
export function verified(rows: readonly Row[], circumstances: Circumstances = {}): Report {
  const { stored = [], filed = stored, publicKey = keys.publicKey, splits = [] } = circumstances;
  const checkpoints = { stored, filed };
  const ranges = [1, ...splits].map((from, i) => {
    const to = splits[i] ?? Number.MAX_SAFE_INTEGER;
    const verifier = new RangeVerifier({
      from,
      prev: from === 1 ? GENESIS_HASH : null,
      sizes: checkpointSizes(checkpoints),
    });
    for (const { seq, hash, text } of rows) {
      const isInRange = seq < to && (seq >= from || from === 1);
      if (isInRange && !verifier.add(seq, hash, Buffer.from(text))) break;
    }
    return verifier.result();
  });
  return judgeLedger({ ranges, checkpoints, publicKey });
}

/** Gives rows the seq of their place, as who moves rows in a table with a primary key has to. */
export const renumbered = (rows: readonly Row[]): Row[] => rows.map((row, i) => ({ ...row, seq: i + 1 }));

/** The text with one bit of its character `at` flipped. */
export const flipped = <T extends string>(text: T, at: number, bit = 0): T =>
  (text.slice(0, at) + String.fromCharCode(text.charCodeAt(at) ^ (1 << bit)) + text.slice(at + 1)) as T;
