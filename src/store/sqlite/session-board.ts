import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { Lease } from "../../domain/lease.ts";
import type { Clock } from "../../ports/clock.ts";
import type { EndedAs, StoredSession, StoredSessions } from "../../ports/sessions.ts";
import { whileBusy } from "./while-busy.ts";

/** Sessions that are in use; of the others a row is read when they are. */
const KNOWN_MAX = 4096;

export interface SessionBoardOptions {
  readonly clock: Clock;
  /** Throws where the journal can't be opened. */
  readonly db: () => DatabaseSync;
  /** Whether there is a journal to read. */
  readonly isBegun: () => boolean;
}

interface Known {
  readonly session: StoredSession;
  readonly leaseText: string;
  /** Which state of the database the row was read from. */
  version: number;
}

interface Statements {
  readonly db: DatabaseSync;
  readonly version: StatementSync;
  readonly find: StatementSync;
}

/** Sessions as the journal has them. */
export class SessionBoard implements StoredSessions {
  readonly #options: SessionBoardOptions;
  readonly #known = new Map<string, Known>();
  #statements: Statements | null = null;

  constructor(options: SessionBoardOptions) {
    this.#options = options;
  }

  find(sessionId: string): StoredSession | null {
    if (!this.#options.isBegun()) return null;
    const { version: readVersion, find } = this.#prepared();
    const version = Number(readVersion.get()?.["data_version"]);
    const known = this.#known.get(sessionId);
    if (known?.version === version) return known.session;
    const row = find.get(sessionId);
    if (row === undefined) return null;
    return this.#remembered(row, version, known);
  }

  async open(
    project: string,
    page: { readonly limit: number; readonly after?: string },
  ): Promise<readonly StoredSession[]> {
    if (!this.#options.isBegun()) return [];
    return whileBusy(this.#options.clock, () =>
      this.#options
        .db()
        .prepare(`${SESSIONS} WHERE project = ? AND ended_as IS NULL AND session_id > ? ORDER BY session_id LIMIT ?`)
        .all(project, page.after ?? "", page.limit)
        .map((row) => sessionFrom(row)),
    );
  }

  /** To be called when this process has written a session: what it wrote itself changes no `data_version`. */
  forget(sessionId: string): void {
    this.#known.delete(sessionId);
  }

  /** While nothing about it changed it stays the same object, so that what was made from its lease is made once. */
  #remembered(row: Record<string, unknown>, version: number, known: Known | undefined): StoredSession {
    const leaseText = String(row["lease"]);
    const fresh = sessionFrom(row);
    if (known !== undefined && known.leaseText === leaseText && isSame(known.session, fresh)) {
      known.version = version;
      return known.session;
    }
    const session = known?.leaseText === leaseText ? { ...fresh, lease: known.session.lease } : fresh;
    this.#known.delete(session.id);
    for (const oldest of this.#known.keys()) {
      if (this.#known.size < KNOWN_MAX) break;
      this.#known.delete(oldest);
    }
    this.#known.set(session.id, { session, leaseText, version });
    return session;
  }

  #prepared(): Statements {
    const db = this.#options.db();
    if (this.#statements?.db !== db) {
      this.#known.clear();
      this.#statements = {
        db,
        version: db.prepare("PRAGMA data_version"),
        find: db.prepare(`${SESSIONS} WHERE session_id = ?`),
      };
    }
    return this.#statements;
  }
}

const SESSIONS = `
  SELECT session_id, project, parent_id, token_hash, lease, label, opened_by, opened_ms, renewed_ms, ended_as, ended_ms
  FROM sessions`;

/** Lease, parent, token and opening never change by themselves. */
const isSame = (a: StoredSession, b: StoredSession): boolean =>
  a.renewedMs === b.renewedMs && a.ended?.as === b.ended?.as && a.ended?.atMs === b.ended?.atMs;

function sessionFrom(row: Record<string, unknown>): StoredSession {
  const endedAs = row["ended_as"];
  return {
    id: String(row["session_id"]),
    project: String(row["project"]),
    parentId: row["parent_id"] === null ? null : String(row["parent_id"]),
    tokenHash: row["token_hash"] as Uint8Array,
    lease: JSON.parse(String(row["lease"])) as Lease,
    label: String(row["label"]),
    openedBy: String(row["opened_by"]),
    openedMs: Number(row["opened_ms"]),
    renewedMs: row["renewed_ms"] === null ? null : Number(row["renewed_ms"]),
    ended: endedAs === null ? null : { as: endedAs as EndedAs, atMs: Number(row["ended_ms"]) },
  };
}
