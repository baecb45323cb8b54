import { DatabaseSync } from "node:sqlite";

/** Kept in `user_version`. A database with another number is refused: no version converts the tables of another. */
export const FORMAT = 7;

/**
 * - `segments`: the ledger. One row holds the entries of a commit (see `segment.ts`).
 * - `calls`: one row a call; `state` is a number (see `state-code.ts`). The partial index holds open calls only, so
 *   recovery takes no longer as the ledger grows. `origins` holds what calls of one process and session share.
 * - `questions`: in the order in which they were asked. The columns of lists and answers stand before the two long texts.
 *   `raw` is the unredacted call, deleted when the call has started or ended.
 * - `notes`: the number of the last entry of each kind that belongs to no call.
 * - `sessions`: `token_hash` in place of the token; `ended_as` is null while a session is open.
 * - `budgets`: what the calls of a lease have spent, with what running calls hold. `holdings`: what each running call holds.
 * - `dedupe`: the idempotency keys of calls; `outcome` is null until the call ends. `key_room` counts the keys of each
 *   caller and the bytes of their outcomes, and those of all callers under the empty name. Triggers keep the counts, so no
 *   statement that deletes a key can forget to.
 */
const TABLES = `
  CREATE TABLE segments (
    first_seq INTEGER PRIMARY KEY,
    lines     TEXT NOT NULL
  ) STRICT;
  CREATE TABLE checkpoints (
    size     INTEGER PRIMARY KEY,
    text     TEXT NOT NULL,
    frontier TEXT NOT NULL
  ) STRICT;
  CREATE TABLE origins (
    id         INTEGER PRIMARY KEY,
    owner      TEXT NOT NULL,
    host       TEXT NOT NULL,
    project    TEXT NOT NULL,
    session_id TEXT NOT NULL,
    caller     TEXT NOT NULL,
    UNIQUE (owner, session_id, project, host, caller)
  ) STRICT;
  CREATE TABLE calls (
    call_id   TEXT PRIMARY KEY,
    state     INTEGER NOT NULL,
    origin    INTEGER NOT NULL,
    tool      TEXT NOT NULL,
    first_seq INTEGER NOT NULL,
    last_seq  INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX open_calls ON calls (origin) WHERE state < 10;
  CREATE TABLE questions (
    id          INTEGER PRIMARY KEY,
    approval_id TEXT NOT NULL UNIQUE,
    call_id     TEXT NOT NULL UNIQUE,
    project     TEXT NOT NULL,
    deadline_ms INTEGER NOT NULL,
    answer_seq  INTEGER,
    answer      TEXT,
    shown       TEXT NOT NULL,
    open_shown  TEXT,
    raw         TEXT
  ) STRICT;
  CREATE INDEX open_questions ON questions (project, approval_id, deadline_ms, answer_seq) WHERE answer_seq IS NULL;
  CREATE INDEX answered_questions ON questions (answer_seq) WHERE answer_seq IS NOT NULL;
  CREATE TABLE notes (
    kind     TEXT PRIMARY KEY,
    last_seq INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE sessions (
    session_id TEXT PRIMARY KEY,
    project    TEXT NOT NULL,
    parent_id  TEXT,
    token_hash BLOB NOT NULL,
    lease      TEXT NOT NULL,
    label      TEXT NOT NULL,
    opened_by  TEXT NOT NULL,
    opened_ms  INTEGER NOT NULL,
    renewed_ms INTEGER,
    ended_as   TEXT,
    ended_ms   INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX open_sessions ON sessions (project, session_id) WHERE ended_as IS NULL;
  CREATE TABLE budgets (
    lease_id    TEXT PRIMARY KEY,
    tokens      INTEGER NOT NULL,
    calls       INTEGER NOT NULL,
    time_ms     REAL NOT NULL,
    cost_micros INTEGER NOT NULL,
    bytes       INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE holdings (
    call_id     TEXT NOT NULL,
    lease_id    TEXT NOT NULL,
    tokens      INTEGER NOT NULL,
    calls       INTEGER NOT NULL,
    time_ms     REAL NOT NULL,
    cost_micros INTEGER NOT NULL,
    bytes       INTEGER NOT NULL,
    PRIMARY KEY (call_id, lease_id)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE dedupe (
    scope      TEXT NOT NULL,
    key        TEXT NOT NULL,
    call_id    TEXT NOT NULL UNIQUE,
    owner      TEXT NOT NULL,
    input_hash TEXT NOT NULL,
    under_hash TEXT NOT NULL,
    expires_ms INTEGER NOT NULL,
    bytes      INTEGER NOT NULL,
    outcome    TEXT,
    PRIMARY KEY (scope, key)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX old_keys ON dedupe (expires_ms, bytes);
  CREATE INDEX long_outcomes ON dedupe (scope, expires_ms) WHERE bytes > 1024;
  CREATE TABLE key_room (
    scope TEXT PRIMARY KEY,
    keys  INTEGER NOT NULL,
    bytes INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  INSERT INTO key_room VALUES ('', 0, 0);
  CREATE TRIGGER key_added AFTER INSERT ON dedupe BEGIN
    INSERT INTO key_room VALUES (NEW.scope, 1, NEW.bytes)
      ON CONFLICT (scope) DO UPDATE SET keys = keys + 1, bytes = bytes + NEW.bytes;
    UPDATE key_room SET keys = keys + 1, bytes = bytes + NEW.bytes WHERE scope = '';
  END;
  CREATE TRIGGER key_ended AFTER UPDATE OF bytes ON dedupe BEGIN
    UPDATE key_room SET bytes = bytes + NEW.bytes - OLD.bytes WHERE scope IN (NEW.scope, '');
  END;
  CREATE TRIGGER key_dropped AFTER DELETE ON dedupe BEGIN
    UPDATE key_room SET keys = keys - 1, bytes = bytes - OLD.bytes WHERE scope IN (OLD.scope, '');
    DELETE FROM key_room WHERE scope = OLD.scope AND keys = 0;
  END;`;

/** `ready`, or the format of a database that another version made, which stays as it is. */
export type Prepared = { readonly kind: "ready" } | { readonly kind: "other format"; readonly found: number };

/** Makes the tables in an empty database. */
export function prepareTables(db: DatabaseSync): Prepared {
  const before = preparedAs(formatOf(db));
  if (before !== "empty") return before;
  db.exec("BEGIN IMMEDIATE");
  try {
    // Another process may have made them while this one waited for the lock.
    const locked = preparedAs(formatOf(db));
    if (locked === "empty") db.exec(`${TABLES} PRAGMA user_version = ${FORMAT}`);
    db.exec("COMMIT");
    return locked === "empty" ? { kind: "ready" } : locked;
  } catch (error) {
    if (db.isTransaction) db.exec("ROLLBACK");
    throw error;
  }
}

function preparedAs(format: number): Prepared | "empty" {
  if (format === 0) return "empty";
  return format === FORMAT ? { kind: "ready" } : { kind: "other format", found: format };
}

/** The first table without which there is no ledger to read; `all` if the file has no table. Null: they are there. */
export function missingTable(db: DatabaseSync): { readonly name: string } | "all" | null {
  const found = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  if (found.length === 0) return "all";
  const names = new Set(found.map((row) => row["name"]));
  const name = ["segments", "calls", "checkpoints"].find((table) => !names.has(table));
  return name === undefined ? null : { name };
}

/**
 * Whether the database has exactly the tables above. A damaged column name would be read as an absent value, and a
 * planted trigger could keep entries out of the ledger.
 */
export function hasOwnSchema(db: DatabaseSync): boolean {
  ownSchema ??= freshSchema();
  return schemaOf(db) === ownSchema;
}

/** The same for every database. Making it takes longer than opening one. */
let ownSchema: string | null = null;

function freshSchema(): string {
  const fresh = new DatabaseSync(":memory:");
  try {
    fresh.exec(TABLES);
    return schemaOf(fresh);
  } finally {
    fresh.close();
  }
}

const schemaOf = (db: DatabaseSync): string =>
  JSON.stringify(
    db.prepare("SELECT type, name, sql FROM sqlite_schema WHERE substr(name, 1, 7) <> 'sqlite_' ORDER BY name").all(),
  );

export const formatOf = (db: DatabaseSync): number =>
  Number(db.prepare("PRAGMA user_version").get()?.["user_version"] ?? 0);
