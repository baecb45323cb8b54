import { EVERYTHING, type Session } from "../../domain/lease.ts";
import type { Gate } from "../../wiring/gate.ts";
import { type Identity, mayUse } from "./identity.ts";

/** It is somebody else's. */
export interface ForeignSession {
  readonly foreign: { readonly detail: string; readonly hint: string };
}

interface Named {
  /** Of people who name no conversation: one by the door's name and theirs. */
  readonly door: string;
  readonly named: string | undefined;
  /** What the wire calls it. */
  readonly field: string;
}

/**
 * The session of somebody's calls. An agent has its own, by its token; a person may name a conversation, or none. Who has
 * opened a session, and the administrator, may name that one: its lease then binds the call, and the call uses up what the
 * lease allows.
 */
export async function sessionFor(
  { session, actor, ...identity }: Identity,
  { gate, door, named, field }: Named & { readonly gate: Pick<Gate, "sessions" | "project"> },
): Promise<Session | ForeignSession> {
  const hint = `leave \`${field}\` out`;
  if (session !== null) {
    if (named === undefined || named === session.id) return session;
    return { foreign: { detail: "this token is for its own session only", hint } };
  }
  const isOpened = named?.startsWith(OPENED) ?? false;
  const isAdmin = mayUse({ session, actor, ...identity }, "admin");
  if (isOpened && !isAdmin && (await gate.sessions.find(named ?? ""))?.openedBy !== actor) {
    const detail = "an opened session is for its agent, for who has opened it and for the administrator";
    return { foreign: { detail, hint: `${hint}, or name a conversation of your own` } };
  }
  const own = { id: named ?? `${door}:${actor}`, project: gate.project, lease: EVERYTHING };
  // One that was opened binds also when it has ended, or was never there: then the gate refuses the call.
  return isOpened ? { ...own, isOpened: true } : own;
}

/** How the ids of opened sessions begin; what people call a conversation does not. */
const OPENED = "session_";
