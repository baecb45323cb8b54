import { isLater, type Now } from "../../domain/now.ts";
import type { Refusal } from "../../domain/outcome.ts";
import type { Committed } from "../../ports/journal.ts";
import { ledgerUnavailable } from "./sqlite-fault.ts";
import type { Told } from "./writer.ts";

export interface CommitQueueParts {
  /** One transaction. Never throws: a change that could not be written is `failed`. */
  readonly write: (batch: readonly Told[]) => Promise<readonly Committed[]>;
  /** Makes what was written durable. Null: it is. */
  readonly sync: (batch: readonly Told[]) => Now<Refusal | null>;
  /** Told of each change and what became of it, before whoever handed it in is. */
  readonly settled: (told: Told, result: Committed) => void;
  /** Whether other calls are on their way, which may want to share the next commit. */
  readonly isShared: () => boolean;
}

interface Pending {
  readonly told: Told;
  readonly done: (result: Committed) => void;
}

type Answer = () => void;

const UNTOLD: Committed = { kind: "failed", refusal: ledgerUnavailable("other", "no answer") };

/** Keeps a commit short enough for the event loop, which waits for it. */
const BATCH_MAX = 256;

/**
 * Gathers changes into batches: what is handed in during one turn of the event loop, or while a commit is on its way,
 * becomes one transaction and one sync.
 */
export class CommitQueue {
  readonly #parts: CommitQueueParts;
  #queue: Pending[] = [];
  #emptied: Promise<void> | null = null;
  #lastBatch = 0;

  constructor(parts: CommitQueueParts) {
    this.#parts = parts;
  }

  add(told: Told): Promise<Committed> {
    return new Promise((done) => {
      this.#queue.push({ told, done });
      this.#emptied ??= this.#empty();
    });
  }

  /** Until nothing is waiting. */
  async drained(): Promise<void> {
    await this.#emptied;
  }

  async #empty(): Promise<void> {
    while (this.#queue.length > 0) {
      // Where calls come several at a time, everything that is on its way in this turn joins the batch; a caller that
      // makes one call after the other has nothing to wait for.
      if (this.#lastBatch > 1 || this.#parts.isShared()) await new Promise((resolve) => setImmediate(resolve));
      else await Promise.resolve();
      const batch = this.#queue.splice(0, BATCH_MAX);
      this.#lastBatch = batch.length;
      // All at once, and not half of them while the disk works for the others: tried, and the second transaction costs more
      // than the overlap gains.
      for (const answer of await this.#answers(batch)) answer();
    }
    this.#emptied = null;
  }

  async #answers(batch: readonly Pending[]): Promise<readonly Answer[]> {
    const told = batch.map((pending) => pending.told);
    const results = await this.#parts.write(told);
    const syncing = results.some(({ kind }) => kind === "committed") ? this.#parts.sync(told) : null;
    const refusal = isLater(syncing) ? await syncing : syncing;
    return batch.map((pending, index) => this.#answer(pending, results[index], refusal));
  }

  #answer({ told, done }: Pending, written: Committed = UNTOLD, refusal: Refusal | null): Answer {
    const result: Committed = refusal === null ? written : { kind: "failed", refusal };
    this.#parts.settled(told, result);
    return () => done(result);
  }
}
