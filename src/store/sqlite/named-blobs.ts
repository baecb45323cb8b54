import type { DatabaseSync } from "node:sqlite";
import { readSegments } from "./segment.ts";

const HASH = /[0-9a-f]{64}/g;

/**
 * Takes out of the given hashes all that the journal names: its entries, the plans and calls of questions, and the outcomes
 * that are kept for calls with a key. A digest of something else that looks the same only keeps a blob longer.
 */
export function withoutNamedBlobs(db: DatabaseSync, hashes: Set<string>): void {
  const look = (text: string): void => {
    for (const [hash] of text.matchAll(HASH)) hashes.delete(hash);
  };
  for (const rows of readSegments(db, null, Number.MAX_SAFE_INTEGER)) for (const [, , text] of rows) look(text);
  for (const table of [
    "SELECT shown || coalesce(raw, '') AS text FROM questions",
    "SELECT outcome AS text FROM dedupe WHERE outcome IS NOT NULL",
  ]) {
    for (const row of db.prepare(table).iterate()) look(String(row["text"]));
  }
}
