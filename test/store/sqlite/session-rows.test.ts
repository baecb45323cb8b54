import { expect, it } from "vitest";
import { EVERYTHING } from "../../../src/domain/lease.ts";
import type { StoredSession } from "../../../src/ports/sessions.ts";
import { openDatabase } from "../../../src/store/sqlite/open-database.ts";
import { SessionRows } from "../../../src/store/sqlite/session-rows.ts";
import { openScratch } from "../state-dir.ts";

const SESSION: StoredSession = {
  id: "session_1",
  project: "default",
  parentId: null,
  tokenHash: new Uint8Array(32),
  lease: EVERYTHING,
  label: "",
  openedBy: "ann",
  openedMs: 0,
  renewedMs: null,
  ended: null,
};

function openRows() {
  const scratch = openScratch();
  const opened = openDatabase(scratch.stateDir);
  if (opened.kind === "refused") throw new Error(opened.refusal.message);
  const rows = new SessionRows(opened.db);
  const apply = (change: Parameters<SessionRows["apply"]>[0]["change"]) =>
    rows.apply({ sessionId: "session_1", change });
  return {
    apply,
    [Symbol.dispose]: () => {
      opened.db.close();
      scratch[Symbol.dispose]();
    },
  };
}

const expire = (renewedMs: number | null) => ({ kind: "expire", atMs: 9, renewedMs }) as const;

it("a lease runs out once", () => {
  using rows = openRows();
  expect(rows.apply({ kind: "open", session: SESSION })).toBe(true);
  expect([rows.apply(expire(null)), rows.apply(expire(null))]).toEqual([true, false]);
  expect(rows.apply({ kind: "renew", lease: EVERYTHING, atMs: 9, renewedMs: null })).toBe(false);
  expect(rows.apply({ kind: "end", as: "revoked", atMs: 9 })).toBe(false);
});

it("one that was renewed since somebody found it over has not run out", () => {
  using rows = openRows();
  rows.apply({ kind: "open", session: SESSION });
  expect(rows.apply({ kind: "renew", lease: EVERYTHING, atMs: 5, renewedMs: null })).toBe(true);
  // Two at once that both lie within the lease before: the second does not lie within the first for sure.
  expect(rows.apply({ kind: "renew", lease: EVERYTHING, atMs: 6, renewedMs: null })).toBe(false);
  expect(rows.apply(expire(null))).toBe(false);
  expect(rows.apply(expire(4))).toBe(false);
  expect(rows.apply(expire(5))).toBe(true);
});

it("one that was closed is closed", () => {
  using rows = openRows();
  rows.apply({ kind: "open", session: SESSION });
  expect(rows.apply({ kind: "end", as: "closed", atMs: 1 })).toBe(true);
  expect(rows.apply(expire(null))).toBe(false);
});
