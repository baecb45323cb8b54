import type { Session } from "../../domain/lease.ts";
import type { Gate } from "../../wiring/gate.ts";
import type { Invocation } from "./command.ts";
import { showRefusal } from "./show-refusal.ts";

/** The session whose token is in the environment; without one, this process's own. Null: refused, and told so. */
export async function ownSession(
  gate: Gate,
  { environment, flags, terminal }: Pick<Invocation, "environment" | "flags" | "terminal">,
): Promise<{ readonly session?: Session } | null> {
  const { token } = environment;
  if (token === null) return {};
  const checked = await gate.sessions.check(token, { from: "command line" });
  if (checked.kind === "open") return { session: checked.session };
  showRefusal(checked.refusal, flags, terminal);
  return null;
}
