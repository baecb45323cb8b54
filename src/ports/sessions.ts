import type { EntryDraft } from "../domain/entry.ts";
import type { Lease } from "../domain/lease.ts";

/** How a session ended: its holder was done, somebody took its rights back, or its lease has run out. */
export type EndedAs = "closed" | "revoked" | "expired";

/** A session as the store has it. The lease is its own, without that of the session above it. */
export interface StoredSession {
  readonly id: string;
  readonly project: string;
  /** The session whose lease this one's lies within. */
  readonly parentId: string | null;
  /** SHA-256 of the token, which is nowhere. */
  readonly tokenHash: Uint8Array;
  readonly lease: Lease;
  readonly label: string;
  readonly openedBy: string;
  readonly openedMs: number;
  readonly renewedMs: number | null;
  readonly ended: { readonly as: EndedAs; readonly atMs: number } | null;
}

/** What becomes of one session. Only an open one can be renewed or ended, and only below an open one can one be opened. */
export interface SessionChange {
  readonly sessionId: string;
  readonly change:
    | { readonly kind: "open"; readonly session: StoredSession }
    /** `renewedMs`: of the lease that the new one lies within. */
    | { readonly kind: "renew"; readonly lease: Lease; readonly atMs: number; readonly renewedMs: number | null }
    | { readonly kind: "end"; readonly as: Exclude<EndedAs, "expired">; readonly atMs: number }
    /** `renewedMs`: when the lease that has run out was renewed last. One that was renewed since has not. */
    | { readonly kind: "expire"; readonly atMs: number; readonly renewedMs: number | null };
  readonly entries: () => readonly [EntryDraft];
}

/** What the journal knows of sessions. They are changed through `Journal.changeSession`. */
export interface StoredSessions {
  /**
   * As it is now, whoever changed it last; the same object while nothing about it changed. Each call asks, so it does not
   * wait. Null: there is none. Throws where the journal can't be read.
   */
  readonly find: (sessionId: string) => StoredSession | null;
  /** Open ones of a project, by id; `after` is the last id of the page before. */
  readonly open: (
    project: string,
    page: { readonly limit: number; readonly after?: string },
  ) => Promise<readonly StoredSession[]>;
}
