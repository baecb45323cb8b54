import type { DatabaseSync, StatementResultingChanges, StatementSync } from "node:sqlite";
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
  readonly #moveAndTake: StatementSync;
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
    this.#moveAndTake = db.prepare(
      "UPDATE calls SET state = ?, last_seq = ?, origin = ? WHERE call_id = ? AND state = ?",
    );
  }

  /** Whether the call was where the change says. */
  apply(change: Change, firstSeq: number, lastSeq: number): boolean {
    if (change.from === "received") return this.#create(change.created, change.to, firstSeq, lastSeq);
    const { callId, takenBy } = change;
    const [to, from] = [STATE_CODE[change.to], STATE_CODE[change.from]];
    const origin = takenBy === undefined ? null : this.#knownOrigin(takenBy);
    if (origin !== null) return isOne(this.#moveAndTake.run(to, lastSeq, origin, callId, from));
    if (!isOne(this.#move.run(to, lastSeq, callId, from))) return false;
    // One that is new is added only for who gets the call.
    if (takenBy !== undefined) this.#take.run(this.#originOf(takenBy), callId);
    return true;
  }

  /** After a rollback: an origin that was added in it is gone. */
  forget(): void {
    this.#known = null;
  }

  #create(call: NewCall, to: CallState, firstSeq: number, lastSeq: number): boolean {
    const origin = this.#originOf(call);
    return isOne(this.#add.run(call.callId, STATE_CODE[to], origin, call.tool, firstSeq, lastSeq));
  }

  #originOf(call: NewCall): number {
    return this.#knownOrigin(call) ?? this.#newOrigin(call);
  }

  /** Null: nobody was there before. */
  #knownOrigin(call: NewCall): number | null {
    if (this.#known !== null && isSameOrigin(this.#known.call, call)) return this.#known.id;
    const { owner, sessionId, project, host, caller } = call;
    const found = this.#findOrigin.get(owner, sessionId, project, host, caller);
    if (found === undefined) return null;
    this.#known = { call, id: Number(found["id"]) };
    return this.#known.id;
  }

  #newOrigin(call: NewCall): number {
    const { owner, sessionId, project, host, caller } = call;
    const { lastInsertRowid } = this.#addOrigin.run(owner, sessionId, project, host, caller);
    this.#known = { call, id: Number(lastInsertRowid) };
    return this.#known.id;
  }
}

const isOne = ({ changes }: StatementResultingChanges): boolean => Number(changes) === 1;

const isSameOrigin = (a: NewCall, b: NewCall): boolean =>
  a.sessionId === b.sessionId &&
  a.owner === b.owner &&
  a.project === b.project &&
  a.host === b.host &&
  a.caller === b.caller;
