import type { DatabaseSync } from "node:sqlite";
import { setImmediate as turn } from "node:timers/promises";
import { isoTime } from "../../domain/iso-time.ts";
import { callIdTextIn, entryFromText } from "../../ledger/chain.ts";
import type { Finding } from "../../ledger/finding.ts";
import { type SessionSaid, type SessionTold, sessionFlaw, sessionToldBy } from "../../ledger/session-told.ts";
import { atOneMoment } from "./at-one-moment.ts";
import { lastRow, readRows } from "./segment.ts";
import type { WhichCalls } from "./verify-calls.ts";
import { membersIn } from "./verify-questions.ts";

/** As many of the newest entries are looked through, as for calls. */
const NEWEST_ENTRIES = 10_000;
const ENTRIES_PER_TURN = 1000;
const FINDINGS_MAX = 20;
/** What an entry that is about no call has in the place of one. */
const NO_CALL = "null";

const SESSIONS = "SELECT session_id, project, parent_id, opened_by, lease, ended_as FROM sessions";

/** Whether sessions are as the entries tell of them: those that the newest entries are about, or all. */
export const verifySessions = (db: DatabaseSync, which: WhichCalls): Promise<readonly Finding[]> =>
  atOneMoment(db, () => flawsOfSessions(db, which));

async function flawsOfSessions(db: DatabaseSync, which: WhichCalls): Promise<readonly Finding[]> {
  const end = lastRow(db)?.[0] ?? 0;
  const told = await toldIn(db, which === "all" ? 1 : Math.max(1, end - NEWEST_ENTRIES + 1), end);
  const findings: Finding[] = [];
  const find = db.prepare(`${SESSIONS} WHERE session_id = ?`);
  for (const [sessionId, one] of told) {
    const row = find.get(sessionId);
    const flaw: Finding | null =
      row === undefined
        ? { kind: "session", sessionId, seq: one.lastSeq, what: "missing" }
        : sessionFlaw(one, saidIn(row));
    if (flaw !== null) findings.push(flaw);
    if (findings.length >= FINDINGS_MAX) return findings;
  }
  return which === "all" ? [...findings, ...invented(db, told)].slice(0, FINDINGS_MAX) : findings;
}

async function toldIn(db: DatabaseSync, from: number, to: number): Promise<ReadonlyMap<string, SessionTold>> {
  const sessions = new Map<string, SessionTold>();
  for (const [seq, hash, text] of readRows(db, from, to)) {
    if (seq % ENTRIES_PER_TURN === 0) await turn();
    if (callIdTextIn(text) !== NO_CALL) continue;
    const entry = entryFromText(text, hash);
    const told = sessionToldBy(entry, sessions.get(entry.sessionId));
    if (told !== null) sessions.set(entry.sessionId, told);
  }
  return sessions;
}

function* invented(db: DatabaseSync, told: ReadonlyMap<string, SessionTold>): Generator<Finding> {
  for (const row of db.prepare("SELECT session_id FROM sessions").iterate()) {
    const sessionId = String(row["session_id"]);
    if (!told.has(sessionId)) yield { kind: "session", sessionId, seq: 0, what: "invented" };
  }
}

const saidIn = (row: Readonly<Record<string, unknown>>): SessionSaid => ({
  sessionId: String(row["session_id"]),
  project: String(row["project"]),
  parentId: row["parent_id"] === null ? null : String(row["parent_id"]),
  openedBy: String(row["opened_by"]),
  lease: toldOf(membersIn(row["lease"])),
  end: row["ended_as"] === null ? null : String(row["ended_as"]),
});

/** A lease as entries have it: its end is a date there. */
function toldOf(lease: ReturnType<typeof membersIn>): unknown {
  if (lease === null) return undefined;
  const { expiresAtMs = null } = lease;
  return { ...lease, expires: typeof expiresAtMs === "number" ? isoTime(expiresAtMs) : expiresAtMs };
}
