import type { Digest } from "../domain/digest.ts";
import type { Outcome, Receipt, Refusal } from "../domain/outcome.ts";
import type { CallState } from "../domain/state.ts";

/** The key of a call, and whose it is: the same key of another caller is another key. */
export interface KeyName {
  readonly scope: string;
  /** In the store, always as `Keys.hashed` gives it. */
  readonly key: string;
}

/** A key that stands for one call. */
export interface KeyClaim extends KeyName {
  readonly callId: string;
  readonly owner: string;
  /** Of the tool and its arguments. */
  readonly inputHash: Digest;
  /** Of the rules and the lease that it was made under. */
  readonly underHash: string;
  readonly expiresMs: number;
}

export interface ClaimedKey extends KeyClaim {
  /** Null: the call is not in the journal yet, so nothing of it has run. */
  readonly state: CallState | null;
  /** Null: it has not ended, or nobody was there to see how. */
  readonly outcome: Omit<Outcome, "receipt"> | null;
  /** Of the last entry about it. */
  readonly receipt: Receipt | null;
}

export type Claimed =
  | { readonly kind: "claimed" }
  | { readonly kind: "taken"; readonly by: ClaimedKey }
  | { readonly kind: "failed"; readonly refusal: Refusal };

/** Keys of calls. INVARIANT (one call a key): of all processes that claim a key exactly one gets it. */
export interface Keys {
  /**
   * What stands for a key in the store and in the ledger: a keyed hash, because callers use as keys whatever they have at hand.
   * A refusal if the journal can't be opened.
   */
  readonly hashed: (name: KeyName) => Promise<string | { readonly refusal: Refusal }>;
  readonly claim: (claim: KeyClaim, nowMs: number) => Promise<Claimed>;
  /** As it is now; what became of calls whose process is gone is settled first. Null: nobody has it. */
  readonly find: (name: KeyName) => Promise<ClaimedKey | null>;
  /** Of a call that could not be recorded, and so never was. */
  readonly release: (callId: string) => Promise<void>;
}
