import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { CallState } from "../../domain/state.ts";
import type { Change, NewCall } from "../../ports/journal.ts";
import { STATE_CODE } from "./state-code.ts";

/** The rows of calls, moved by compare-and-set: whoever comes second finds the state gone. */
export class CallRows {
  readonly #findOrigin: StatementSync;
  readonly #addOrigin: StatementSync;
  readonly #add: StatementSync;
  readonly #move: StatementSync;
  readonly #take: StatementSync;
  /** The origin of the last new call; calls come from one place for a long time. */
  #known: { readonly call: NewCall; readonly id: number } | null = null;

  constructor(db: DatabaseSync) {
    this.#findOrigin = db.prepare(
      "SELECT id FROM origins WHERE owner = ? AND session_id = ? AND project = ? AND host = ? AND caller = ?",
    );
    this.#addOrigin = db.prepare(
      "INSERT INTO origins (owner, session_id, project, host, caller) VALUES (?, ?, ?, ?, ?)",
    );
    this.#add = db.prepare("INSERT OR IGNORE INTO calls VALUES (?, ?, ?, ?, ?, ?)");
    this.#move = db.prepare("UPDATE calls SET state = ?, last_seq = ? WHERE call_id = ? AND state = ?");
    this.#take = db.prepare("UPDATE calls SET origin = ? WHERE call_id = ?");
  }

  /** Whether the call was where the change says. */
  apply(change: Change, firstSeq: number, lastSeq: number): boolean {
    if (change.from === "received") return this.#create(change.created, change.to, firstSeq, lastSeq);
    const { changes } = this.#move.run(STATE_CODE[change.to], lastSeq, change.callId, STATE_CODE[change.from]);
    if (Number(changes) !== 1) return false;
    if (change.takenBy !== undefined) this.#take.run(this.#originOf(change.takenBy), change.callId);
    return true;
  }

  /** After a rollback: an origin that was added in it is gone. */
  forget(): void {
    this.#known = null;
  }

  #create(call: NewCall, to: CallState, firstSeq: number, lastSeq: number): boolean {
    const { changes } = this.#add.run(call.callId, STATE_CODE[to], this.#originOf(call), call.tool, firstSeq, lastSeq);
    return Number(changes) === 1;
  }

  #originOf(call: NewCall): number {
    if (this.#known === null || !isSameOrigin(this.#known.call, call)) {
      this.#known = { call, id: this.#storedOrigin(call) };
    }
    return this.#known.id;
  }

  #storedOrigin({ owner, sessionId, project, host, caller }: NewCall): number {
    const found = this.#findOrigin.get(owner, sessionId, project, host, caller);
    return Number(found?.["id"] ?? this.#addOrigin.run(owner, sessionId, project, host, caller).lastInsertRowid);
  }
}

const isSameOrigin = (a: NewCall, b: NewCall): boolean =>
  a.sessionId === b.sessionId &&
  a.owner === b.owner &&
  a.project === b.project &&
  a.host === b.host &&
  a.caller === b.caller;
