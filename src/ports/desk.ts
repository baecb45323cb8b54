import type { JudgedCall } from "../domain/call.ts";

export type Answer =
  | { readonly kind: "approve"; readonly who: string }
  | { readonly kind: "reject"; readonly who: string; readonly reason?: string }
  /** Nobody answered before the deadline. */
  | { readonly kind: "expired" }
  /** There is nobody who could be asked. */
  | { readonly kind: "nobody" }
  /** The caller went away. */
  | { readonly kind: "cancelled" };

/** Where questions are answered. */
export interface Desk {
  readonly ask: (call: JudgedCall, deadlineMs: number, signal: AbortSignal) => Promise<Answer>;
}
