import type { DatabaseSync } from "node:sqlite";
import { setImmediate as turn } from "node:timers/promises";
import { canonicalJson } from "../../domain/canonical-json.ts";
import type { Digest } from "../../domain/digest.ts";
import { once } from "../../domain/once.ts";
import type { Answered, KeptCall, Question, ShownPlan } from "../../domain/question.ts";
import { callIdTextIn, entryFromText } from "../../ledger/chain.ts";
import type { Questions, Stop } from "../../ports/questions.ts";
import { AnswerWatch, type WatchOptions } from "./answer-watch.ts";
import { prepared } from "./prepared.ts";
import { readRows, rowAt } from "./segment.ts";
import { stateFromCode } from "./state-code.ts";
import { whileBusy } from "./while-busy.ts";

export interface QuestionBoardOptions extends WatchOptions {
  /** Whether there is a journal to read. */
  readonly isBegun: () => boolean;
}

/** Questions as the journal has them. */
export class QuestionBoard implements Questions {
  readonly #options: QuestionBoardOptions;
  readonly #watch: AnswerWatch;
  #isClosed = false;

  constructor(options: QuestionBoardOptions) {
    this.#options = options;
    this.#watch = new AnswerWatch(options);
  }

  /** One after the other, and others go in between: each holds all that its call was given, which may be megabytes. */
  async open(
    project: string,
    { limit, after = "" }: { readonly limit: number; readonly after?: string },
  ): Promise<readonly Question[]> {
    const found: Question[] = [];
    if (!this.#options.isBegun()) return found;
    for (let last: string | undefined = after; last !== undefined && found.length < limit; ) {
      const ids = await this.#openIds(project, last, limit - found.length);
      for (const id of ids) {
        const question = await this.find(id);
        // A page is full, however many have their answer by now: a short one says that there are no more.
        if (question?.answer === null) found.push(question);
        await turn();
      }
      last = ids.at(-1);
    }
    return found;
  }

  #openIds(project: string, after: string, limit: number): Promise<readonly string[]> {
    return this.#read((db) =>
      prepared(
        db,
        `SELECT approval_id FROM questions WHERE project = ? AND answer_seq IS NULL AND approval_id > ?
         ORDER BY approval_id LIMIT ?`,
      )
        .all(project, after, limit)
        .map((row) => String(row["approval_id"])),
    );
  }

  find(approvalId: string): Promise<Question | null> {
    return this.#one("q.approval_id", approvalId);
  }

  ofCall(callId: string): Promise<Question | null> {
    return this.#one("q.call_id", callId);
  }

  async #one(column: "q.approval_id" | "q.call_id", id: string): Promise<Question | null> {
    if (!this.#options.isBegun()) return null;
    return this.#read((db) => {
      const row = prepared(db, `${QUESTIONS} WHERE ${column} = ?`).get(id);
      return row === undefined ? null : questionFrom(row, db);
    });
  }

  async answered(approvalId: string, signal: Stop): Promise<Question | null> {
    while (!signal.aborted) {
      if (this.#isClosed) throw new Error("the journal is closed");
      // INVARIANT (no answer missed): whoever waits is on the list before it looks for itself.
      const { woken, cancel, isOf } = await this.#read(() => this.#watch.waitFor(approvalId, signal));
      try {
        const open = await this.#callIfOpen(approvalId);
        if (open === null) return signal.aborted ? null : await this.find(approvalId);
        isOf(open);
        await woken;
      } finally {
        cancel();
      }
    }
    return null;
  }

  /** The call that it is about. Null: it is answered, or there is none. Whoever waits need not read all that is shown of it. */
  #callIfOpen(approvalId: string): Promise<string | null> {
    return this.#read((db) => {
      const row = prepared(db, OPEN_CALL).get(approvalId);
      if (row === undefined) return null;
      stateFromCode(row["state"]); // throws for one that nobody of us has written
      return String(row["call_id"]);
    });
  }

  /** To be called when this process has written the answer of a call. */
  answeredHere(callId: string): void {
    this.#watch.answered(callId);
  }

  /** Whoever still waits is told that no answer will come from here. */
  close(): void {
    this.#isClosed = true;
    this.#watch.close();
  }

  #read<T>(read: (db: DatabaseSync) => T): Promise<T> {
    return whileBusy(this.#options.clock, () => read(this.#options.db()));
  }
}

const OPEN_CALL = `
  SELECT q.call_id, c.state FROM questions q JOIN calls c ON c.call_id = q.call_id
  WHERE q.approval_id = ? AND q.answer_seq IS NULL`;

const QUESTIONS = `
  SELECT q.approval_id, q.call_id, q.project, q.deadline_ms, coalesce(q.open_shown, q.shown) AS shown, q.raw, q.answer, q.answer_seq, c.state, c.first_seq, c.last_seq,
    o.session_id
  FROM questions q JOIN calls c ON c.call_id = q.call_id JOIN origins o ON o.id = c.origin`;

function questionFrom(row: Record<string, unknown>, db: DatabaseSync): Question {
  const answerSeq = row["answer_seq"];
  const entry = answerSeq === null ? null : rowAt(db, Number(answerSeq));
  const shown = JSON.parse(String(row["shown"])) as ShownPlan;
  // It may be as long, and only who runs the call looks at it: read when they do.
  const kept = once(() => (row["raw"] === null ? null : (JSON.parse(String(row["raw"])) as KeptCall)));
  return {
    approvalId: String(row["approval_id"]),
    callId: String(row["call_id"]),
    project: String(row["project"]),
    deadlineMs: Number(row["deadline_ms"]),
    shown,
    get kept() {
      return kept();
    },
    state: stateFromCode(row["state"]),
    sessionId: String(row["session_id"]),
    votes: votesFor(row, shown, db),
    answer: row["answer"] === null ? null : (JSON.parse(String(row["answer"])) as Answered),
    receipt: entry === null ? null : { seq: entry[0], hash: entry[1] as Digest },
  };
}

/** They are entries between the first and the last of the call; most questions need no more than one answer. */
function votesFor(row: Record<string, unknown>, { approvers = [] }: ShownPlan, db: DatabaseSync): readonly string[] {
  if (!approvers.some(({ people }) => people > 1)) return [];
  const own = canonicalJson(String(row["call_id"]));
  const votes: string[] = [];
  // Those of others are not taken apart: there may be very many.
  for (const [, hash, text] of readRows(db, Number(row["first_seq"]), Number(row["last_seq"]))) {
    if (callIdTextIn(text) !== own) continue;
    const { kind, actor } = entryFromText(text, hash);
    if (kind === "approval.given") votes.push(actor);
  }
  return votes;
}
