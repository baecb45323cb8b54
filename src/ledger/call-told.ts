import type { Entry, EntryKind } from "../domain/entry.ts";
import type { CallState } from "../domain/state.ts";
import type { CallFinding } from "./finding.ts";

interface Request {
  readonly seq: number;
  readonly tool: unknown;
  readonly project: string;
  readonly sessionId: string;
}

/** What entries tell of one call. */
export interface CallTold {
  /** Its request, where that is among them. */
  readonly first: Request | null;
  /** The last of them that moved the call; null: all are notes about it. */
  readonly lastSeq: number | null;
  /** What it may be by then; null: they don't tell. */
  readonly states: readonly string[] | null;
}

/** What the table of calls says of one. */
export interface CallSaid {
  readonly callId: string;
  readonly state: string;
  readonly tool: string;
  /** Null: the table says nothing of where it comes from. */
  readonly project: string | null;
  readonly sessionId: string | null;
  readonly firstSeq: number;
  readonly lastSeq: number;
}

/** Those that are written with a change of a call. All others are notes, which leave it where it is. */
const MOVES: ReadonlySet<EntryKind> = new Set([
  ...(["tool.requested", "tool.decided", "tool.started", "tool.executed"] as const),
  ...(["approval.given", "approval.answered", "approval.automatic"] as const),
]);

const ANSWERED: ReadonlyMap<unknown, CallState> = new Map([
  ["approve", "approved"],
  ["reject", "rejected"],
  ["expired", "expired"],
  ["cancelled", "cancelled"],
]);

/** With what one more entry tells. */
export function toldBy(entry: Entry, before: CallTold = NOTHING_TOLD): CallTold {
  if (!isMove(entry)) return before;
  const { seq, kind, body, project, sessionId } = entry;
  // Told beside what became of the call by it.
  if (kind === "approval.automatic") return { ...before, lastSeq: seq };
  const first = before.first ?? (kind === "tool.requested" ? { seq, tool: body["tool"], project, sessionId } : null);
  return { first, lastSeq: seq, states: statesAfter(entry) };
}

export const NOTHING_TOLD: CallTold = { first: null, lastSeq: null, states: null };

/** A second attempt is told in a note. */
export const isMove = ({ kind, body }: Entry): boolean =>
  MOVES.has(kind) && !(kind === "tool.started" && Number(body["attempt"]) > 1);

function statesAfter({ kind, body }: Entry): readonly string[] | null {
  switch (kind) {
    case "tool.decided":
      return statesDecided(body);
    case "tool.started":
      return ["executing"];
    case "tool.executed":
      return typeof body["outcome"] === "string" ? [body["outcome"]] : null;
    case "approval.given":
      return ["awaiting_approval"];
    case "approval.answered": {
      const state = ANSWERED.get(body["answer"]);
      return state === undefined ? null : [state];
    }
    default:
      return null;
  }
}

/** A question without an id was answered at once, and the call started with it; or was asked by the first version. */
function statesDecided({ decision, approvalId }: Entry["body"]): readonly CallState[] | null {
  switch (decision) {
    case "allow":
      return ["executing"];
    case "ask":
      return approvalId === undefined ? ["awaiting_approval", "executing"] : ["awaiting_approval"];
    case "deny":
      return ["refused", "cancelled"];
    default:
      return null;
  }
}

/** Where the table contradicts what the entries tell, the call's last one among them. */
export function callFlaw(told: CallTold, said: CallSaid): CallFinding | null {
  return requestFlaw(told, said) ?? lastFlaw(told, said);
}

export function requestFlaw({ first, lastSeq }: CallTold, said: CallSaid): CallFinding | null {
  if (first === null) return null;
  const { callId, firstSeq, tool, project, sessionId } = said;
  const flaw = { kind: "call", callId, seq: lastSeq ?? first.seq } as const;
  if (first.seq !== firstSeq) return { ...flaw, what: "first-entry", told: first.seq, said: firstSeq };
  if (first.tool !== tool) return { ...flaw, what: "tool", told: String(first.tool), said: tool };
  // INVARIANT (whose): by these a session sees what came of its calls, and no other's.
  if (first.sessionId !== sessionId) return { ...flaw, what: "session", told: first.sessionId, said: sessionId };
  return first.project === project ? null : { ...flaw, what: "project", told: first.project, said: project };
}

function lastFlaw({ lastSeq, states }: CallTold, { callId, ...said }: CallSaid): CallFinding | null {
  const flaw = { kind: "call", callId, seq: lastSeq ?? said.lastSeq } as const;
  if (said.lastSeq !== lastSeq) return { ...flaw, what: "last-entry", told: lastSeq, said: said.lastSeq };
  if (states === null || states.includes(said.state)) return null;
  return { ...flaw, what: "state", told: states.join(" or "), said: said.state };
}
