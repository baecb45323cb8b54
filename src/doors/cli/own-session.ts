import type { Session } from "../../domain/lease.ts";
import type { Refusal } from "../../domain/outcome.ts";
import type { Gate } from "../../wiring/gate.ts";
import type { Invocation } from "./command.ts";

/** The session whose token is in the environment; without one, this process's own. */
export async function ownSession(
  gate: Gate,
  { environment }: Pick<Invocation, "environment">,
): Promise<{ readonly session?: Session } | { readonly refusal: Refusal }> {
  const { token } = environment;
  if (token === null) return {};
  const checked = await gate.sessions.check(token, { from: "command line" });
  return checked.kind === "open" ? { session: checked.session } : { refusal: checked.refusal };
}
