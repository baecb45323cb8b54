import type { JsonValue } from "../domain/json.ts";
import type { Outcome } from "../domain/outcome.ts";

/** How a call ended, for those who ask later. Without secrets, like everything that leaves the gate. */
export interface KeptOutcome {
  readonly outcome: Outcome;
  /** The arguments as they may be shown. */
  readonly params: JsonValue;
}

/** What the ledger has only the digest of. Never needed to decide anything: one that is gone is gone. */
export interface Outcomes {
  readonly keep: (callId: string, kept: KeptOutcome) => Promise<void>;
  readonly find: (callId: string) => Promise<KeptOutcome | null>;
  /** Lets the oldest go where there are too many. */
  readonly sweep: () => Promise<void>;
  readonly close: () => void;
}
