import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { NewQuestion } from "../../domain/question.ts";
import type { Change } from "../../ports/journal.ts";

/** Questions, written in the transaction that moves their call. */
export class QuestionRows {
  readonly #add: StatementSync;
  readonly #answer: StatementSync;
  readonly #drop: StatementSync;
  readonly #open: StatementSync;
  readonly #openOfSession: StatementSync;

  constructor(db: DatabaseSync) {
    this.#add = db.prepare(
      "INSERT INTO questions (approval_id, call_id, project, deadline_ms, shown, raw) VALUES (?, ?, ?, ?, ?, ?)",
    );
    this.#answer = db.prepare("UPDATE questions SET answer = ?, answer_seq = ? WHERE call_id = ?");
    // Each one that is counted is looked at in the table, so no more of them than matter.
    this.#open = db.prepare(
      `SELECT count(*) AS open FROM (SELECT 1 FROM questions
       WHERE project = ? AND answer_seq IS NULL AND deadline_ms > ? LIMIT ?)`,
    );
    this.#openOfSession = db.prepare(
      `SELECT count(*) AS open FROM questions q JOIN calls c ON c.call_id = q.call_id JOIN origins o ON o.id = c.origin
       WHERE q.project = ? AND q.answer_seq IS NULL AND q.deadline_ms > ? AND o.session_id = ?`,
    );
    this.#drop = db.prepare("UPDATE questions SET raw = NULL WHERE call_id = ?");
  }

  /** Which bound a new question would break; null = none. */
  fullness({ project, room }: NewQuestion, sessionId: string): { readonly by: "all" | "session"; max: number } | null {
    if (room === undefined) return null;
    const { openMax, ofSessionMax, nowMs } = room;
    const isFull = Number.isFinite(openMax) && countOf(this.#open.get(project, nowMs, openMax)) >= openMax;
    if (isFull) return { by: "all", max: openMax };
    if (ofSessionMax === null) return null;
    const own = countOf(this.#openOfSession.get(project, nowMs, sessionId));
    return own >= ofSessionMax ? { by: "session", max: ofSessionMax } : null;
  }

  /** What the change says of a question, if anything. */
  apply(change: Change, lastSeq: number): void {
    if (change.question !== undefined) this.#ask(change.callId, change.question);
    if (change.from === change.to) return; // one of several answers, which is none yet
    if (change.from === "awaiting_approval") {
      this.#answer.run(JSON.stringify(change.answer ?? { kind: "cancelled" }), lastSeq, change.callId);
    }
    // Only an approved call still has to be run by somebody who may not have it in memory.
    const wasAsked = change.from === "awaiting_approval" || change.from === "approved";
    if (wasAsked && change.to !== "approved") this.#drop.run(change.callId);
  }

  #ask(callId: string, { approvalId, project, deadlineMs, shown, kept }: NewQuestion): void {
    const raw = kept === null ? null : JSON.stringify(kept);
    this.#add.run(approvalId, callId, project, deadlineMs, JSON.stringify(shown), raw);
  }
}

const countOf = (row: Readonly<Record<string, unknown>> | undefined): number => Number(row?.["open"] ?? 0);
