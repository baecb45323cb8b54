import type { DatabaseSync } from "node:sqlite";
import type { Clock } from "../../ports/clock.ts";
import { prepared } from "./prepared.ts";

/** How often somebody who waits looks whether another process has written an answer. */
const LOOK_EVERY_MS = 50;

/** The longest that a timer can be set for is a little more. */
const LONG_MS = 2 ** 30;

export interface WatchOptions {
  readonly clock: Clock;
  /** Throws where the journal can't be opened. */
  readonly db: () => DatabaseSync;
}

/** Somebody on the list. */
export interface Waiting {
  /** Comes when there is an answer, when the signal aborts, and when the watch ends. */
  readonly woken: Promise<void>;
  readonly cancel: () => void;
}

/** Wakes who waits for answers. All share one look, which costs by the number of new answers. */
export class AnswerWatch {
  readonly #options: WatchOptions;
  readonly #waiters = new Map<string, Set<() => void>>();
  /** `version` is null where there may be something new. */
  #seen: { version: number | null; answerSeq: number } = { version: null, answerSeq: 0 };
  #stopLooking: (() => void) | null = null;
  #soon: NodeJS.Immediate | null = null;

  constructor(options: WatchOptions) {
    this.#options = options;
  }

  /** Throws what SQLite throws; then nobody is on the list. */
  waitFor(approvalId: string, signal: AbortSignal): Waiting {
    this.#start();
    const { promise: woken, resolve } = Promise.withResolvers<void>();
    const waiters = this.#waiters.get(approvalId) ?? new Set();
    const done = () => {
      if (!waiters.delete(done)) return;
      if (waiters.size === 0) this.#waiters.delete(approvalId);
      if (this.#waiters.size === 0) this.#stop();
      signal.removeEventListener("abort", done);
      resolve();
    };
    this.#waiters.set(approvalId, waiters.add(done));
    signal.addEventListener("abort", done);
    if (signal.aborted) done();
    return { woken, cancel: done };
  }

  /** Whoever wrote the answer goes on first: what it lets happen is begun before others hear of it. */
  lookSoon(): void {
    this.#soon ??= setImmediate(() => {
      this.#soon = null;
      this.look();
    });
  }

  /** Wakes whoever waits for an answer that has been written since the last look. */
  look(): void {
    if (this.#waiters.size === 0) return;
    try {
      for (const row of this.#newAnswers()) {
        this.#seen.answerSeq = Number(row["answer_seq"]);
        for (const wake of this.#waiters.get(String(row["approval_id"])) ?? []) wake();
      }
    } catch {
      // A journal that can't be read now is read at the next look; the deadline of the question goes on.
      this.#seen.version = null;
    }
  }

  close(): void {
    for (const waiters of [...this.#waiters.values()]) for (const wake of [...waiters]) wake();
  }

  /** The clock's own timers let the process end; somebody who waits must get the answer. */
  #start(): void {
    if (this.#stopLooking !== null) return;
    this.#seen = { version: null, answerSeq: this.#lastAnswerSeq() };
    const keepAlive = setInterval(() => {}, LONG_MS);
    let disarm = () => {};
    const again = () => {
      disarm = this.#options.clock.after(LOOK_EVERY_MS, () => {
        this.#lookIfChanged();
        if (this.#stopLooking !== null) again();
      });
    };
    this.#stopLooking = () => {
      clearInterval(keepAlive);
      disarm();
    };
    again();
  }

  #stop(): void {
    this.#stopLooking?.();
    this.#stopLooking = null;
  }

  #lookIfChanged(): void {
    const version = this.#version();
    if (version !== null && version === this.#seen.version) return;
    this.#seen.version = version;
    this.look();
  }

  /** Changes with every commit of another connection. */
  #version(): number | null {
    try {
      return Number(prepared(this.#options.db(), "PRAGMA data_version").get()?.["data_version"]);
    } catch {
      return null;
    }
  }

  #newAnswers(): readonly Record<string, unknown>[] {
    return prepared(
      this.#options.db(),
      "SELECT approval_id, answer_seq FROM questions WHERE answer_seq > ? ORDER BY answer_seq",
    ).all(this.#seen.answerSeq);
  }

  #lastAnswerSeq(): number {
    const row = prepared(
      this.#options.db(),
      "SELECT max(answer_seq) AS last FROM questions WHERE answer_seq IS NOT NULL",
    ).get();
    return Number(row?.["last"] ?? 0);
  }
}
