import type { DatabaseSync } from "node:sqlite";
import type { Clock } from "../../ports/clock.ts";
import type { Faults } from "../../ports/faults.ts";
import type { Stop } from "../../ports/questions.ts";
import { isDatabaseError } from "../system-error.ts";
import { prepared } from "./prepared.ts";

/** How often somebody who waits looks whether another process has written an answer. */
const LOOK_EVERY_MS = 50;

/** The longest that a timer can be set for is a little more. */
const LONG_MS = 2 ** 30;

/** So many answers of this process are passed over before they are looked at: the next look has to read them all. */
const PASSED_MAX = 256;

export interface WatchOptions {
  readonly clock: Clock;
  /** Throws where the journal can't be opened. */
  readonly db: () => DatabaseSync;
  readonly faults?: Faults | undefined;
}

/** Somebody on the list. */
export interface Waiting {
  /** Comes when there is an answer, when the signal aborts, and when the watch ends. */
  readonly woken: Promise<void>;
  readonly cancel: () => void;
  /** To be told whose question it is, once that is known. */
  readonly isOf: (callId: string) => void;
}

/** All who wait for one question. */
interface Waiters {
  readonly wakes: Set<() => void>;
  /** Null: nobody has read the question yet. */
  callId: string | null;
}

/** Wakes who waits for answers. All share one look, which costs by the number of new answers. */
export class AnswerWatch {
  readonly #options: WatchOptions;
  /** By question, and by the call that it is about: whoever is in the second is in the first. */
  readonly #waiters = new Map<string, Waiters>();
  readonly #ofCall = new Map<string, Waiters>();
  /** What this process has written and nobody has looked for yet. */
  readonly #answered: string[] = [];
  /** How many of those there were since the last look. */
  #passed = 0;
  /** `version` is null where there may be something new. */
  #seen: { version: number | null; answerSeq: number } = { version: null, answerSeq: 0 };
  #stopLooking: (() => void) | null = null;
  #soon: NodeJS.Immediate | null = null;

  constructor(options: WatchOptions) {
    this.#options = options;
  }

  /** Throws what SQLite throws; then nobody is on the list. */
  waitFor(approvalId: string, signal: Stop): Waiting {
    this.#start();
    const { promise: woken, resolve } = Promise.withResolvers<void>();
    const waiters = this.#waiters.get(approvalId) ?? { wakes: new Set(), callId: null };
    const done = () => {
      if (!waiters.wakes.delete(done)) return;
      if (waiters.wakes.size === 0) this.#forget(approvalId, waiters);
      signal.removeEventListener("abort", done);
      resolve();
    };
    waiters.wakes.add(done);
    this.#waiters.set(approvalId, waiters);
    signal.addEventListener("abort", done);
    if (signal.aborted) done();
    const isOf = (callId: string) => {
      if (!waiters.wakes.has(done)) return;
      waiters.callId = callId;
      this.#ofCall.set(callId, waiters);
    };
    return { woken, cancel: done, isOf };
  }

  /**
   * To be called when this process has written the answer of a call. Whoever wrote it goes on first: what it lets happen is
   * begun before others hear of it, and who heard of it in another way by then has gone.
   */
  answered(callId: string): void {
    if (this.#waiters.size === 0) return;
    this.#answered.push(callId);
    this.#soon ??= setImmediate(() => {
      this.#soon = null;
      this.#lookFor(this.#answered.splice(0));
    });
  }

  /** Reads nothing where nobody here waits for these. */
  #lookFor(callIds: readonly string[]): void {
    this.#passed += callIds.length;
    const isKnown = this.#ofCall.size === this.#waiters.size;
    if (isKnown && this.#passed < PASSED_MAX && !callIds.some((callId) => this.#ofCall.has(callId))) return;
    this.look();
  }

  /** Wakes whoever waits for an answer that has been written since the last look. */
  look(): void {
    if (this.#waiters.size === 0) return;
    this.#passed = 0;
    try {
      for (const row of this.#newAnswers()) {
        this.#seen.answerSeq = Number(row["answer_seq"]);
        for (const wake of this.#waiters.get(String(row["approval_id"]))?.wakes ?? []) wake();
      }
    } catch (cause) {
      if (!isDatabaseError(cause)) this.#options.faults?.report(cause, { stage: "store" });
      // A journal that can't be read now is read at the next look; the deadline of the question goes on.
      this.#seen.version = null;
    }
  }

  close(): void {
    for (const { wakes } of [...this.#waiters.values()]) for (const wake of [...wakes]) wake();
  }

  #forget(approvalId: string, { callId }: Waiters): void {
    this.#waiters.delete(approvalId);
    if (callId !== null) this.#ofCall.delete(callId);
    if (this.#waiters.size === 0) this.#stop();
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
    } catch (cause) {
      if (!isDatabaseError(cause)) this.#options.faults?.report(cause, { stage: "store" });
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
