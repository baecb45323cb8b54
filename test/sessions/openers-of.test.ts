import { expect, it } from "vitest";
import type { StoredSession } from "../../src/ports/sessions.ts";
import { openersOf } from "../../src/sessions/openers-of.ts";

const SESSIONS: Readonly<Record<string, Pick<StoredSession, "openedBy" | "parentId">>> = {
  top: { openedBy: "admin", parentId: null },
  middle: { openedBy: "user:ann", parentId: "top" },
  low: { openedBy: "user:bob", parentId: "middle" },
};
const find = (id: string) => (SESSIONS[id] ?? null) as StoredSession | null;

it.each([
  ["top", ["admin"]],
  ["middle", ["user:ann", "admin"]],
  ["low", ["user:bob", "user:ann", "admin"]],
  ["none", []],
])("of %s, and those above it", (id, openers) => expect(openersOf({ find }, id)).toEqual(openers));
