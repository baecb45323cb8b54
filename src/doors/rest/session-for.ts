import type { Session } from "../../domain/lease.ts";
import type { Gate } from "../../wiring/gate.ts";
import type { Identity } from "../wire/identity.ts";
import { problem } from "../wire/problem.ts";
import { sessionFor as sessionOf } from "../wire/session-for.ts";

/** The session of somebody's calls, or why it can't be the one that they name. */
export async function sessionFor(
  identity: Identity,
  gate: Gate,
  named: string | undefined,
): Promise<Session | Response> {
  const session = await sessionOf(identity, { gate, door: "rest", named, field: "session_id" });
  return "foreign" in session ? problem("SESSION_FOREIGN", session.foreign) : session;
}

/** The only session whose calls and events somebody sees; undefined = all. */
export const seenSession = ({ session }: Identity): string | undefined => session?.id;
