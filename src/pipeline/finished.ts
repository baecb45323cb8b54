import type { Completed, Failed, Unknown } from "../domain/outcome.ts";
import type { CallState } from "../domain/state.ts";

/** An outcome that is not recorded yet: it gets its receipt, or it does not leave the gate. */
export type Unrecorded = Omit<Completed, "receipt"> | Omit<Failed, "receipt"> | Omit<Unknown, "receipt">;

export interface Finished {
  readonly state: CallState;
  /** Gives the whole result without secrets as JSON, whose digest the ledger gets. Null = there is no result. */
  readonly resultText: (() => string) | null;
  readonly outcome: Unrecorded;
}
