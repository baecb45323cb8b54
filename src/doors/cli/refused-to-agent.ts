import type { Refusal } from "../../domain/outcome.ts";
import type { Command, Invocation } from "./command.ts";

/**
 * INVARIANT (a token given is who calls): what is a person's to do is refused to who gives a session's token, also to one that
 * is no token at all. Null: it may be done.
 */
export function refusedToAgent(
  { name, agents = [] }: Pick<Command, "name" | "agents">,
  { environment, flags, words: [first = ""] }: Pick<Invocation, "environment" | "flags" | "words">,
): Refusal | null {
  if (environment.token === null) return null;
  // Which folder it works in is said by who gave the token.
  if (flags["workspace"] !== undefined) return forPeople("`--workspace`");
  if (agents === "all" || agents.includes(first)) return null;
  return forPeople(`\`toolgate ${[name, first].join(" ").trimEnd()}\``);
}

export const forPeople = (what: string): Refusal => ({
  code: "LEASE_SCOPE",
  stage: "resolve",
  message: `${what} is for people, and TOOLGATE_TOKEN says that this is an agent's session`,
  hint: "who is a person unsets TOOLGATE_TOKEN first",
});
