import type { Refusal } from "../../domain/outcome.ts";
import type { Command, Invocation } from "./command.ts";
import { OUTCOME_EXIT } from "./exit-codes.ts";

/** A command line for this command. */
export function invocationOf(
  { name, refused }: Pick<Command, "name" | "refused">,
  given: Omit<Invocation, "refuse">,
): Invocation {
  const invocation: Invocation = {
    ...given,
    refuse: async (whole) => {
      const refusal = withoutItself(whole, name, given.words[0]);
      if (refused) return await refused(refusal, invocation);
      const { showRefusal } = await import("./show-refusal.ts");
      showRefusal(refusal, given.flags, given.terminal);
      return OUTCOME_EXIT.refused;
    },
  };
  return invocation;
}

/** The command that has just failed is no way out: a hint at it is left out. */
function withoutItself(refusal: Refusal, name: string, subcommand = ""): Refusal {
  const { hint, ...rest } = refusal;
  if (hint === undefined) return refusal;
  const own = `\`toolgate ${name}`;
  const names = [`${own}\``, `${own} ${subcommand}\``, `${own} ${subcommand} `].slice(subcommand === "" ? 0 : 1);
  const left = hint.split("; ").filter((part) => !names.some((text) => part.includes(text)));
  return left.length === 0 ? rest : { ...rest, hint: left.join("; ") };
}
