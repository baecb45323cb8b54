import type { AutomaticAnswer } from "../domain/automatic-answer.ts";
import type { JudgedCall } from "../domain/call.ts";
import type { Digest } from "../domain/digest.ts";

/** Automatic answers to calls: auto-approvals and governors. */
export interface Automatic {
  /** Null: there is nobody to be heard about it. Never rejects. */
  readonly hear: (call: JudgedCall, signal: AbortSignal) => Promise<AutomaticAnswer> | null;
  /** Who would be heard, in words, and who would answer. Nobody is asked. */
  readonly foresee: (call: JudgedCall) => Promise<readonly string[]>;
  /** Of those who would be heard now: who was heard before is somebody else if it differs. Null: nobody. */
  readonly hash: () => Digest | null;
  /** Whether there are governors now: nothing runs that they have not been told of. */
  readonly isGoverned: () => boolean;
}
