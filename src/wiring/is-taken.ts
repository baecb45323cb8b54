import type { Outcome } from "../domain/outcome.ts";

/** Somebody else was faster to go on with the call: what becomes of it is theirs to tell, and to keep. */
export const isTaken = (outcome: Outcome | null): boolean =>
  outcome?.kind === "refused" && outcome.refusal.code === "ILLEGAL_TRANSITION";
