import { EVERYTHING, type Session } from "../../domain/lease.ts";
import type { Gate } from "../../wiring/gate.ts";
import { type Identity, mayUse } from "../wire/identity.ts";
import { problem } from "../wire/problem.ts";

/**
 * The session of somebody's calls. An agent has its own, by its token; a person may name a conversation, or none. Who has
 * opened a session, and the administrator, may name that one: its lease then binds the call, and the call uses up what the
 * lease allows.
 */
export async function sessionFor(
  identity: Identity,
  gate: Gate,
  named: string | undefined,
): Promise<Session | Response> {
  const { session, actor } = identity;
  if (session !== null) {
    return named === undefined || named === session.id
      ? session
      : problem("SESSION_FOREIGN", {
          detail: "this token is for its own session only",
          hint: "leave `session_id` out",
        });
  }
  const isOpened = named?.startsWith(OPENED) ?? false;
  if (isOpened && !mayUse(identity, "admin") && (await gate.sessions.find(named ?? ""))?.openedBy !== actor) {
    return problem("SESSION_FOREIGN", {
      detail: "an opened session is for its agent, for who has opened it and for the administrator",
      hint: "leave `session_id` out, or name a conversation of your own",
    });
  }
  const own = { id: named ?? `rest:${actor}`, project: gate.project, lease: EVERYTHING };
  // One that was opened binds also when it has ended, or was never there: then the gate refuses the call.
  return isOpened ? { ...own, isOpened: true } : own;
}

/** How the ids of opened sessions begin; what people call a conversation does not. */
const OPENED = "session_";

/** The only session whose calls and events somebody sees; undefined = all. */
export const seenSession = ({ session }: Identity): string | undefined => session?.id;
