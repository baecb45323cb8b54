import type { DatabaseSync } from "node:sqlite";
import type { Digest } from "../../domain/digest.ts";
import type { Answered, KeptCall, Question, ShownPlan } from "../../domain/question.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Questions } from "../../ports/questions.ts";
import { rowAt } from "./segment.ts";
import { stateFromCode } from "./state-code.ts";

/** How often somebody who waits looks whether another process has written an answer. */
const LOOK_EVERY_MS = 50;

interface BoardOptions {
  readonly clock: Clock;
  /** Throws where the journal can't be opened. */
  readonly db: () => DatabaseSync;
}

type Waiter = () => void;

/** Questions as the journal has them. All who wait share one look, which costs by the number of new answers. */
export class QuestionBoard implements Questions {
  readonly #options: BoardOptions;
  readonly #waiters = new Map<string, Set<Waiter>>();
  #seen = { version: -1, answerSeq: 0 };
  #stopLooking: (() => void) | null = null;

  constructor(options: BoardOptions) {
    this.#options = options;
  }

  async open(project: string, page: { readonly limit: number; readonly after?: string }): Promise<readonly Question[]> {
    const db = this.#options.db();
    const rows = db
      .prepare(
        `${QUESTIONS} WHERE q.project = ? AND q.answer_seq IS NULL AND q.approval_id > ? ORDER BY q.approval_id LIMIT ?`,
      )
      .all(project, page.after ?? "", page.limit);
    return rows.map((row) => questionFrom(row, db));
  }

  async find(approvalId: string): Promise<Question | null> {
    const db = this.#options.db();
    const row = db.prepare(`${QUESTIONS} WHERE q.approval_id = ?`).get(approvalId);
    return row === undefined ? null : questionFrom(row, db);
  }

  async answered(approvalId: string, signal: AbortSignal): Promise<Question | null> {
    for (;;) {
      const woken = this.#waitFor(approvalId, signal);
      const question = await this.find(approvalId);
      if (signal.aborted || question === null || question.answer !== null) {
        woken.cancel();
        return signal.aborted ? null : question;
      }
      await woken.promise;
    }
  }

  /** Wakes whoever waits for an answer that has been written since the last look. */
  look(): void {
    if (this.#waiters.size === 0) return;
    const db = this.#options.db();
    const rows = db
      .prepare("SELECT approval_id, answer_seq FROM questions WHERE answer_seq > ? ORDER BY answer_seq")
      .all(this.#seen.answerSeq);
    for (const row of rows) {
      this.#seen.answerSeq = Number(row["answer_seq"]);
      for (const wake of this.#waiters.get(String(row["approval_id"])) ?? []) wake();
    }
  }

  #waitFor(approvalId: string, signal: AbortSignal): { promise: Promise<void>; cancel: Waiter } {
    const { promise, resolve } = Promise.withResolvers<void>();
    const waiters = this.#waiters.get(approvalId) ?? new Set();
    const done = () => {
      waiters.delete(done);
      if (waiters.size === 0) this.#waiters.delete(approvalId);
      if (this.#waiters.size === 0) this.#stop();
      signal.removeEventListener("abort", done);
      resolve();
    };
    this.#waiters.set(approvalId, waiters.add(done));
    signal.addEventListener("abort", done);
    if (signal.aborted) done();
    else this.#start();
    return { promise, cancel: done };
  }

  /** The clock's own timers let the process end; somebody who waits must get the answer. */
  #start(): void {
    if (this.#stopLooking !== null) return;
    const keepAlive = setInterval(() => {}, 2 ** 30);
    let disarm: () => void;
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
    this.#seen = { version: -1, answerSeq: this.#lastAnswerSeq() };
    again();
  }

  #stop(): void {
    this.#stopLooking?.();
    this.#stopLooking = null;
  }

  #lookIfChanged(): void {
    try {
      const version = Number(this.#options.db().prepare("PRAGMA data_version").get()?.["data_version"]);
      if (version === this.#seen.version) return;
      this.#seen.version = version;
      this.look();
    } catch {
      // A journal that can't be read now is read at the next look; the deadline of the question goes on.
    }
  }

  #lastAnswerSeq(): number {
    const row = this.#options
      .db()
      .prepare("SELECT max(answer_seq) AS last FROM questions WHERE answer_seq IS NOT NULL")
      .get();
    return Number(row?.["last"] ?? 0);
  }
}

const QUESTIONS = `
  SELECT q.approval_id, q.call_id, q.project, q.deadline_ms, q.shown, q.raw, q.answer, q.answer_seq, c.state, o.session_id
  FROM questions q JOIN calls c ON c.call_id = q.call_id JOIN origins o ON o.id = c.origin`;

function questionFrom(row: Record<string, unknown>, db: DatabaseSync): Question {
  const answerSeq = row["answer_seq"];
  const entry = answerSeq === null ? null : rowAt(db, Number(answerSeq));
  return {
    approvalId: String(row["approval_id"]),
    callId: String(row["call_id"]),
    project: String(row["project"]),
    deadlineMs: Number(row["deadline_ms"]),
    shown: JSON.parse(String(row["shown"])) as ShownPlan,
    kept: row["raw"] === null ? null : (JSON.parse(String(row["raw"])) as KeptCall),
    state: stateFromCode(row["state"]),
    sessionId: String(row["session_id"]),
    answer: row["answer"] === null ? null : (JSON.parse(String(row["answer"])) as Answered),
    receipt: entry === null ? null : { seq: entry[0], hash: entry[1] as Digest },
  };
}
