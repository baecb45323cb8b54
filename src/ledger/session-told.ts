import type { Entry, EntryKind } from "../domain/entry.ts";
import type { SessionFinding } from "./finding.ts";
import { mayBe } from "./may-be.ts";

/** What entries tell of a session that was opened. */
export interface SessionTold {
  readonly lastSeq: number;
  /** Null: its opening is not among them. */
  readonly opened: (Pick<Entry, "actor" | "project"> & { readonly parentId: unknown }) | null;
  /** As it was last written; undefined: not among them. */
  readonly lease: unknown;
  /** Null: it has not ended by then. */
  readonly end: string | null;
}

/** What is kept of one. */
export interface SessionSaid {
  readonly sessionId: string;
  readonly project: string;
  readonly parentId: string | null;
  readonly openedBy: string;
  /** Undefined: what is kept is none. */
  readonly lease: unknown;
  readonly end: string | null;
}

const ENDS: ReadonlyMap<EntryKind, string> = new Map([
  ["session.closed", "closed"],
  ["lease.revoked", "revoked"],
  ["lease.expired", "expired"],
]);

const NOTHING: Omit<SessionTold, "lastSeq"> = { opened: null, lease: undefined, end: null };

/** With what one more entry tells. Null: nothing of a session. */
export function sessionToldBy(entry: Entry, before: SessionTold | undefined): SessionTold | null {
  const { seq, kind, body, actor, project } = entry;
  const known = { ...NOTHING, ...before, lastSeq: seq };
  const end = ENDS.get(kind);
  if (end !== undefined) return { ...known, end };
  if (kind === "lease.renewed") return { ...known, lease: body["lease"] };
  if (kind !== "session.opened") return null;
  return { ...known, opened: { actor, project, parentId: body["parentId"] ?? null }, lease: body["lease"] };
}

/** Where what is kept contradicts them. */
export function sessionFlaw(
  { lastSeq: seq, opened, lease, end }: SessionTold,
  said: SessionSaid,
): SessionFinding | null {
  const flaw = { kind: "session", sessionId: said.sessionId, seq } as const;
  if (end !== said.end && (end !== null || opened !== null || lease !== undefined)) return { ...flaw, what: "end" };
  if (lease !== undefined && !mayBe(lease, said.lease)) return { ...flaw, what: "lease" };
  if (opened === null) return null;
  const { project, actor, parentId } = opened;
  const isSame = mayBe(project, said.project) && mayBe(actor, said.openedBy) && parentId === said.parentId;
  return isSame ? null : { ...flaw, what: "opened" };
}
