import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { FullDesk, NewQuestion } from "../../domain/question.ts";
import type { Change } from "../../ports/journal.ts";
import { ENDED_FROM, STATE_CODE } from "./state-code.ts";

/** Questions, written in the transaction that moves their call. */
export class QuestionRows {
  readonly #add: StatementSync;
  readonly #answer: StatementSync;
  readonly #answerAndDrop: StatementSync;
  readonly #drop: StatementSync;
  readonly #open: StatementSync;
  readonly #openOfSession: StatementSync;
  readonly #openIds: StatementSync;
  readonly #asker: StatementSync;
  /** Who has asked each open question, as far as that was counted: it is read out of all that is shown, so once. */
  #askers: ReadonlyMap<string, string> = new Map();

  constructor(db: DatabaseSync) {
    this.#add = db.prepare(
      "INSERT INTO questions (approval_id, call_id, project, deadline_ms, shown, open_shown, raw) VALUES (?, ?, ?, ?, ?, ?, ?)",
    );
    this.#answer = db.prepare("UPDATE questions SET answer = ?, answer_seq = ? WHERE call_id = ?");
    this.#answerAndDrop = db.prepare(
      "UPDATE questions SET answer = ?, answer_seq = ?, raw = NULL, open_shown = NULL WHERE call_id = ?",
    );
    // Each one is counted, so no more of them than matter.
    this.#open = db.prepare(
      `SELECT count(*) AS open FROM (SELECT 1 FROM questions
       WHERE project = ? AND answer_seq IS NULL AND deadline_ms > ? LIMIT ?)`,
    );
    this.#openOfSession = db.prepare(
      `SELECT count(*) AS open FROM origins o CROSS JOIN calls c ON c.origin = o.id CROSS JOIN questions q ON q.call_id = c.call_id
       WHERE o.session_id = ?3 AND c.state < ${ENDED_FROM} AND c.state = ${STATE_CODE.awaiting_approval}
         AND q.project = ?1 AND q.answer_seq IS NULL AND q.deadline_ms > ?2`,
    );
    this.#openIds = db.prepare(
      "SELECT approval_id FROM questions WHERE project = ? AND answer_seq IS NULL AND deadline_ms > ?",
    );
    this.#asker = db.prepare(
      "SELECT iif(json_valid(shown), shown ->> '$.actor', NULL) AS actor FROM questions WHERE approval_id = ?",
    );
    this.#drop = db.prepare("UPDATE questions SET raw = NULL, open_shown = NULL WHERE call_id = ?");
  }

  /** Which bound a new question would break; null = none. */
  fullness({ project, room, shown }: NewQuestion, sessionId: string): FullDesk | null {
    if (room === undefined) return null;
    const { openMax, share, nowMs } = room;
    const isFull = Number.isFinite(openMax) && countOf(this.#open.get(project, nowMs, openMax)) >= openMax;
    if (isFull) return { by: "all", max: openMax };
    if (share === null) return null;
    const own =
      share.of === "session"
        ? countOf(this.#openOfSession.get(project, nowMs, sessionId))
        : this.#openOfUser(project, nowMs, shown.actor);
    return own >= share.max ? { by: share.of, max: share.max } : null;
  }

  /** By what is shown, and so by the name that the ledger has for them, in whichever sessions they asked. */
  #openOfUser(project: string, nowMs: number, actor: string): number {
    const ids = this.#openIds.all(project, nowMs).map((row) => String(row["approval_id"]));
    this.#askers = new Map(ids.map((id) => [id, this.#askers.get(id) ?? this.#askerOf(id)]));
    return [...this.#askers.values()].filter((asker) => asker === actor).length;
  }

  #askerOf(approvalId: string): string {
    return String(this.#asker.get(approvalId)?.["actor"]);
  }

  /** What the change says of a question, if anything. An answer is its first entry: what it lets happen comes behind it. */
  apply(change: Change, firstSeq: number): void {
    if (change.question !== undefined) this.#ask(change.callId, change.question);
    if (change.from === change.to) return; // one of several answers, which is none yet
    // Only an approved call still has to be run by somebody who may not have it in memory.
    const isDropped = change.to !== "approved";
    if (change.from === "awaiting_approval") {
      const answer = isDropped ? this.#answerAndDrop : this.#answer;
      answer.run(JSON.stringify(change.answer ?? { kind: "cancelled" }), firstSeq, change.callId);
    } else if (change.from === "approved" && isDropped) this.#drop.run(change.callId);
  }

  #ask(callId: string, { approvalId, project, deadlineMs, shown, shownLater = shown, kept }: NewQuestion): void {
    const raw = kept === null ? null : JSON.stringify(kept);
    const openShown = shownLater === shown ? null : JSON.stringify(shown);
    this.#add.run(approvalId, callId, project, deadlineMs, JSON.stringify(shownLater), openShown, raw);
  }
}

const countOf = (row: Readonly<Record<string, unknown>> | undefined): number => Number(row?.["open"] ?? 0);
