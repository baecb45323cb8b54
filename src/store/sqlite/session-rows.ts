import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { SessionChange, StoredSession } from "../../ports/sessions.ts";

/** Sessions, changed by compare-and-set: one that has ended stays as it ended. */
export class SessionRows {
  readonly #add: StatementSync;
  readonly #renew: StatementSync;
  readonly #end: StatementSync;
  readonly #expire: StatementSync;
  readonly #isOpen: StatementSync;

  constructor(db: DatabaseSync) {
    this.#add = db.prepare(
      `INSERT OR IGNORE INTO sessions
         (session_id, project, parent_id, token_hash, lease, label, opened_by, opened_ms)
       SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8
       WHERE ?3 IS NULL
          OR EXISTS (SELECT 1 FROM sessions WHERE session_id = ?3 AND project = ?2 AND ended_as IS NULL)`,
    );
    // The lease that the new one was found to lie within has to be the one that is there.
    this.#renew = db.prepare(
      `UPDATE sessions SET lease = ?, renewed_ms = max(?, ifnull(renewed_ms, 0) + 1)
       WHERE session_id = ? AND ended_as IS NULL AND renewed_ms IS ?`,
    );
    this.#expire = db.prepare(
      `UPDATE sessions SET ended_as = 'expired', ended_ms = ?
       WHERE session_id = ? AND ended_as IS NULL AND renewed_ms IS ?`,
    );
    this.#end = db.prepare("UPDATE sessions SET ended_as = ?, ended_ms = ? WHERE session_id = ? AND ended_as IS NULL");
    this.#isOpen = db.prepare("SELECT 1 FROM sessions WHERE session_id = ? AND ended_as IS NULL");
  }

  isOpen(sessionId: string): boolean {
    return this.#isOpen.get(sessionId) !== undefined;
  }

  /** Whether the session was where the change needs it. */
  apply({ sessionId, change }: Pick<SessionChange, "sessionId" | "change">): boolean {
    switch (change.kind) {
      case "open":
        return this.#open(change.session);
      case "renew":
        return isOne(this.#renew.run(JSON.stringify(change.lease), change.atMs, sessionId, change.renewedMs));
      case "end":
        return isOne(this.#end.run(change.as, change.atMs, sessionId));
      case "expire":
        return isOne(this.#expire.run(change.atMs, sessionId, change.renewedMs));
      default:
        return change satisfies never;
    }
  }

  #open({ id, project, parentId, tokenHash, lease, label, openedBy, openedMs }: StoredSession): boolean {
    return isOne(this.#add.run(id, project, parentId, tokenHash, JSON.stringify(lease), label, openedBy, openedMs));
  }
}

const isOne = ({ changes }: { readonly changes: number | bigint }): boolean => Number(changes) === 1;
