import type { Digest } from "../../src/domain/digest.ts";
import type { EntryDraft } from "../../src/domain/entry.ts";
import { EVERYTHING } from "../../src/domain/lease.ts";
import type { Answered, KeptCall, NewQuestion } from "../../src/domain/question.ts";
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

export const newCall = (callId: string, over: Partial<NewCall> = {}): NewCall => ({
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

/** The call as it came, with a value in it that nobody else may keep. */
export const keptCall = (secret = "the input"): KeptCall => ({
  toolName: "count",
  rawInput: { secret },
  session: { id: "session_1", project: "default", lease: EVERYTHING },
  actor: "local:tester",
  receivedAtMs: 1,
});

/** The question that the call with this id raises. */
export const questionOf = (callId: string, over: Partial<NewQuestion> = {}): NewQuestion => ({
  approvalId: `q_${callId}`,
  project: "default",
  deadlineMs: 9_000_000_000_000,
  shown: {
    digest: PLAN,
    planDigest: PLAN,
    plan: {
      containment: "process",
      definitionDigest: PLAN,
      host: "here",
      input: { shown: true },
      operands: [],
      timeoutMs: 1000,
      tool: "count",
      touches: [{ kind: "unknown", reason: "a function" }],
      workspace: "/w",
    },
    risk: "LOW",
    ruleId: "ask",
    touches: [],
    reasons: ["people decide"],
    actor: "local:tester",
  },
  kept: keptCall(),
  ...over,
});

/** A new call whose caller does not wait, with its question. */
export const asked = (callId: string, over: Partial<NewQuestion> = {}, parts: Parts = {}): Change => ({
  ...first(callId, "awaiting_approval", { ...parts, call: { caller: "detached", ...parts.call } }),
  question: questionOf(callId, over),
});

const AFTER = { approve: "approved", reject: "rejected", expired: "expired", cancelled: "cancelled" } as const;

/** How a question ends. */
export const answered = (callId: string, answer: Answered): Change => ({
  ...next(callId, "awaiting_approval", AFTER[answer.kind], { entries: [{ kind: "approval.answered" }] }),
  answer,
});

/** The first change of a call. */
export const first = (callId: string, to: CallState, { call, entries }: Parts = {}): Change => ({
  callId,
  from: "received",
  to,
  created: newCall(callId, call),
  entries: entriesFor(callId, entries),
});

export const next = (
  callId: string,
  from: CallState,
  to: CallState,
  { entries }: Parts = {},
): Exclude<Change, { created: NewCall }> => ({
  callId,
  from,
  to,
  entries: entriesFor(callId, entries),
  // Nobody passes over a question.
  ...(from === "awaiting_approval" && to === "approved" && { answer: { kind: "approve", who: "ann" } }),
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
