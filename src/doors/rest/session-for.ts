import { EVERYTHING, type Session } from "../../domain/lease.ts";
import type { Gate } from "../../wiring/gate.ts";
import type { Identity } from "../wire/identity.ts";
import { problem } from "../wire/problem.ts";

/**
 * The session of somebody's calls. An agent has its own, by its token; a person may name one that was opened, whose lease
 * then binds the call, or a conversation, or none.
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
  const own = { id: named ?? `rest:${actor}`, project: gate.project, lease: EVERYTHING };
  const isOpened = named !== undefined && (await gate.sessions.find(named)) !== null;
  return isOpened ? { ...own, isOpened } : own;
}

/** The only session whose calls and events somebody sees; undefined = all. */
export const seenSession = ({ session }: Identity): string | undefined => session?.id;
