import type { Command, Invocation } from "./command.ts";
import { OUTCOME_EXIT } from "./exit-codes.ts";

/** A command line for this command. */
export function invocationOf({ refused }: Pick<Command, "refused">, given: Omit<Invocation, "refuse">): Invocation {
  const invocation: Invocation = {
    ...given,
    refuse: async (refusal) => {
      if (refused) return await refused(refusal, invocation);
      const { showRefusal } = await import("./show-refusal.ts");
      showRefusal(refusal, given.flags, given.terminal);
      return OUTCOME_EXIT.refused;
    },
  };
  return invocation;
}
