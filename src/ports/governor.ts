import type { GovernorSays } from "../domain/feedback.ts";
import type { JsonObject } from "../domain/json.ts";

/** Something that looks at every call and may object: a script, a service, or a function of the program. */
export interface Governor {
  readonly id: string;
  /** A yes of this one is not enough: a person has to look all the same. */
  readonly requiresManual: boolean;
  /** Never rejects: whatever goes wrong is an `error`. The signal ends the asking. */
  readonly ask: (question: JsonObject, signal: AbortSignal) => Promise<GovernorSays>;
}

/** Those that are in force now, and how their words are taken. */
export interface Governors {
  readonly governors: readonly Governor[];
  /** One after the other until one objects, instead of all at once. */
  readonly stopOnFirstReject: boolean;
  /** Whether the yes of all of them answers a question; otherwise they can only object. */
  readonly autoDecision: "all_approve" | null;
}
