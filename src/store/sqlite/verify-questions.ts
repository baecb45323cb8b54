import type { DatabaseSync } from "node:sqlite";
import { setImmediate as turn } from "node:timers/promises";
import { canonicalJson } from "../../domain/canonical-json.ts";
import type { Entry } from "../../domain/entry.ts";
import { callIdTextIn, entryFromText } from "../../ledger/chain.ts";
import type { Finding } from "../../ledger/finding.ts";
import { type QuestionSaid, questionFlaw } from "../../ledger/question-told.ts";
import { atOneMoment } from "./at-one-moment.ts";
import { prepared } from "./prepared.ts";
import { readRows } from "./segment.ts";
import { STATE_CODE } from "./state-code.ts";
import type { WhichCalls } from "./verify-calls.ts";

/** Of those that have their answer, the newest; each is looked up by itself. */
const ANSWERED_MAX = 1000;
const FINDINGS_MAX = 20;
/** More entries than one change of a call is told by. */
const CHANGE_ENTRIES = 8;

const QUESTIONS = `SELECT q.approval_id, q.call_id, q.deadline_ms + 0.0 AS deadline_ms, q.answer_seq + 0.0 AS answer_seq, q.answer, q.shown,
    c.state, c.first_seq + 0.0 AS first_seq FROM questions q LEFT JOIN calls c ON c.call_id = q.call_id`;

type Row = Readonly<Record<string, unknown>>;

/** Whether questions are as the entries tell of them: the open ones and the newest of the others, or all. */
export const verifyQuestions = (db: DatabaseSync, which: WhichCalls): Promise<readonly Finding[]> =>
  atOneMoment(db, () => flawsOfQuestions(db, which));

async function flawsOfQuestions(db: DatabaseSync, which: WhichCalls): Promise<readonly Finding[]> {
  const findings: Finding[] = [...goneQuestions(db)];
  for (const id of idsOf(db, which)) {
    if (findings.length >= FINDINGS_MAX) break;
    const row = prepared(db, `${QUESTIONS} WHERE q.id = ?`).get(id);
    const flaw = row === undefined ? null : flawOf(db, row);
    if (flaw !== null) findings.push(flaw);
    // What is shown may be megabytes long.
    await turn();
  }
  return findings.slice(0, FINDINGS_MAX);
}

function* idsOf(db: DatabaseSync, which: WhichCalls): Generator<number> {
  for (const row of db.prepare("SELECT id FROM questions WHERE answer_seq IS NULL ORDER BY id").all())
    yield Number(row["id"]);
  const most = which === "all" ? "" : `LIMIT ${ANSWERED_MAX}`;
  const answered = `SELECT id FROM questions WHERE answer_seq IS NOT NULL ORDER BY answer_seq DESC ${most}`;
  for (const row of db.prepare(answered).all()) yield Number(row["id"]);
}

function flawOf(db: DatabaseSync, row: Row): Finding | null {
  const said = saidIn(row);
  const { approvalId, callId, answerSeq } = said;
  if (row["first_seq"] === null) return { kind: "question", approvalId, callId, seq: answerSeq ?? 0, what: "call" };
  const [answered = null] = answerSeq === null ? [] : entriesAbout(db, callId, answerSeq, 1);
  return questionFlaw(said, { asked: askedIn(db, callId, Number(row["first_seq"])), answered });
}

/** Calls that wait for the answer to a question that is not there. */
function* goneQuestions(db: DatabaseSync): Generator<Finding> {
  const waiting = db.prepare(`SELECT call_id, first_seq + 0.0 AS first_seq FROM calls c
    WHERE state < 10 AND state = ${STATE_CODE.awaiting_approval} AND NOT EXISTS (SELECT 1 FROM questions q WHERE q.call_id = c.call_id)
    LIMIT ${FINDINGS_MAX}`);
  for (const row of waiting.all()) {
    const callId = String(row["call_id"]);
    const asked = askedIn(db, callId, Number(row["first_seq"]));
    const approvalId = asked?.body["approvalId"];
    if (asked !== null && typeof approvalId === "string")
      yield { kind: "question", approvalId, callId, seq: asked.seq, what: "missing" };
  }
}

const askedIn = (db: DatabaseSync, callId: string, firstSeq: number): Entry | null =>
  entriesAbout(db, callId, firstSeq, CHANGE_ENTRIES).find(({ body }) => body["decision"] === "ask") ?? null;

/** A number that only somebody else puts there finds nothing. */
function entriesAbout(db: DatabaseSync, callId: string, from: number, count: number): readonly Entry[] {
  if (!Number.isSafeInteger(from)) return [];
  const own = canonicalJson(callId);
  const rows = [...readRows(db, from, from + count - 1)].filter(([, , text]) => callIdTextIn(text) === own);
  return rows.map(([, hash, text]) => entryFromText(text, hash));
}

const saidIn = (row: Row): QuestionSaid => ({
  approvalId: String(row["approval_id"]),
  callId: String(row["call_id"]),
  isOpen: row["state"] === STATE_CODE.awaiting_approval,
  deadlineMs: Number(row["deadline_ms"]),
  shown: membersIn(row["shown"]) as QuestionSaid["shown"],
  answerSeq: row["answer_seq"] === null ? null : Number(row["answer_seq"]),
  answer: membersIn(row["answer"]) as QuestionSaid["answer"],
});

/** Null: they are none. */
export function membersIn(text: unknown): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(String(text));
    return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : null;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return null;
  }
}
