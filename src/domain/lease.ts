/** INVARIANT (empty means none): an empty list grants nothing; only the word `everything` grants everything. */
export type Scope = "everything" | readonly string[];

/** What a session may do, until when. A value: it is copied, compared and narrowed, never changed. */
export interface Lease {
  readonly id: string;
  readonly tools: Scope;
  readonly read: Scope;
  /** Covers writing and deleting. */
  readonly write: Scope;
  readonly expiresAtMs: number | null;
}

export interface Session {
  readonly id: string;
  readonly project: string;
  readonly lease: Lease;
}

/** The lease of a local user who was given none. */
export const EVERYTHING: Lease = {
  id: "everything",
  tools: "everything",
  read: "everything",
  write: "everything",
  expiresAtMs: null,
};
