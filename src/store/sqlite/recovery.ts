import type { DatabaseSync } from "node:sqlite";
import type { CallState } from "../../domain/state.ts";
import { entryFromText } from "../../ledger/chain.ts";
import type { Change } from "../../ports/journal.ts";
import { rowAt } from "./segment.ts";
import { ENDED_FROM, STATE_CODE, stateFromCode } from "./state-code.ts";

interface OpenCall {
  readonly callId: string;
  readonly state: CallState;
  readonly owner: string;
  readonly caller: string;
  readonly lastSeq: number;
}

const OPEN_CALLS = `SELECT call_id, state, owner, caller, last_seq FROM calls JOIN origins ON id = origin`;

/** By the index of open calls: the others, which wait for anybody, are not looked at. */
const BEGUN = `${OPEN_CALLS} WHERE state < ${ENDED_FROM} AND state = ${STATE_CODE.executing} AND owner <> ?1`;
const ATTENDED = `${OPEN_CALLS} WHERE state < ${ENDED_FROM} AND state IN (${STATE_CODE.awaiting_approval}, ${STATE_CODE.approved})
  AND origin IN (SELECT id FROM origins WHERE caller = 'attended' AND owner <> ?1)`;

/** The open calls of owners that are gone, without those that wait for anybody: there may be very many of them. */
export function abandonedCalls(
  db: DatabaseSync,
  owner: string,
  isAlive: (owner: string) => boolean,
): readonly OpenCall[] {
  const rows = [BEGUN, ATTENDED].flatMap((sql) => db.prepare(sql).all(owner).map(openCall));
  const gone = new Map([...new Set(rows.map((row) => row.owner))].map((name) => [name, !isAlive(name)]));
  return rows.filter((row) => gone.get(row.owner));
}

/** What becomes of an abandoned call. INVARIANT (never again): one that was started is `unknown`, and is not run again. */
export function settled(db: DatabaseSync, call: OpenCall, at: string): Change | null {
  const to = nextState(call);
  if (to === null) return null;
  const { callId, state: from } = call;
  const { project, sessionId, actor, planDigest } = lastEntry(db, call.lastSeq);
  const body = {
    budgetConsumed: from === "executing" ? 1 : 0,
    outcome: to,
    code: to === "unknown" ? "OUTCOME_UNKNOWN" : "CANCELLED",
    durationMs: null,
    resultDigest: null,
  };
  return {
    callId,
    from,
    to,
    entries: () => [{ at, kind: "tool.executed", project, sessionId, callId, actor, planDigest, body }],
    ...(from === "awaiting_approval" && { answer: { kind: "cancelled" } }),
    ...(from === "executing" && { spent: "held" as const }),
  };
}

/** The calls of this process whose end could not be written when it came. */
export function callsOf(db: DatabaseSync, callIds: Iterable<string>): readonly OpenCall[] {
  const find = db.prepare(`${OPEN_CALLS} WHERE call_id = ?`);
  return [...callIds]
    .map((callId) => find.get(callId))
    .filter((row) => row !== undefined)
    .map(openCall)
    .filter(({ state }) => state === "executing");
}

const openCall = (row: Record<string, unknown>): OpenCall => ({
  callId: String(row["call_id"]),
  state: stateFromCode(row["state"]),
  owner: String(row["owner"]),
  caller: String(row["caller"]),
  lastSeq: Number(row["last_seq"]),
});

/** A question of a detached caller stays open for whoever answers it; an attended one's caller is gone. */
function nextState(call: OpenCall): CallState | null {
  if (call.state === "executing") return "unknown";
  return call.caller === "attended" ? "cancelled" : null;
}

function lastEntry(db: DatabaseSync, seq: number) {
  const row = rowAt(db, seq);
  if (row === null) throw new RangeError(`entry ${seq} of the ledger is gone`);
  return entryFromText(row[2], row[1]);
}
