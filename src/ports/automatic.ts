import type { AutomaticAnswer } from "../domain/automatic-answer.ts";
import type { JudgedCall } from "../domain/call.ts";

/** Automatic answers to calls: auto-approvals and governors. */
export interface Automatic {
  /** Null: there is nobody to be heard about it. Never rejects. */
  readonly hear: (call: JudgedCall, signal: AbortSignal) => Promise<AutomaticAnswer> | null;
}
