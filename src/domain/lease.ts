import type { Budget } from "./budget.ts";
import { UNLIMITED } from "./budget.ts";

/** INVARIANT (empty means none): an empty list grants nothing; only the word `everything` grants everything. */
export type Scope = "everything" | readonly string[];

/** The parts of a lease that say what may be touched. */
export const SCOPES = ["tools", "read", "write", "hosts", "commands", "models"] as const;

export type ScopeName = (typeof SCOPES)[number];

/** What a session may do, until when and how much. A value: it is copied, compared and narrowed, never changed. */
export interface Lease extends Readonly<Record<ScopeName, Scope>> {
  readonly id: string;
  /** Names of tools; `*` stands for any characters. */
  readonly tools: Scope;
  readonly read: Scope;
  /** Covers writing and deleting. */
  readonly write: Scope;
  /** `host:port`, as rules write it. */
  readonly hosts: Scope;
  /** Commands word by word, as rules write them; `git` operations are among them. */
  readonly commands: Scope;
  /** `provider/model`; `*` stands for any characters. */
  readonly models: Scope;
  readonly expiresAtMs: number | null;
  readonly budget: Budget;
  /** The folder that `./` means in it, by its real path. INVARIANT (its own workspace): it is worth nothing in another. */
  readonly workspace?: string;
  /** INVARIANT (never wider): a child's lease holds its parent's, and covers only what both cover. */
  readonly within?: Lease;
  /** Why it covers no more, and what to do about that, where it is not to ask for a wider one. */
  readonly narrow?: { readonly because: string; readonly hint: string };
}

export interface Session {
  readonly id: string;
  readonly project: string;
  readonly lease: Lease;
  /** It was opened with a token: its lease is the one that the store has now, whatever this copy says. */
  readonly isOpened?: true;
  /** Of a session that was opened: what else binds a connection that calls in it. Both have to cover a call. */
  readonly narrowed?: Lease;
  /** What binds such a connection by now, beside all that: it may be less than when a call came. Null: nothing more. */
  readonly narrowedSince?: () => Lease | null;
}

/** The same session, for a connection that may do less in it. */
export const narrowedTo = (session: Session, lease: Lease): Session =>
  session.isOpened === true ? { ...session, narrowed: lease } : { ...session, lease: nested(lease, session.lease) };

/** By the name and the end of the outer one, which is what rules know it by; the lease of a local user has neither. */
export const nested = (lease: Lease, within: Lease): Lease =>
  within === EVERYTHING ? lease : { ...lease, id: within.id, expiresAtMs: within.expiresAtMs, within };

/** The lease of a local user who was given none. */
export const EVERYTHING: Lease = {
  id: "everything",
  tools: "everything",
  read: "everything",
  write: "everything",
  hosts: "everything",
  commands: "everything",
  models: "everything",
  expiresAtMs: null,
  budget: UNLIMITED,
};

/** The lease itself, then those that it lies within. */
export function* leaseChain(lease: Lease): Generator<Lease> {
  for (let one: Lease | undefined = lease; one !== undefined; one = one.within) yield one;
}
