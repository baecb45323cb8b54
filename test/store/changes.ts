import type { Digest } from "../../src/domain/digest.ts";
import type { EntryDraft } from "../../src/domain/entry.ts";
import type { CallState } from "../../src/domain/state.ts";
import type { Change, Committed, Journal, NewCall } from "../../src/ports/journal.ts";

export const PLAN = "ab".repeat(32) as Digest;

export const draftFor = (callId: string, over: Partial<EntryDraft> = {}): EntryDraft => ({
  at: "2026-11-15T21:00:00.000Z",
  kind: "tool.requested",
  project: "default",
  sessionId: "session_1",
  callId,
  actor: "local:tester",
  planDigest: PLAN,
  body: { tool: "count" },
  ...over,
});

const newCall = (callId: string, over: Partial<NewCall> = {}): NewCall => ({
  callId,
  project: "default",
  sessionId: "session_1",
  owner: "owner_a",
  host: "here",
  tool: "count",
  caller: "attended",
  ...over,
});

interface Parts {
  readonly call?: Partial<NewCall>;
  readonly entries?: readonly Partial<EntryDraft>[];
}

/** The first change of a call. */
export const first = (callId: string, to: CallState, { call, entries }: Parts = {}): Change => ({
  callId,
  from: "received",
  to,
  created: newCall(callId, call),
  entries: entriesFor(callId, entries),
});

export const next = (callId: string, from: CallState, to: CallState, { entries }: Parts = {}): Change => ({
  callId,
  from,
  to,
  entries: entriesFor(callId, entries),
});

const entriesFor =
  (callId: string, drafts: readonly Partial<EntryDraft>[] = [{}]): Change["entries"] =>
  () =>
    drafts.map((draft) => draftFor(callId, draft)) as [EntryDraft, ...EntryDraft[]];

/** How a call gets into each state. */
export const PATHS: Record<CallState, readonly CallState[]> = {
  awaiting_approval: ["awaiting_approval"],
  approved: ["awaiting_approval", "approved"],
  executing: ["executing"],
  completed: ["executing", "completed"],
  failed: ["executing", "failed"],
  timed_out: ["executing", "timed_out"],
  cancelled: ["cancelled"],
  refused: ["refused"],
  rejected: ["awaiting_approval", "rejected"],
  expired: ["awaiting_approval", "expired"],
  unknown: ["executing", "unknown"],
};

/** Brings a call into a state by the shortest way. */
export async function bring(journal: Journal, callId: string, state: CallState, call: Partial<NewCall> = {}) {
  let from: CallState | null = null;
  for (const to of PATHS[state]) {
    const change: Change = from === null ? first(callId, to, { call }) : next(callId, from, to);
    mustCommit(await journal.commit(change));
    from = to;
  }
}

export function mustCommit(committed: Committed) {
  if (committed.kind === "failed") throw new Error(`${committed.refusal.code}: ${committed.refusal.message}`);
  return committed.receipt;
}

/** `committed`, or the code of the refusal: what the tables compare. */
export const codeOf = (committed: Committed): string =>
  committed.kind === "committed" ? "committed" : committed.refusal.code;
