import type { Digest } from "../domain/digest.ts";
import type { Outcome, Receipt, Refusal } from "../domain/outcome.ts";
import type { CallState } from "../domain/state.ts";

/** A key, as its caller names it, and who that caller is: other callers' keys are others. */
export interface KeyName {
  readonly scope: string;
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
  readonly claim: (claim: KeyClaim, nowMs: number) => Promise<Claimed>;
  /** As it is now; what became of calls whose process is gone is settled first. Null: nobody has it. */
  readonly find: (name: KeyName) => Promise<ClaimedKey | null>;
  /** Of a call that could not be recorded, and so never was. */
  readonly release: (callId: string) => Promise<void>;
}
