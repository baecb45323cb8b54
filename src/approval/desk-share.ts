import type { JudgedCall } from "../domain/call.ts";
import { LIMITS } from "../domain/limits.ts";
import type { DeskRoom } from "../domain/question.ts";

/** How those are called in the ledger who came with a token of their own. */
const USER = "user:";

/**
 * One token leaves room on the desk for others. A user names sessions as they like, so theirs count together; who is at
 * this machine, and the administrator, has the whole desk.
 */
export function deskShare(
  { session, actor }: Pick<JudgedCall, "session" | "actor">,
  openMax: number,
): DeskRoom["share"] {
  const max = Math.min(openMax, LIMITS.openQuestionsOfSession.default);
  if (session.isOpened === true) return { of: "session", max };
  return actor.startsWith(USER) ? { of: "user", max } : null;
}
