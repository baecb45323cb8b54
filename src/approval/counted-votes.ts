import type { Question } from "../domain/question.ts";
import { personOf, whyNotEligible } from "./eligible.ts";

/** The roles that somebody has now; null = nobody who may answer questions, any more. */
export type RolesOf = (who: string) => readonly string[] | null;

/**
 * Of the people who have said yes, those whose yes counts now. INVARIANT (revoked at once): a yes stays recorded, and counts
 * for as long as who gave it might give it again. `voter` has just been let in by their door; null = nobody votes now.
 */
export function countedVotes({ votes, shown }: Question, voter: string | null, rolesOf: RolesOf): readonly string[] {
  const counted = votes.filter((who) => {
    if (voter !== null && personOf(who) === personOf(voter)) return true;
    const roles = rolesOf(who);
    return roles !== null && whyNotEligible(shown, { who, roles }) === null;
  });
  return counted.filter((who, at) => counted.findIndex((other) => personOf(other) === personOf(who)) === at);
}
