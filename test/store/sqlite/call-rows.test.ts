import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import type { NewCall } from "../../../src/ports/journal.ts";
import { CallRows } from "../../../src/store/sqlite/call-rows.ts";
import { prepareTables } from "../../../src/store/sqlite/schema.ts";
import { STATE_CODE } from "../../../src/store/sqlite/state-code.ts";
import { first, newCall, next } from "../changes.ts";

function openRows() {
  const db = new DatabaseSync(":memory:");
  prepareTables(db);
  const origins = () => Number(db.prepare("SELECT count(*) AS n FROM origins").get()?.["n"]);
  const ownerOf = (callId: string) =>
    db.prepare("SELECT owner FROM calls JOIN origins ON id = origin WHERE call_id = ?").get(callId)?.["owner"];
  return { db, rows: new CallRows(db), origins, ownerOf };
}

/** Each differs from the one before in one thing. */
const OTHERS: readonly Partial<NewCall>[] = [
  { owner: "owner_b" },
  { sessionId: "session_2" },
  { project: "other" },
  { host: "there" },
  { caller: "detached" },
];

describe("CallRows", () => {
  it("moves a call from where it is, once", () => {
    const { db, rows } = openRows();
    expect(rows.apply(first("a", "executing"), 3, 4)).toBe(true);
    expect(rows.apply(first("a", "executing"), 5, 5)).toBe(false);
    expect(rows.apply(next("a", "approved", "executing"), 5, 5)).toBe(false);
    expect(rows.apply(next("a", "executing", "completed"), 6, 7)).toBe(true);
    expect(rows.apply(next("a", "executing", "failed"), 8, 8)).toBe(false);
    expect(rows.apply(next("nobody", "executing", "failed"), 8, 8)).toBe(false);
    expect(db.prepare("SELECT state, tool, first_seq, last_seq FROM calls").all()).toEqual([
      { state: STATE_CODE.completed, tool: "count", first_seq: 3, last_seq: 7 },
    ]);
  });

  it("says once what calls have in common, and tells apart what they have not", () => {
    const { db, rows, origins } = openRows();
    for (let n = 0; n < 5; n++) rows.apply(first(`a${n}`, "refused"), 1, 1);
    expect(origins()).toBe(1);
    for (const [n, call] of OTHERS.entries()) rows.apply(first(`b${n}`, "refused", { call }), 1, 1);
    expect(origins()).toBe(1 + OTHERS.length);
    // Back and forth, and by somebody who knows nothing yet: none is added.
    for (const [n, call] of OTHERS.entries()) rows.apply(first(`c${n}`, "refused", { call }), 1, 1);
    new CallRows(db).apply(first("d", "refused"), 1, 1);
    expect(origins()).toBe(1 + OTHERS.length);
    const stored = db.prepare(
      "SELECT call_id, owner, session_id, project, host, caller FROM calls JOIN origins ON id = origin ORDER BY call_id",
    );
    for (const [n, call] of OTHERS.entries()) {
      const { owner, sessionId, project, host, caller } = newCall("", call);
      expect(stored.all()[5 + n]).toEqual({ call_id: `b${n}`, owner, session_id: sessionId, project, host, caller });
    }
  });

  it("gives a call to whoever takes it over, and to nobody who came too late", () => {
    const { rows, ownerOf } = openRows();
    const taken = (by: string) => ({ ...next("a", "approved", "executing"), takenBy: newCall("a", { owner: by }) });
    rows.apply(first("a", "approved"), 1, 1);
    expect([rows.apply(taken("owner_b"), 2, 2), ownerOf("a")]).toEqual([true, "owner_b"]);
    expect([rows.apply(taken("owner_c"), 3, 3), ownerOf("a")]).toEqual([false, "owner_b"]);
    expect([rows.apply(next("a", "executing", "completed"), 4, 4), ownerOf("a")]).toEqual([true, "owner_b"]);
  });

  it("who takes a call over is added only with the call, and is told what they were before", () => {
    const { db, rows, origins, ownerOf } = openRows();
    const taken = (id: string, by: string) => ({
      ...next(id, "approved", "executing"),
      takenBy: newCall(id, { owner: by }),
    });
    for (const id of ["a", "b", "c"]) rows.apply(first(id, "approved"), 1, 1);
    expect([rows.apply(taken("nobody", "owner_b"), 2, 2), origins()]).toEqual([false, 1]);
    // New, known from the call before, and known from the table.
    expect([rows.apply(taken("a", "owner_b"), 2, 3), rows.apply(taken("b", "owner_b"), 4, 5)]).toEqual([true, true]);
    expect(new CallRows(db).apply(taken("c", "owner_b"), 6, 7)).toBe(true);
    expect([rows.apply(taken("b", "owner_a"), 8, 8), origins()]).toEqual([false, 2]);
    expect(["a", "b", "c"].map(ownerOf)).toEqual(["owner_b", "owner_b", "owner_b"]);
    expect(db.prepare("SELECT state, first_seq, last_seq FROM calls ORDER BY call_id").all()).toEqual(
      [3, 5, 7].map((last) => ({ state: STATE_CODE.executing, first_seq: 1, last_seq: last })),
    );
  });

  it("does not know an origin any more that was rolled back", () => {
    const { db, rows, ownerOf } = openRows();
    db.exec("BEGIN");
    rows.apply(first("a", "refused", { call: { owner: "owner_x" } }), 1, 1);
    db.exec("ROLLBACK");
    rows.forget();
    rows.apply(first("b", "refused", { call: { owner: "owner_y" } }), 1, 1);
    rows.apply(first("a", "refused", { call: { owner: "owner_x" } }), 1, 1);
    expect([ownerOf("a"), ownerOf("b")]).toEqual(["owner_x", "owner_y"]);
  });
});
