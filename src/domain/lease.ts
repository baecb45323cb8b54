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
}

export interface Session {
  readonly id: string;
  readonly project: string;
  readonly lease: Lease;
  /** It was opened with a token: its lease is the one that the store has now, whatever this copy says. */
  readonly isOpened?: true;
}

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
