import type { ShownPlan } from "../domain/question.ts";

/** Somebody who wants to answer, as far as their door has verified it. */
export interface Voter {
  /** `user:ann`, `admin`, `local:ann` */
  readonly who: string;
  readonly roles: readonly string[];
}

/** At the terminal of this machine, without a token. */
export const LOCAL_ROLES: readonly string[] = ["local"];

/** Why somebody may not answer a question; null = they may. Looked at when they answer, by the roles that they have then. */
export function whyNotEligible(
  { approvers = [], actor, openedBy = [] }: Pick<ShownPlan, "approvers" | "actor" | "openedBy">,
  voter: Voter,
): string | null {
  for (const { ruleId, roles, users, requester } of approvers) {
    if (requester === "never" && personOf(voter.who) === personOf(actor))
      return `the rule \`${ruleId}\` wants somebody else than who made the call`;
    // An agent answers nothing: with its token in their hand, who opened its session would answer themselves.
    if (requester === "never" && openedBy.some((opener) => personOf(voter.who) === personOf(opener)))
      return `the rule \`${ruleId}\` wants somebody else than who opened the session that the call was made in`;
    if (roles === null || users === null) continue;
    if (!isNamed(users, voter.who) && !hasOne(roles, voter.roles)) {
      const wanted = [...roles.map((role) => `role \`${role}\``), ...users.map((user) => `\`${user}\``)];
      return wanted.length === 0
        ? `the rule \`${ruleId}\` lets nobody answer`
        : `the rule \`${ruleId}\` wants to hear ${wanted.join(" or ")}`;
    }
  }
  return null;
}

/**
 * Whoever is at this machine can read `admin.token`: the administrator and the local user are one person, by whichever
 * door they come.
 */
export const personOf = (who: string): string => (who === "admin" || who.startsWith("local:") ? "admin" : who);

/** How many different people have to say yes. */
export const peopleNeeded = ({ approvers = [] }: Pick<ShownPlan, "approvers">): number =>
  Math.max(1, ...approvers.map(({ people }) => people));

const isNamed = (users: readonly string[], who: string): boolean =>
  users.some((user) => who === user || who === `user:${user}`);

/** The administrator stands in for any role; a list without any is for nobody. */
const hasOne = (wanted: readonly string[], roles: readonly string[]): boolean =>
  wanted.some((role) => roles.includes(role) || roles.includes("admin"));
