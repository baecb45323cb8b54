import type { EntryDraft, EntryKind } from "../domain/entry.ts";
import { isoTime } from "../domain/iso-time.ts";
import type { JsonObject } from "../domain/json.ts";
import { LIMITS } from "../domain/limits.ts";
import type { EndedAs, StoredSession } from "../ports/sessions.ts";

/** What the ledger is told of a session. */
export const sessionEntry = (
  { actor, ...told }: Pick<EntryDraft, "at" | "kind" | "actor" | "body">,
  { id: sessionId, project }: Pick<StoredSession, "id" | "project">,
): EntryDraft => ({ ...told, project, sessionId, callId: null, actor: actor.toWellFormed(), planDigest: null });

const KINDS = {
  closed: "session.closed",
  expired: "lease.expired",
  revoked: "lease.revoked",
} as const satisfies Record<EndedAs, EntryKind>;

/** What it is told when one ends. Nobody gives a reason for what happens by itself. */
export const endOf = (
  { lease }: StoredSession,
  as: EndedAs,
  reason: string,
): { kind: EntryKind; body: JsonObject } => ({
  kind: KINDS[as],
  body:
    as === "expired"
      ? { leaseId: lease.id, expires: lease.expiresAtMs === null ? null : isoTime(lease.expiresAtMs) }
      : { reason: cut(reason, LIMITS.answerLength.maximum) },
});

export const cut = (text: string, max: number): string => [...text.toWellFormed()].slice(0, max).join("");
