import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { NewQuestion } from "../../domain/question.ts";
import type { Change } from "../../ports/journal.ts";

/** Questions, written in the transaction that moves their call. */
export class QuestionRows {
  readonly #add: StatementSync;
  readonly #answer: StatementSync;
  readonly #drop: StatementSync;

  constructor(db: DatabaseSync) {
    this.#add = db.prepare(
      "INSERT INTO questions (approval_id, call_id, project, deadline_ms, shown, raw) VALUES (?, ?, ?, ?, ?, ?)",
    );
    this.#answer = db.prepare("UPDATE questions SET answer = ?, answer_seq = ? WHERE call_id = ?");
    this.#drop = db.prepare("UPDATE questions SET raw = NULL WHERE call_id = ?");
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
