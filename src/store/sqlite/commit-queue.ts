import { isLater, type Now } from "../../domain/now.ts";
import type { Refusal } from "../../domain/outcome.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Change, Committed } from "../../ports/journal.ts";
import { ledgerUnavailable } from "./sqlite-fault.ts";
import type { Note } from "./writer.ts";

export type Told = Change | Note;

export interface CommitQueueParts {
  readonly clock: Clock;
  /** One transaction. Never throws: a change that could not be written is `failed`. */
  readonly write: (batch: readonly Told[]) => Promise<readonly Committed[]>;
  /** Makes what was written durable. Null: it is. */
  readonly sync: (batch: readonly Told[]) => Now<Refusal | null>;
  /** Told of each change and what became of it, before whoever handed it in is. */
  readonly settled: (told: Told, result: Committed) => void;
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
  /** Of the last round: how long the disk took, and how long everything else did. */
  #times = { syncMs: 0, workMs: 0 };

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
    let held: readonly Answer[] = [];
    let begunMs = this.#parts.clock.monotonicMs();
    while (this.#queue.length > 0 || held.length > 0) {
      // Where calls come several at a time, everything that is on its way in this turn joins the batch; a caller that
      // makes one call after the other has nothing to wait for.
      if (this.#lastBatch > 1) await new Promise((resolve) => setImmediate(resolve));
      else await Promise.resolve();
      const batch = this.#queue.splice(0, BATCH_MAX);
      const written = batch.length === 0 ? null : await this.#written(batch, begunMs);
      for (const answer of held) answer(); // while the disk works on this batch, the calls of the last one go on
      const answers = written === null ? [] : await written();
      begunMs = this.#parts.clock.monotonicMs();
      const now = this.#isDiskQuick ? Math.ceil(answers.length / 2) : answers.length;
      for (const answer of answers.slice(0, now)) answer();
      held = answers.slice(now);
    }
    this.#emptied = null;
  }

  /**
   * Answering all of a batch at once keeps all calls in step: the disk waits for them, then they wait for the disk. Where
   * the disk is the faster of the two, half of them are answered while it works for the others. A slow disk is given as
   * much as there is.
   */
  get #isDiskQuick(): boolean {
    return this.#lastBatch >= 8 && this.#times.syncMs < this.#times.workMs;
  }

  async #written(batch: readonly Pending[], begunMs: number): Promise<() => Now<readonly Answer[]>> {
    const { clock, write, sync } = this.#parts;
    this.#lastBatch = batch.length;
    const told = batch.map((pending) => pending.told);
    const results = await write(told);
    const writtenMs = clock.monotonicMs();
    const syncing = results.some(({ kind }) => kind === "committed") ? sync(told) : null;
    const answers = (refusal: Refusal | null): readonly Answer[] => {
      this.#times = { syncMs: clock.monotonicMs() - writtenMs, workMs: writtenMs - begunMs };
      return batch.map((pending, index) => this.#answer(pending, results[index], refusal));
    };
    return () => (isLater(syncing) ? syncing.then(answers) : answers(syncing));
  }

  #answer({ told, done }: Pending, written: Committed = UNTOLD, refusal: Refusal | null): Answer {
    const result: Committed = refusal === null ? written : { kind: "failed", refusal };
    this.#parts.settled(told, result);
    return () => done(result);
  }
}
