import type { EntryDraft } from "../domain/entry.ts";
import { isoTime } from "../domain/iso-time.ts";
import { LIMITS } from "../domain/limits.ts";
import type { Refusal } from "../domain/outcome.ts";
import type { Clock } from "../ports/clock.ts";
import type { Faults } from "../ports/faults.ts";
import type { Journal } from "../ports/journal.ts";
import { type Collected, collectBlobs } from "../store/blobs/collect-blobs.ts";
import type { SqliteJournal } from "../store/sqlite/journal.ts";
import { LedgerReader } from "../store/sqlite/ledger-reader.ts";

export interface CollectorParts {
  readonly stateDir: string;
  readonly clock: Clock;
  readonly sqlite: SqliteJournal;
  readonly journal: Journal;
  readonly faults: Faults;
  readonly signature: Pick<EntryDraft, "project" | "sessionId" | "actor">;
}

export type CollectedBlobs =
  | (Collected & { readonly kind: "collected" })
  | { readonly kind: "refused"; readonly refusal: Refusal };

/** Removes blobs that neither the ledger, nor a question, nor a kept outcome names. */
export async function collectUnnamed(
  { stateDir, clock, sqlite, journal, faults, signature }: CollectorParts,
  mode: "remove" | "look",
): Promise<CollectedBlobs> {
  try {
    // Without a ledger everything would look forgotten.
    const reader = LedgerReader.open(stateDir);
    if (reader === null) return { kind: "refused", refusal: NO_LEDGER };
    reader.close();
    const nowMs = clock.nowMs();
    const withoutNamed = (hashes: Set<string>) => sqlite.withoutNamedBlobs(hashes);
    const counts = await collectBlobs({ stateDir, nowMs, graceMs: LIMITS.blobGraceMs.default, withoutNamed, mode });
    if (mode === "remove" && counts.removed > 0) {
      const { removed, removedBytes } = counts;
      const body = { removed, removedBytes };
      const entry = { at: isoTime(nowMs), kind: "evidence.collected", callId: null, planDigest: null, body } as const;
      const noted = await journal.note({ ...entry, ...signature });
      if (noted.kind === "failed") return { kind: "refused", refusal: noted.refusal };
    }
    return { kind: "collected", ...counts };
  } catch (cause) {
    faults.report(cause, { stage: "blobs" });
    return { kind: "refused", refusal: UNREADABLE };
  }
}

const NO_LEDGER: Refusal = {
  code: "LEDGER_UNAVAILABLE",
  stage: "journal",
  message: "there is no ledger here, so it can't be told what is still needed",
};

const UNREADABLE: Refusal = {
  code: "LEDGER_UNAVAILABLE",
  stage: "journal",
  message: "the ledger or the folder of blobs can't be read, so it can't be told what is still needed",
  hint: "`toolgate ledger verify` says what is wrong with the ledger",
};
