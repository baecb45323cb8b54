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

function outcome(callId: string, bytes: number): string {
  const json = (text: string): string =>
    JSON.stringify({
      ...{ kind: "completed", callId, tool: "t", durationMs: 1, budgetConsumed: 1, attempts: 1, cached: false },
      ...{ containment: "process", content: [{ type: "text", text }] },
    });
  return json("x".repeat(bytes - json("").length));
}

const ALIVE = () => true;
const DEAD = () => false;

function openRows(bounds?: KeyBounds) {
  const scratch = openScratch();
  const opened = openDatabase(scratch.stateDir);
  if (opened.kind === "refused") throw new Error(opened.refusal.message);
  const rows = new KeyRows(opened.db, bounds);
  const writer = new Writer(opened.db);
  /** A call that has ended, and whose outcome has so many bytes. */
  const ended = (key: string, bytes = 300) => {
    writer.write([first(`call_${key}`, "executing")]);
    writer.write([next(`call_${key}`, "executing", "completed")]);
    // The writer has bounds of its own.
    rows.end(`call_${key}`, outcome(`call_${key}`, bytes));
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
  it("is kept for as long as its call's end says, and never shorter than it was claimed for", () => {
    using open = openRows();
    for (const [key, untilMs] of [
      ["late", 5000],
      ["soon", 10],
    ] as const) {
      open.rows.claim(claim(key), 0, ALIVE);
      open.ended(key);
      open.rows.end(`call_${key}`, outcome(`call_${key}`, 300), untilMs);
    }
    const again = (key: string, nowMs: number) =>
      open.rows.claim(claim(key, { callId: `again_${key}`, expiresMs: 9000 }), nowMs, ALIVE);
    expect([again("late", 4999), again("soon", 999)]).toMatchObject([{ callId: "call_late" }, { callId: "call_soon" }]);
    expect([again("late", 5000), again("soon", 1000)]).toEqual([null, null]);
  });

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
    expect(open.rows.claim(claim("a", { callId: "call_b" }), 5000, ALIVE)).toMatchObject({ callId: "call_a" });
    open.writer.write([next("call_a", "executing", "completed")]);
    expect(open.rows.claim(claim("a", { callId: "call_b" }), 999, ALIVE)).toMatchObject({ callId: "call_a" });
    expect(open.rows.claim(claim("a", { callId: "call_b" }), 1000, ALIVE)).toBe(null);
  });
});

describe("keys are kept", () => {
  const MANY = { bytes: 1000, claimsBetweenSweeps: 0 };

  it("for the time that they were promised: what there is no room for is refused", () => {
    using open = openRows({ ...MANY, keys: 6 });
    for (const key of ["a", "b", "c"]) {
      expect(open.rows.claim(claim(key), 0, ALIVE)).toBe(null);
      open.ended(key);
    }
    // Three of six: as many as are free for everybody else.
    expect(open.rows.claim(claim("d"), 999, ALIVE)).toBe("full");
    expect(["a", "b", "c", "d"].map(open.has)).toEqual([true, true, true, false]);
    // Who makes a call again is told, full or not.
    expect(open.rows.claim(claim("a", { callId: "call_z" }), 999, ALIVE)).toMatchObject({ callId: "call_a" });
    // Their time is over.
    expect(open.rows.claim(claim("d"), 1000, ALIVE)).toBe(null);
    expect(["a", "b", "c", "d"].map(open.has)).toEqual([false, false, false, true]);
  });

  it("each caller's own: one that claims all it can leaves room for the others, and pushes nobody's out", () => {
    using open = openRows({ ...MANY, keys: 60 });
    const claimAll = (scope: string): number => {
      for (let n = 0; ; n++)
        if (open.rows.claim(claim(`${n}`, { scope, callId: `${scope}_${n}` }), 0, ALIVE) === "full") return n;
    };
    expect(open.rows.claim(claim("early", { scope: "other" }), 0, ALIVE)).toBe(null);
    open.ended("early");
    expect(["hog", "second", "third"].map(claimAll)).toEqual([30, 15, 7]);
    expect(open.rows.find({ scope: "other", key: "early" })).not.toBe(null);
    // The hog is refused still, and a newcomer is not.
    expect(claimAll("hog")).toBe(30);
    expect(claimAll("newcomer")).toBeGreaterThan(0);
  });

  it("of calls under way also when their time is over", () => {
    using open = openRows({ ...MANY, keys: 100 });
    for (const key of ["a", "b", "c"]) open.rows.claim(claim(key), 0, ALIVE);
    open.ended("a");
    open.writer.write([first("call_b", "executing")]);
    open.rows.claim(claim("d", { expiresMs: 2000 }), 1000, ALIVE);
    expect(["a", "b", "c", "d"].map(open.has)).toEqual([false, true, false, true]);
  });

  it("and their room is given back by whichever way they go", () => {
    using open = openRows({ ...MANY, keys: 2 });
    for (let n = 0; n < 5; n++) {
      expect(open.rows.claim(claim(`${n}`), 0, ALIVE)).toBe(null);
      expect(open.rows.claim(claim("other"), 0, ALIVE)).toBe("full");
      open.rows.release(`call_${n}`);
    }
  });

  it("and looked through only now and then", () => {
    using open = openRows({ keys: 100, bytes: 1000, claimsBetweenSweeps: 2 });
    for (const key of ["a", "b"]) {
      open.rows.claim(claim(key, { expiresMs: 1 }), 0, ALIVE);
      open.ended(key);
    }
    open.rows.claim(claim("c"), 5, ALIVE);
    expect(["a", "b", "c"].map(open.has)).toEqual([true, true, true]);
    open.rows.claim(claim("d"), 5, ALIVE);
    expect(["a", "b", "c", "d"].map(open.has)).toEqual([false, false, true, true]);
  });
});

describe("what calls said is kept", () => {
  const said = (open: ReturnType<typeof openRows>, key: string, scope = "s") =>
    JSON.stringify(open.rows.find({ scope, key })?.outcome);

  it("so much of each caller: of the oldest only how they ended stays, and they are not made again", () => {
    using open = openRows({ keys: 100, bytes: 11_500, claimsBetweenSweeps: 0 });
    for (const [at, key] of ["a", "b", "c", "short"].entries()) {
      open.rows.claim(claim(key, { expiresMs: 1000 + at }), 0, ALIVE);
      open.ended(key, key === "short" ? 300 : 2500);
    }
    expect(["a", "b", "c", "short"].map((key) => said(open, key).length > 2000)).toEqual([false, true, true, false]);
    expect(open.rows.find({ scope: "s", key: "a" })?.outcome).toMatchObject({
      kind: "completed",
      callId: "call_a",
      content: [{ text: expect.stringContaining("no longer kept") }],
      truncated: { bytes: 2500, blob: null },
    });
    expect(open.rows.claim(claim("a", { callId: "call_z" }), 0, ALIVE)).toMatchObject({ callId: "call_a" });
  });

  it("and nothing of another's is let go for it", () => {
    using open = openRows({ keys: 100, bytes: 10_000, claimsBetweenSweeps: 0 });
    open.rows.claim(claim("mine", { scope: "me", expiresMs: 1 }), 0, ALIVE);
    open.ended("mine", 2000);
    for (const key of ["a", "b", "c", "d", "e"]) {
      open.rows.claim(claim(key), 0, ALIVE);
      open.ended(key, 3000);
    }
    expect(said(open, "mine", "me").length).toBe(2000);
    expect(said(open, "a").length).toBeLessThan(1024);
  });
});
