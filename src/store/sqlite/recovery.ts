import type { DatabaseSync } from "node:sqlite";
import type { Digest } from "../../domain/digest.ts";
import type { CallState } from "../../domain/state.ts";
import { entryFromText } from "../../ledger/chain.ts";
import type { Change } from "../../ports/journal.ts";

interface OpenCall {
  readonly callId: string;
  readonly state: CallState;
  readonly owner: string;
  readonly caller: string;
  readonly lastSeq: number;
}

/** The open calls of owners that are gone. */
export function abandonedCalls(
  db: DatabaseSync,
  owner: string,
  isAlive: (owner: string) => boolean,
): readonly OpenCall[] {
  const rows = db
    .prepare(
      `SELECT call_id, state, owner, caller, last_seq FROM calls
       WHERE state IN ('awaiting_approval', 'approved', 'executing') AND owner <> ?`,
    )
    .all(owner)
    .map((row) => ({
      callId: String(row["call_id"]),
      state: String(row["state"]) as CallState,
      owner: String(row["owner"]),
      caller: String(row["caller"]),
      lastSeq: Number(row["last_seq"]),
    }));
  const gone = new Map([...new Set(rows.map((row) => row.owner))].map((name) => [name, !isAlive(name)]));
  return rows.filter((row) => gone.get(row.owner));
}

/** What becomes of an abandoned call. INVARIANT (never again): one that was started is `unknown`, and is not run again. */
export function settled(db: DatabaseSync, call: OpenCall, at: string): Change | null {
  const to = nextState(call);
  if (to === null) return null;
  const { project, sessionId, actor, planDigest } = lastEntry(db, call.lastSeq);
  const body = {
    outcome: to,
    code: to === "unknown" ? "OUTCOME_UNKNOWN" : "CANCELLED",
    durationMs: null,
    resultDigest: null,
  };
  return {
    callId: call.callId,
    from: call.state,
    to,
    entries: () => [{ at, kind: "tool.executed", project, sessionId, callId: call.callId, actor, planDigest, body }],
  };
}

/** A question of a detached caller stays open for whoever answers it; an attended one's caller is gone. */
function nextState(call: OpenCall): CallState | null {
  if (call.state === "executing") return "unknown";
  return call.caller === "attended" ? "cancelled" : null;
}

function lastEntry(db: DatabaseSync, seq: number) {
  const row = db.prepare("SELECT text FROM entries WHERE seq = ?").get(seq);
  return entryFromText(String(row?.["text"]), "" as Digest);
}

/** The calls of this process whose end could not be written when it came. */
export function callsOf(db: DatabaseSync, callIds: Iterable<string>): readonly OpenCall[] {
  const find = db.prepare("SELECT state, owner, caller, last_seq FROM calls WHERE call_id = ?");
  return [...callIds].flatMap((callId) => {
    const row = find.get(callId);
    if (row?.["state"] !== "executing") return [];
    return [
      {
        callId,
        state: "executing",
        owner: String(row["owner"]),
        caller: String(row["caller"]),
        lastSeq: Number(row["last_seq"]),
      },
    ];
  });
}
