import { existsSync } from "node:fs";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { canonicalJson } from "../../domain/canonical-json.ts";
import type { Entry } from "../../domain/entry.ts";
import type { CallState } from "../../domain/state.ts";
import { callIdTextIn, entryFromText } from "../../ledger/chain.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Faults } from "../../ports/faults.ts";
import type {
  CallFilter,
  CallPage,
  CallRecord,
  Changed,
  DeadlinePage,
  JournalView,
  OpenDeadline,
  QuestionFilter,
} from "../../ports/journal-view.ts";
import { isDatabaseError } from "../system-error.ts";
import { journalFile } from "./open-database.ts";
import { prepared } from "./prepared.ts";
import type { RecentLines } from "./recent-lines.ts";
import { type EntryRow, lastRow, readRows } from "./segment.ts";
import { STATE_CODE, stateFromCode } from "./state-code.ts";

export interface ViewOptions {
  readonly stateDir: string;
  readonly clock: Clock;
  /** Told when this process has written. */
  readonly onWritten: (written: () => void) => () => void;
  /** What this process has written last. */
  readonly recent?: RecentLines;
  readonly faults?: Faults;
}

/** How often somebody who watches looks whether another process has written. */
const LOOK_EVERY_MS = 50;

/** A page of calls looks at no more rows than this, whatever its filter leaves of them. */
const SCANNED_MAX = 5000;

/** Behind every id. */
const LAST = "\u{ffff}";

const ANSWERED = {
  open: "AND answer_seq IS NULL",
  answered: "AND answer_seq IS NOT NULL",
  any: "",
} as const satisfies Record<QuestionFilter["status"], string>;

/** More entries than one change of a call is told by. */
const CHANGE_ENTRIES = 8;

const CALLS = `
  SELECT c.call_id, c.state, c.tool, c.first_seq, c.last_seq, o.project, o.session_id, q.approval_id, q.answer_seq
  FROM calls c JOIN origins o ON o.id = c.origin LEFT JOIN questions q ON q.call_id = c.call_id`;

/** A connection that only reads, kept open: many look, and opening costs more than looking. */
export class SqliteView implements JournalView {
  readonly #options: ViewOptions;
  readonly #watchers = new Set<Changed>();
  #db: DatabaseSync | null = null;
  #stop: (() => void) | null = null;
  #version = -1;

  constructor(options: ViewOptions) {
    this.#options = options;
  }

  lastSeq(): number {
    const db = this.#opened();
    return db === null ? 0 : (lastRow(db)?.[0] ?? 0);
  }

  entries(from: number, to: number): readonly Entry[] {
    return this.#rows(from, to).map(([, hash, text]) => entryFromText(text, hash));
  }

  entriesOf(callId: string): readonly Entry[] {
    const place = this.#placeOf(callId);
    return place === null ? [] : this.#entriesAbout(callId, place.first, place.last);
  }

  stepsOf(callId: string): readonly Entry[] {
    const place = this.#placeOf(callId);
    if (place === null) return [];
    const { first, answered, last } = place;
    if (last - first < 3 * CHANGE_ENTRIES) return this.#entriesAbout(callId, first, last);
    const begins = [first, answered ?? first, last - CHANGE_ENTRIES + 1];
    const found = begins.flatMap((from) =>
      this.#entriesAbout(callId, from, Math.min(last, from + CHANGE_ENTRIES - 1)).map(
        (entry) => [entry.seq, entry] as const,
      ),
    );
    return [...new Map(found).values()].sort((a, b) => a.seq - b.seq);
  }

  call(callId: string): CallRecord | null {
    const row = this.#prepared(`${CALLS} WHERE c.call_id = ?`)?.get(callId);
    return row === undefined ? null : recordFrom(row);
  }

  calls({ before, limit, ...filter }: CallFilter): CallPage {
    const rows = this.#prepared(`${CALLS} WHERE c.call_id < ? ORDER BY c.call_id DESC LIMIT ${SCANNED_MAX}`);
    const found: CallRecord[] = [];
    let seen = 0;
    let last: string | null = null;
    for (const row of rows?.iterate(before ?? LAST) ?? []) {
      seen++;
      const record = recordFrom(row);
      last = record.callId;
      if (fits(record, filter)) found.push(record);
      if (found.length === limit) break;
    }
    return { calls: found, next: found.length === limit || seen === SCANNED_MAX ? last : null };
  }

  questions({ project, status, before, limit }: QuestionFilter): readonly string[] {
    const rows = this.#prepared(
      `SELECT approval_id FROM questions WHERE project = ? AND approval_id < ? ${ANSWERED[status]}
       ORDER BY approval_id DESC LIMIT ?`,
    )?.all(project, before ?? LAST, limit);
    return (rows ?? []).map((row) => String(row["approval_id"]));
  }

  askedCalls(project: string, limit: number): readonly string[] {
    const rows = this.#prepared(
      "SELECT call_id FROM questions WHERE project = ? AND answer_seq IS NULL ORDER BY approval_id LIMIT ?",
    )?.all(project, limit);
    return (rows ?? []).map((row) => String(row["call_id"]));
  }

  deadlines(project: string, { after, limit }: DeadlinePage): readonly OpenDeadline[] {
    const rows = this.#prepared(
      `SELECT approval_id, deadline_ms FROM questions WHERE project = ? AND answer_seq IS NULL AND approval_id > ?
       ORDER BY approval_id LIMIT ?`,
    )?.all(project, after, limit);
    return (rows ?? []).map((row) => ({
      approvalId: String(row["approval_id"]),
      deadlineMs: Number(row["deadline_ms"]),
    }));
  }

  approved(project: string): readonly string[] {
    const rows = this.#prepared(
      `SELECT q.approval_id FROM calls c JOIN questions q ON q.call_id = c.call_id
       WHERE c.state < 10 AND c.state = ${STATE_CODE.approved} AND q.project = ? AND q.raw IS NOT NULL`,
    )?.all(project);
    return (rows ?? []).map((row) => String(row["approval_id"]));
  }

  watch(changed: Changed): () => void {
    const own: Changed = (lastSeq) => changed(lastSeq);
    this.#watchers.add(own);
    if (this.#watchers.size === 1) this.#start();
    return () => {
      if (this.#watchers.delete(own) && this.#watchers.size === 0) this.#halt();
    };
  }

  close(): void {
    this.#watchers.clear();
    this.#halt();
    this.#db?.close();
    this.#db = null;
  }

  /** Null: there is no journal yet. */
  #opened(): DatabaseSync | null {
    if (this.#db !== null) return this.#db;
    const path = journalFile(this.#options.stateDir);
    if (!existsSync(path)) return null;
    this.#db = new DatabaseSync(path, { readOnly: true, timeout: 1000 });
    return this.#db;
  }

  #placeOf(callId: string): { readonly first: number; readonly answered: number | null; readonly last: number } | null {
    const row = this.#prepared(`${CALLS} WHERE c.call_id = ?`)?.get(callId);
    if (row === undefined) return null;
    const { first_seq: first, answer_seq: answered, last_seq: last } = row;
    return { first: Number(first), answered: answered === null ? null : Number(answered), last: Number(last) };
  }

  /** Those of others are not taken apart: there may be very many. */
  #entriesAbout(callId: string, from: number, to: number): readonly Entry[] {
    const own = canonicalJson(callId);
    const rows = this.#rows(from, to).filter(([, , text]) => callIdTextIn(text) === own);
    return rows.map(([, hash, text]) => entryFromText(text, hash));
  }

  #rows(from: number, to: number): readonly EntryRow[] {
    return this.#options.recent?.rows(from, to) ?? this.#readRows(from, to);
  }

  #readRows(from: number, to: number): readonly EntryRow[] {
    const db = this.#opened();
    return db === null ? [] : [...readRows(db, from, to)];
  }

  #prepared(sql: string): StatementSync | null {
    const db = this.#opened();
    return db === null ? null : prepared(db, sql);
  }

  #start(): void {
    const { clock, onWritten, recent } = this.#options;
    recent?.want();
    const unlisten = onWritten(() => this.#tell(recent?.lastSeq ?? null));
    let disarm = () => {};
    const again = () => {
      disarm = clock.after(LOOK_EVERY_MS, () => {
        if (this.#hasChanged()) this.#tell(null);
        if (this.#stop !== null) again();
      });
    };
    this.#stop = () => {
      unlisten();
      disarm();
      recent?.unwant();
    };
    again();
  }

  #halt(): void {
    this.#stop?.();
    this.#stop = null;
  }

  #tell(lastSeq: number | null): void {
    for (const changed of this.#watchers) changed(lastSeq);
  }

  /** Of any other connection, our own process's writer too. What can't be read now is looked at again. */
  #hasChanged(): boolean {
    try {
      const version = Number(this.#prepared("PRAGMA data_version")?.get()?.["data_version"] ?? -1);
      const isNew = version !== this.#version;
      this.#version = version;
      return isNew;
    } catch (cause) {
      if (!isDatabaseError(cause)) this.#options.faults?.report(cause, { stage: "store" });
      return true;
    }
  }
}

const recordFrom = (row: Record<string, unknown>): CallRecord => ({
  callId: String(row["call_id"]),
  state: stateFromCode(row["state"]),
  tool: String(row["tool"]),
  project: String(row["project"]),
  sessionId: String(row["session_id"]),
  approvalId: row["approval_id"] === null ? null : String(row["approval_id"]),
  lastSeq: Number(row["last_seq"]),
});

const fits = (
  record: CallRecord,
  { project, states, tool, sessionId }: Omit<CallFilter, "before" | "limit">,
): boolean =>
  record.project === project &&
  (states === undefined || (states as readonly CallState[]).includes(record.state)) &&
  (tool === undefined || record.tool === tool) &&
  (sessionId === undefined || record.sessionId === sessionId);
