import type { Risk } from "../domain/call.ts";
import type { Entry } from "../domain/entry.ts";
import type { JsonValue } from "../domain/json.ts";
import type { Outcome } from "../domain/outcome.ts";
import type { CallState } from "../domain/state.ts";
import type { CallRecord } from "../ports/journal-view.ts";

/** All that is known of a call. */
export interface Execution extends CallRecord {
  readonly actor: string;
  readonly risk: Risk | null;
  /** Of what was judged, and of its arguments. Null: it never came to that. */
  readonly planDigest: string | null;
  readonly inputDigest: string | null;
  /** Null: it did not end badly, or has not ended. */
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly durationMs: number | null;
  readonly createdAt: string | null;
  readonly approvedAt: string | null;
  readonly completedAt: string | null;
  /** Null: not kept, or it has not ended. */
  readonly outcome: Outcome | null;
  readonly params: JsonValue;
}

export interface ExecutionPage {
  readonly executions: readonly Execution[];
  /** Null: there are no more. */
  readonly next: string | null;
}

/** What the ledger tells of a call; the outcome and the arguments are kept elsewhere. */
export function executionFrom(record: CallRecord, entries: readonly Entry[]): Omit<Execution, "outcome" | "params"> {
  const last = (...kinds: readonly Entry["kind"][]) => entries.findLast(({ kind }) => kinds.includes(kind));
  const decided = last("tool.decided");
  const answered = last("approval.answered");
  const executed = last("tool.executed");
  const refused = entries.findLast(({ kind, body }) => kind === "tool.decided" && body["decision"] === "deny");
  const risk = entries.find(({ body }) => typeof body["risk"] === "string")?.body["risk"];
  const isApproved = answered?.body["answer"] === "approve" || decided?.body["decision"] === "allow";
  const end = isOver(record.state) ? (executed ?? refused ?? answered) : undefined;
  return {
    ...record,
    actor: entries[0]?.actor ?? "",
    planDigest: entries.findLast(({ planDigest }) => planDigest !== null)?.planDigest ?? null,
    inputDigest: textOf(last("tool.requested")?.body["inputDigest"]),
    risk: (risk as Risk | undefined) ?? null,
    error: errorFrom(record.state, end),
    durationMs: typeof executed?.body["durationMs"] === "number" ? executed.body["durationMs"] : null,
    createdAt: entries[0]?.at ?? null,
    approvedAt: isApproved ? ((answered ?? decided)?.at ?? null) : null,
    completedAt: end?.at ?? null,
  };
}

const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null);

const OPEN: readonly CallState[] = ["awaiting_approval", "approved", "executing"];
export const isOver = (state: CallState): boolean => !OPEN.includes(state);

function errorFrom(state: CallState, end: Entry | undefined): Execution["error"] {
  if (end === undefined || state === "completed") return null;
  const { code, message, reason } = end.body;
  const said = [message, reason].find((text) => typeof text === "string");
  return {
    code: typeof code === "string" ? code : (ANSWER_CODE[state] ?? "FAULT"),
    message: said ?? WORDS[state] ?? "",
  };
}

const ANSWER_CODE: Partial<Record<CallState, string>> = {
  rejected: "APPROVAL_REJECTED",
  expired: "APPROVAL_EXPIRED",
  cancelled: "CANCELLED",
};

const WORDS: Partial<Record<CallState, string>> = {
  rejected: "a person said no",
  expired: "nobody answered in time",
  cancelled: "the call was cancelled",
  failed: "the tool failed",
  timed_out: "the tool did not end in time",
  unknown: "the call was started and its end is not known",
};
