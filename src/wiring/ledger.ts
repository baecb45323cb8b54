import { availableParallelism } from "node:os";
import type { Entry } from "../domain/entry.ts";
import type { Checkpoint } from "../ledger/checkpoint.ts";
import { describeFinding, type Finding } from "../ledger/finding.ts";
import type { Report } from "../ledger/verify.ts";
import type { SqliteJournal } from "../store/sqlite/journal.ts";
import { type EntryRange, LedgerReader, type Proof } from "../store/sqlite/ledger-reader.ts";
import { markMadeHere } from "../store/sqlite/made-here.ts";
import type { Unreadable } from "../store/sqlite/unreadable.ts";
import { type VerifyOptions, verifyLedger } from "../store/sqlite/verify-ledger.ts";

/** Whether the ledger is what was written, and where not. */
export type LedgerVerdict =
  | (Omit<Report, "findings"> & {
      /** The fingerprint of the key that its checkpoints are checked with. */
      readonly key: string | null;
      readonly findings: readonly (Finding & { readonly message: string })[];
    })
  | ({ readonly ok: false } & Unreadable);

/** The ledger as people ask about it. */
export class Ledger {
  readonly #stateDir: string;
  readonly #journal: SqliteJournal;
  #proving: Promise<unknown> = Promise.resolve();

  constructor(stateDir: string, journal: SqliteJournal) {
    this.#stateDir = stateDir;
    this.#journal = journal;
  }

  async verify(options: Omit<VerifyOptions, "stateDir" | "threads"> = {}): Promise<LedgerVerdict> {
    const verified = await verifyLedger({ ...options, stateDir: this.#stateDir, threads: availableParallelism() });
    if (verified.kind === "unreadable") {
      const { code, reason, hint } = verified;
      return { ok: false, code, reason, hint };
    }
    const { findings, ...report } = verified.report;
    const told = findings.map((finding) => ({ ...finding, message: describeFinding(finding) }));
    return { ...report, key: verified.key, findings: told };
  }

  /** Takes over one that was made elsewhere. */
  adopt(): void {
    markMadeHere(this.#stateDir);
  }

  /** The new one; null where nothing is new. */
  checkpoint(): Promise<Checkpoint | null> {
    return this.#journal.checkpoint();
  }

  /** As it stands in the store: `verify` says whether it counts. */
  lastCheckpoint(): Checkpoint | null {
    return this.#read((reader) => reader.lastCheckpoint());
  }

  /** How many entries there are. */
  size(): number {
    return this.#read((reader) => reader.size) ?? 0;
  }

  /** In order. Lazily read: a ledger may be longer than the memory. */
  *entries(range: EntryRange): Generator<Entry> {
    const reader = LedgerReader.open(this.#stateDir);
    try {
      if (reader) yield* reader.entries(range);
    } finally {
      reader?.close();
    }
  }

  entriesOf(callId: string): readonly Entry[] {
    return this.#read((reader) => [...reader.entriesOf(callId)]) ?? [];
  }

  /** One after the other: each reads as much of the ledger as there is. */
  prove(seq: number): Promise<Proof | null> {
    const proving = this.#proving.then(() => this.#prove(seq));
    this.#proving = proving.catch(() => null);
    return proving;
  }

  async #prove(seq: number): Promise<Proof | null> {
    const reader = LedgerReader.open(this.#stateDir);
    try {
      return reader && (await reader.prove(seq));
    } finally {
      reader?.close();
    }
  }

  #read<T>(read: (reader: LedgerReader) => T): T | null {
    const reader = LedgerReader.open(this.#stateDir);
    try {
      return reader && read(reader);
    } finally {
      reader?.close();
    }
  }
}
