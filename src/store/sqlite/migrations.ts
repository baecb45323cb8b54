import { DatabaseSync } from "node:sqlite";

/** What format 1 called a state, as the number that later ones have for it. */
const STATE_NUMBER = `CASE state WHEN 'awaiting_approval' THEN 1 WHEN 'approved' THEN 2 WHEN 'executing' THEN 3 WHEN 'completed' THEN 11
  WHEN 'failed' THEN 12 WHEN 'timed_out' THEN 13 WHEN 'cancelled' THEN 14 WHEN 'refused' THEN 15
  WHEN 'rejected' THEN 16 WHEN 'expired' THEN 17 ELSE 18 END`;

/**
 * One step per released format, never changed after its release. `user_version` counts the steps taken.
 * Format 1: `entries` is the ledger; `text` is the canonical JSON that `hash` is over. `calls` has one row a call; the
 * partial index holds open calls only, so that recovery does not slow down as the ledger grows.
 * Format 2: the entries of one commit are one row of `segments` (see `segment.ts`); what calls of one process and session
 * have in common is said once, in `origins`; states are numbers (see `state-code.ts`). `questions` are what people are
 * asked; `raw` is the unredacted call, and goes when the call has been started or has ended. `notes` tells where the last
 * entry of each kind is that is about no call.
 * Format 3: `sessions` that were opened with a token, of which only the hash is here; `ended_as` is null while one is open.
 * `budgets` has a row for each lease that limits something: what its calls have used up and what those under way hold,
 * `holdings` what each call under way holds. `dedupe` has a row for each call that was made with a key; `outcome` is
 * null until it has ended. The leases of calls that wait say more than before: what they said nothing about was granted
 * only to who was granted everything else.
 * Format 4: `key_room` counts the keys of each caller and the bytes of their outcomes, and of all together under the empty
 * name, so that asking for room costs the same however many there are. Triggers keep it, so that no way of removing a key
 * can forget to.
 * Format 5: `questions` in the order in which they were asked: what is written of one then lies at the end of the table,
 * and a row of up to a page is in one place, where an index of whole rows keeps a quarter of that and spills the rest. What
 * lists and answers read stands before the two long texts. The index of open ones knows their deadlines, which is all that is
 * counted and looked up of them.
 */
const STEPS = [
  `CREATE TABLE entries (
     seq  INTEGER PRIMARY KEY,
     hash BLOB NOT NULL,
     text TEXT NOT NULL
   ) STRICT;
   CREATE TABLE calls (
     call_id    TEXT PRIMARY KEY,
     state      TEXT NOT NULL,
     project    TEXT NOT NULL,
     session_id TEXT NOT NULL,
     owner      TEXT NOT NULL,
     host       TEXT NOT NULL,
     tool       TEXT NOT NULL,
     caller     TEXT NOT NULL,
     first_seq  INTEGER NOT NULL,
     last_seq   INTEGER NOT NULL
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX open_calls ON calls (owner) WHERE state IN ('awaiting_approval', 'approved', 'executing');
   CREATE TABLE checkpoints (
     size     INTEGER PRIMARY KEY,
     text     TEXT NOT NULL,
     frontier TEXT NOT NULL
   ) STRICT;`,
  `CREATE TABLE segments (
     first_seq INTEGER PRIMARY KEY,
     lines     TEXT NOT NULL
   ) STRICT;
   INSERT INTO segments
     SELECT min(seq), group_concat(lower(hex(hash)) || ' ' || text, char(10) ORDER BY seq)
     FROM entries GROUP BY (seq - 1) / 64;
   DROP TABLE entries;
   CREATE TABLE origins (
     id         INTEGER PRIMARY KEY,
     owner      TEXT NOT NULL,
     host       TEXT NOT NULL,
     project    TEXT NOT NULL,
     session_id TEXT NOT NULL,
     caller     TEXT NOT NULL,
     UNIQUE (owner, session_id, project, host, caller)
   ) STRICT;
   INSERT INTO origins (owner, host, project, session_id, caller)
     SELECT DISTINCT owner, host, project, session_id, caller FROM calls;
   ALTER TABLE calls RENAME TO old_calls;
   DROP INDEX open_calls;
   CREATE TABLE calls (
     call_id   TEXT PRIMARY KEY,
     state     INTEGER NOT NULL,
     origin    INTEGER NOT NULL,
     tool      TEXT NOT NULL,
     first_seq INTEGER NOT NULL,
     last_seq  INTEGER NOT NULL
   ) STRICT, WITHOUT ROWID;
   INSERT INTO calls
     SELECT call_id,
       ${STATE_NUMBER},
       id, tool, first_seq, last_seq
     FROM old_calls JOIN origins USING (owner, host, project, session_id, caller);
   DROP TABLE old_calls;
   CREATE INDEX open_calls ON calls (origin) WHERE state < 10;
   CREATE TABLE questions (
     approval_id TEXT PRIMARY KEY,
     call_id     TEXT NOT NULL UNIQUE,
     project     TEXT NOT NULL,
     deadline_ms INTEGER NOT NULL,
     shown       TEXT NOT NULL,
     raw         TEXT,
     answer      TEXT,
     answer_seq  INTEGER
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX open_questions ON questions (project, approval_id) WHERE answer_seq IS NULL;
   CREATE INDEX answered_questions ON questions (answer_seq) WHERE answer_seq IS NOT NULL;
   CREATE TABLE notes (
     kind     TEXT PRIMARY KEY,
     last_seq INTEGER NOT NULL
   ) STRICT, WITHOUT ROWID;`,
  `CREATE TABLE sessions (
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
   UPDATE questions SET raw = json_set(raw,
     '$.session.lease.hosts', json(iif(whole, '"everything"', '[]')),
     '$.session.lease.commands', json(iif(whole, '"everything"', '[]')),
     '$.session.lease.models', json(iif(whole, '"everything"', '[]')),
     '$.session.lease.budget', json('{"tokens":null,"calls":null,"timeMs":null,"costMicros":null,"bytes":null}'))
   FROM (SELECT approval_id AS id, raw ->> '$.session.lease.tools' = 'everything'
           AND raw ->> '$.session.lease.read' = 'everything' AND raw ->> '$.session.lease.write' = 'everything' AS whole
         FROM questions WHERE raw IS NOT NULL)
   WHERE id = approval_id;`,
  `CREATE TABLE key_room (
     scope TEXT PRIMARY KEY,
     keys  INTEGER NOT NULL,
     bytes INTEGER NOT NULL
   ) STRICT, WITHOUT ROWID;
   INSERT INTO key_room SELECT scope, count(*), sum(bytes) FROM dedupe GROUP BY scope;
   INSERT INTO key_room SELECT '', count(*), coalesce(sum(bytes), 0) FROM dedupe;
   CREATE INDEX long_outcomes ON dedupe (scope, expires_ms) WHERE bytes > 1024;
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
   END;`,
  `ALTER TABLE questions RENAME TO old_questions;
   DROP INDEX open_questions;
   DROP INDEX answered_questions;
   CREATE TABLE questions (
     id          INTEGER PRIMARY KEY,
     approval_id TEXT NOT NULL UNIQUE,
     call_id     TEXT NOT NULL UNIQUE,
     project     TEXT NOT NULL,
     deadline_ms INTEGER NOT NULL,
     answer_seq  INTEGER,
     answer      TEXT,
     shown       TEXT NOT NULL,
     raw         TEXT
   ) STRICT;
   INSERT INTO questions (approval_id, call_id, project, deadline_ms, answer_seq, answer, shown, raw)
     SELECT approval_id, call_id, project, deadline_ms, answer_seq, answer, shown, raw
     FROM old_questions ORDER BY approval_id;
   DROP TABLE old_questions;
   CREATE INDEX open_questions ON questions (project, approval_id, deadline_ms, answer_seq) WHERE answer_seq IS NULL;
   CREATE INDEX answered_questions ON questions (answer_seq) WHERE answer_seq IS NOT NULL;`,
] as const;

export const FORMAT = STEPS.length;

export type Migrated = { readonly kind: "ready" } | { readonly kind: "newer"; readonly found: number };

/** Brings the database to this version's format. One that this version does not know is left alone. */
export function migrate(db: DatabaseSync): Migrated {
  const found = formatOf(db);
  if (found < 0 || found > FORMAT) return { kind: "newer", found };
  if (found === FORMAT) return { kind: "ready" };
  db.exec("BEGIN IMMEDIATE");
  try {
    // Another process may have migrated while this one waited for the lock, perhaps further than we can.
    const locked = formatOf(db);
    for (let step = locked; step < FORMAT; step++) db.exec(STEPS[step] ?? "");
    if (locked < FORMAT) db.exec(`PRAGMA user_version = ${FORMAT}`);
    db.exec("COMMIT");
    return locked > FORMAT ? { kind: "newer", found: locked } : { kind: "ready" };
  } catch (error) {
    if (db.isTransaction) db.exec("ROLLBACK");
    throw error;
  }
}

/**
 * Lets a connection that may not write read an older format as if it had been migrated. What it makes is the
 * connection's own, in memory, and gone with it.
 */
export function readAsToday(db: DatabaseSync): void {
  if (formatOf(db) !== 1) return;
  db.exec(
    `CREATE TEMP VIEW segments AS SELECT seq AS first_seq, lower(hex(hash)) || ' ' || text AS lines FROM main.entries;
     CREATE TEMP VIEW calls AS SELECT call_id, ${STATE_NUMBER} AS state, call_id AS origin, tool, first_seq, last_seq FROM main.calls;
     CREATE TEMP VIEW origins AS SELECT call_id AS id, project, session_id FROM main.calls`,
  );
}

/** The first table without which there is no ledger to read; `all` where the file has none whatever. Null: they are there. */
export function missingTable(db: DatabaseSync): { readonly name: string } | "all" | null {
  const found = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  if (found.length === 0) return "all";
  const names = new Set(found.map((row) => row["name"]));
  const name = [formatOf(db) === 1 ? "entries" : "segments", "calls", "checkpoints"].find((table) => !names.has(table));
  return name === undefined ? null : { name };
}

/**
 * Whether the tables are exactly those that the steps make. A damaged column name would be read as an absent value, and
 * a trigger that somebody left here could keep entries out of the ledger.
 */
export function hasOwnSchema(db: DatabaseSync): boolean {
  ownSchema ??= freshSchema();
  return schemaOf(db) === ownSchema;
}

/** The same for every database, and making it takes longer than opening one. */
let ownSchema: string | null = null;

function freshSchema(): string {
  const fresh = new DatabaseSync(":memory:");
  try {
    for (const step of STEPS) fresh.exec(step);
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
