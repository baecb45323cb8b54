import type { Spending } from "../domain/budget.ts";
import { isoTime } from "../domain/iso-time.ts";
import type { JsonObject } from "../domain/json.ts";
import { type Lease, SCOPES, type Session } from "../domain/lease.ts";
import type { StoredSession } from "../ports/sessions.ts";

/** A lease as it stands in lists and in the ledger. */
export interface LeaseInfo extends Omit<Lease, "expiresAtMs" | "within"> {
  /** ISO 8601; null = it does not end. */
  readonly expires: string | null;
}

/** A session as people see it: without its token, and without the lease that its own lies within. */
export interface SessionInfo {
  readonly id: string;
  readonly project: string;
  /** `implicit`: what a local user has who opened none; it is there while its process is. */
  readonly kind: "implicit" | "opened";
  readonly label: string;
  readonly parentId: string | null;
  readonly lease: LeaseInfo;
  readonly openedBy: string;
  readonly openedAt: string;
  readonly renewedAt: string | null;
  /** Not `open`: the lease has run out, or one that it lies within has ended. */
  readonly state: "open" | "ended";
  /** What its calls have used up, and hold; null = its lease limits nothing, so nothing is counted. */
  readonly spent: Spending | null;
}

function leaseInfo(lease: Lease): LeaseInfo {
  const { id, budget, expiresAtMs } = lease;
  const scopes = Object.fromEntries(SCOPES.map((name) => [name, lease[name]])) as Pick<Lease, (typeof SCOPES)[number]>;
  return { id, ...scopes, budget, expires: expiresAtMs === null ? null : isoTime(expiresAtMs) };
}

export const leaseBody = (lease: Lease): JsonObject => leaseInfo(lease) as unknown as JsonObject;

export const sessionInfo = (
  session: StoredSession,
  { state, spent }: Pick<SessionInfo, "state" | "spent">,
): SessionInfo => ({
  id: session.id,
  project: session.project,
  kind: "opened",
  label: session.label,
  parentId: session.parentId,
  lease: leaseInfo(session.lease),
  openedBy: session.openedBy,
  openedAt: isoTime(session.openedMs),
  renewedAt: session.renewedMs === null ? null : isoTime(session.renewedMs),
  state,
  spent,
});

export const implicitInfo = ({ id, project, lease }: Session, openedBy: string, openedMs: number): SessionInfo => ({
  id,
  project,
  kind: "implicit",
  label: "",
  parentId: null,
  lease: leaseInfo(lease),
  openedBy,
  openedAt: isoTime(openedMs),
  renewedAt: null,
  state: "open",
  spent: null,
});
