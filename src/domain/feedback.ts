import type { Digest } from "./digest.ts";
import type { JsonObject } from "./json.ts";

/** What a governor may say. `error`: it said nothing that can be understood, or nothing in time. */
export type FeedbackStatus = "approve" | "reject" | "needs_attention" | "error";

/** What a governor said about a call. */
export interface GovernorSays {
  readonly status: FeedbackStatus;
  readonly messages: readonly string[];
  readonly optionId?: string | undefined;
  readonly score?: number | undefined;
  readonly metadata?: JsonObject | undefined;
}

/** The same as it is recorded: who said it, about what, and how long it took. */
export interface Feedback extends GovernorSays {
  readonly id: string;
  /** A yes of this one is not enough: a person has to look all the same. */
  readonly requiresManual: boolean;
  /** Of the canonical JSON that it was asked with. */
  readonly inputHash: Digest;
  readonly latencyMs: number;
}
