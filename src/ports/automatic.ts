import type { AutomaticAnswer } from "../domain/automatic-answer.ts";
import type { JudgedCall } from "../domain/call.ts";
import type { Now } from "../domain/now.ts";

/** Automatic answers to calls: auto-approvals and governors. */
export interface Automatic {
  /** Null: there is nobody to be heard about it. Never rejects. */
  readonly hear: (call: JudgedCall, signal: AbortSignal) => Now<AutomaticAnswer> | null;
}
