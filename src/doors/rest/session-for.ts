import { EVERYTHING, type Session } from "../../domain/lease.ts";
import type { Gate } from "../../wiring/gate.ts";
import type { Identity } from "../wire/identity.ts";
import { problem } from "../wire/problem.ts";

/**
 * The session of somebody's calls. An agent has its own, by its token; a person may name one that was opened, whose lease
 * then binds the call, or a conversation, or none.
 */
export function sessionFor(identity: Identity, gate: Gate, named: string | undefined): Session | Response {
  const { session, actor } = identity;
  if (session !== null) {
    return named === undefined || named === session.id
      ? session
      : problem("SESSION_FOREIGN", {
          detail: "this token is for its own session only",
          hint: "leave `session_id` out",
        });
  }
  const own = { id: named ?? `rest:${actor}`, project: gate.project, lease: EVERYTHING };
  // One that was opened binds also when it has ended, or was never there: then the gate refuses the call.
  return named?.startsWith(OPENED) ? { ...own, isOpened: true } : own;
}

/** How the ids of opened sessions begin; what people call a conversation does not. */
const OPENED = "session_";

/** The only session whose calls and events somebody sees; undefined = all. */
export const seenSession = ({ session }: Identity): string | undefined => session?.id;
