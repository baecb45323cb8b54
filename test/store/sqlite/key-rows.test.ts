import { describe, expect, it } from "vitest";
import { digestOf } from "../../../src/domain/digest.ts";
import type { KeyClaim } from "../../../src/ports/keys.ts";
import { type KeyBounds, KeyRows } from "../../../src/store/sqlite/key-rows.ts";
import { openDatabase } from "../../../src/store/sqlite/open-database.ts";
import { Writer } from "../../../src/store/sqlite/writer.ts";
import { first, next } from "../changes.ts";
import { openScratch } from "../state-dir.ts";

const claim = (key: string, more: Partial<KeyClaim> = {}): KeyClaim => ({
  scope: "s",
  key,
  callId: `call_${key}`,
  owner: "owner_a",
  inputHash: digestOf("input"),
  underHash: digestOf("under"),
  expiresMs: 1000,
  ...more,
});

const ALIVE = () => true;
const DEAD = () => false;

function openRows(bounds?: KeyBounds) {
  const scratch = openScratch();
  const opened = openDatabase(scratch.stateDir);
  if (opened.kind === "refused") throw new Error(opened.refusal.message);
  const rows = new KeyRows(opened.db, bounds);
  const writer = new Writer(opened.db);
  /** A call that has ended, and said so much. */
  const ended = (key: string, bytes = 10) => {
    writer.write([first(`call_${key}`, "executing")]);
    writer.write([{ ...next(`call_${key}`, "executing", "completed"), replay: JSON.stringify("x".repeat(bytes - 2)) }]);
  };
  return {
    rows,
    writer,
    ended,
    has: (key: string) => rows.find({ scope: "s", key }) !== null,
    [Symbol.dispose]: () => {
      opened.db.close();
      scratch[Symbol.dispose]();
    },
  };
}

describe("a key", () => {
  it("is taken by the first, and told to the others", () => {
    using open = openRows();
    expect(open.rows.claim(claim("a"), 0, ALIVE)).toBe(null);
    const by = open.rows.claim(claim("a", { callId: "call_b" }), 0, ALIVE);
    expect(by).toEqual({ ...claim("a"), state: null, outcome: null, receipt: null });
    expect(open.rows.claim(claim("a", { scope: "t", callId: "call_c" }), 0, ALIVE)).toBe(null);
  });

  it("goes to the next where its process died before the call was in the journal", () => {
    using open = openRows();
    open.rows.claim(claim("a"), 0, ALIVE);
    expect(open.rows.claim(claim("a", { callId: "call_b" }), 0, DEAD)).toBe(null);
    open.writer.write([first("call_b", "executing")]);
    expect(open.rows.claim(claim("a", { callId: "call_c" }), 0, DEAD)).toMatchObject({
      callId: "call_b",
      state: "executing",
      receipt: { seq: 1 },
    });
  });

  it("is free again when it is taken back, and when its time is over and its call has ended", () => {
    using open = openRows();
    open.rows.claim(claim("a"), 0, ALIVE);
    open.rows.release("call_a");
    expect(open.has("a")).toBe(false);
    open.rows.claim(claim("a"), 0, ALIVE);
    open.writer.write([first("call_a", "executing")]);
    expect(open.rows.claim(claim("a", { callId: "call_b" }), 5000, ALIVE)?.callId).toBe("call_a");
    open.writer.write([next("call_a", "executing", "completed")]);
    expect(open.rows.claim(claim("a", { callId: "call_b" }), 999, ALIVE)?.callId).toBe("call_a");
    expect(open.rows.claim(claim("a", { callId: "call_b" }), 1000, ALIVE)).toBe(null);
  });
});

describe("keys are kept", () => {
  it("so many: the oldest that have ended go first", () => {
    using open = openRows({ keys: 3, bytes: 1000, claimsBetweenSweeps: 0 });
    for (const [at, key] of ["a", "b", "c", "d"].entries()) {
      open.rows.claim(claim(key, { expiresMs: 1000 + at }), 0, ALIVE);
      if (key !== "b") open.ended(key);
    }
    open.rows.claim(claim("e", { expiresMs: 2000 }), 0, ALIVE);
    // Four were there, and three may be; `b` is under way.
    expect(["a", "b", "c", "d", "e"].map(open.has)).toEqual([false, true, true, true, true]);
    open.rows.claim(claim("f", { expiresMs: 2000 }), 0, ALIVE);
    expect(["b", "c", "d", "e", "f"].map(open.has)).toEqual([true, false, true, true, true]);
  });

  it("so much", () => {
    using open = openRows({ keys: 100, bytes: 100, claimsBetweenSweeps: 0 });
    for (const [at, key] of ["a", "b", "c"].entries()) {
      open.rows.claim(claim(key, { expiresMs: 1000 + at }), 0, ALIVE);
      open.ended(key, 60);
    }
    open.rows.claim(claim("d", { expiresMs: 2000 }), 0, ALIVE);
    expect(["a", "b", "c", "d"].map(open.has)).toEqual([false, false, true, true]);
  });

  it("so long", () => {
    using open = openRows({ keys: 100, bytes: 1000, claimsBetweenSweeps: 0 });
    for (const key of ["a", "b", "c"]) open.rows.claim(claim(key), 0, ALIVE);
    open.ended("a");
    open.writer.write([first("call_b", "executing")]);
    open.rows.claim(claim("d", { expiresMs: 2000 }), 1000, ALIVE);
    expect(["a", "b", "c", "d"].map(open.has)).toEqual([false, true, false, true]);
  });

  it("and looked through only now and then", () => {
    using open = openRows({ keys: 1, bytes: 1000, claimsBetweenSweeps: 2 });
    for (const key of ["a", "b", "c"]) {
      open.rows.claim(claim(key), 0, ALIVE);
      open.ended(key);
    }
    expect(["a", "b", "c"].map(open.has)).toEqual([true, true, true]);
    open.rows.claim(claim("d"), 0, ALIVE);
    expect(["a", "b", "c", "d"].map(open.has)).toEqual([false, false, true, true]);
  });
});
