import type { EntryDraft } from "../domain/entry.ts";
import type { Receipt, Refusal } from "../domain/outcome.ts";
import type { CallState } from "../domain/state.ts";

/** The row of a call that has none yet. */
export interface NewCall {
  readonly callId: string;
  readonly project: string;
  readonly sessionId: string;
  readonly owner: string;
  readonly host: string;
  readonly tool: string;
  readonly caller: "attended" | "detached";
}

/** One change of one call, with the entries that tell of it. All of it becomes durable, or none. */
export interface Change {
  readonly callId: string;
  readonly from: CallState | "received";
  readonly to: CallState;
  /** Given exactly when `from` is `received`. */
  readonly created?: NewCall;
  /** Asked for once, while the change is written. */
  readonly entries: () => readonly [EntryDraft, ...EntryDraft[]];
}

export type Committed =
  | { readonly kind: "committed" /** of the last entry */; readonly receipt: Receipt }
  | { readonly kind: "failed"; readonly refusal: Refusal };

/** The durable memory: state of calls and ledger, changed together. */
export interface Journal {
  readonly commit: (change: Change) => Promise<Committed>;
  readonly close: () => Promise<void>;
}
