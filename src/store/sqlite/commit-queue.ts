import { isLater, type Now } from "../../domain/now.ts";
import type { Refusal } from "../../domain/outcome.ts";
import type { Committed } from "../../ports/journal.ts";
import { ledgerUnavailable } from "./sqlite-fault.ts";
import type { Told } from "./writer.ts";

export interface CommitQueueParts {
  /** One transaction. Never throws: a change that could not be written is `failed`. */
  readonly write: (batch: readonly Told[]) => Now<readonly Committed[]>;
  /** Makes what was written durable, while others may come or none will. Null: it is. */
  readonly sync: (batch: readonly Told[], meanwhile: Meanwhile) => Now<Refusal | null>;
  /** Told of each change and what became of it, before whoever handed it in is. */
  readonly settled: (told: Told, result: Committed) => void;
  /** Whether other calls are on their way, which may want to share the next commit. */
  readonly isShared: (first: Told) => boolean;
}

/** `quiet`: for some time nobody came but those who had been answered just before. */
export type Meanwhile = "others come" | "quiet";

interface Pending {
  readonly told: Told;
  readonly done: (result: Committed) => void;
}

const UNTOLD: Committed = { kind: "failed", refusal: ledgerUnavailable("other", "no answer") };

/** A call has two: of those that come over a network, the ends alone would make one quiet batch after each that is not. */
const QUIET_BATCHES = 2;

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
  /** Whether we are in the turn of the event loop in which the last batch was answered. */
  #isAnswering = false;
  #cameFromOutside = false;
  /** How many batches in a row nobody came from outside: not a request, nor a tool that had to wait. */
  #quietBatches = 0;

  constructor(parts: CommitQueueParts) {
    this.#parts = parts;
  }

  add(told: Told): Promise<Committed> {
    return new Promise((done) => {
      this.#queue.push({ told, done });
      if (!this.#isAnswering) this.#cameFromOutside = true;
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
      const first = this.#queue[0]?.told;
      if (this.#lastBatch > 1 || (first !== undefined && this.#parts.isShared(first)))
        await new Promise((resolve) => setImmediate(resolve));
      else await Promise.resolve();
      const batch = this.#nextBatch();
      this.#lastBatch = batch.length;
      // All at once, and not half of them while the disk works for the others: tried, and the second transaction costs more
      // than the overlap gains.
      const recording = this.#record(batch);
      if (isLater(recording)) await recording;
    }
    this.#emptied = null;
  }

  #nextBatch(): readonly Pending[] {
    this.#quietBatches = this.#cameFromOutside ? 0 : this.#quietBatches + 1;
    this.#cameFromOutside = false;
    if (this.#queue.length > BATCH_MAX) return this.#queue.splice(0, BATCH_MAX);
    const batch = this.#queue;
    this.#queue = [];
    return batch;
  }

  /** Without a turn of the event loop where nothing has to be waited for: a single call makes this way twice. */
  #record(batch: readonly Pending[]): Now<void> {
    const told = batch.map(toldOf);
    const writing = this.#parts.write(told);
    if (isLater(writing)) return writing.then((results) => this.#makeDurable(batch, told, results));
    return this.#makeDurable(batch, told, writing);
  }

  #makeDurable(batch: readonly Pending[], told: readonly Told[], results: readonly Committed[]): Now<void> {
    const meanwhile = this.#quietBatches < QUIET_BATCHES ? "others come" : "quiet";
    const syncing = results.some(isCommitted) ? this.#parts.sync(told, meanwhile) : null;
    if (isLater(syncing)) return syncing.then((refusal) => this.#answer(batch, results, refusal));
    this.#answer(batch, results, syncing);
  }

  #answer(batch: readonly Pending[], results: readonly Committed[], refusal: Refusal | null): void {
    this.#isAnswering = true;
    process.nextTick(() => {
      this.#isAnswering = false;
    });
    let at = 0;
    for (const { told, done } of batch) {
      const result = refusal === null ? (results[at++] ?? UNTOLD) : ({ kind: "failed", refusal } as const);
      this.#parts.settled(told, result);
      done(result);
    }
  }
}

const toldOf = ({ told }: Pending): Told => told;

const isCommitted = ({ kind }: Committed): boolean => kind === "committed";
