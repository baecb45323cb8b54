import type { Approvers } from "../domain/approvers.ts";
import type { JudgedCall } from "../domain/call.ts";

/** Who has a say in a call, and whose it is. */
export interface Concerned {
  readonly approvers: readonly Approvers[];
  readonly openedBy: readonly string[];
}

export interface ConcernedParts {
  /** Whom the rules want to hear about a call. Left out: anybody. */
  readonly approversOf?: (call: JudgedCall) => readonly Approvers[];
  /** Who opened a session, and those above it. Left out: nobody is known to have. */
  readonly openersOf?: (sessionId: string) => readonly string[];
}

/** Who opened its session counts only where a rule does not want to hear who made the call. */
export function concernedBy(call: JudgedCall, { approversOf, openersOf }: ConcernedParts): Concerned {
  const approvers = approversOf?.(call) ?? [];
  const isBarred = call.session.isOpened === true && approvers.some(({ requester }) => requester === "never");
  return { approvers, openedBy: (isBarred && openersOf?.(call.session.id)) || [] };
}
