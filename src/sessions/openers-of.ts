import type { StoredSessions } from "../ports/sessions.ts";

/** Who opened a session, and those above it: whoever gave an agent its token stands behind what it does. */
export function openersOf(sessions: Pick<StoredSessions, "find">, sessionId: string | null): readonly string[] {
  const found = sessionId === null ? null : sessions.find(sessionId);
  return found === null ? [] : [found.openedBy, ...openersOf(sessions, found.parentId)];
}
