import { describe, expect, it } from "vitest";
import type { Entry } from "../../src/domain/entry.ts";
import type { CallState } from "../../src/domain/state.ts";
import type { Change, Journal } from "../../src/ports/journal.ts";
import { bring, codeOf, first, mustCommit, next, PATHS } from "./changes.ts";
import { describeNotes } from "./notes-contract.ts";
import { describeQuestions } from "./questions-contract.ts";

/** A store with what the contract has to see of it, from outside the journal. */
export interface StoreUnderTest extends AsyncDisposable {
  readonly journal: Journal;
  /** A second journal on the same store, as another process has it. */
  readonly another: () => Journal;
  readonly entries: () => Promise<readonly Entry[]>;
  readonly states: () => Promise<Readonly<Record<string, string>>>;
  /** Whether the ledger verifies. */
  readonly isSound: () => Promise<boolean>;
  /** How many transactions were committed, since whenever. */
  readonly transactions: () => Promise<number>;
}

/** DESIGN.md, section 5: the arrows of the picture, and a first commit that may pass over `approved`. */
const ARROWS: Record<CallState | "received", readonly CallState[]> = {
  received: ["awaiting_approval", "approved", "executing", "refused", "cancelled"],
  awaiting_approval: ["awaiting_approval", "approved", "rejected", "expired", "cancelled"],
  approved: ["executing", "refused", "cancelled"],
  executing: ["completed", "failed", "timed_out", "cancelled", "unknown"],
  completed: [],
  failed: [],
  timed_out: [],
  cancelled: [],
  refused: [],
  rejected: [],
  expired: [],
  unknown: [],
};

const STATES = Object.keys(PATHS) as CallState[];
const FROM = ["received", ...STATES] as const;

const UNWRITABLE: readonly (readonly [string, Change])[] = [
  ["a text with a lone surrogate", first("bad", "refused", { entries: [{}, { body: { text: "\ud800" } }] })],
  ["a number that JSON can't hold", first("bad", "refused", { entries: [{ body: { n: Number.NaN } }] })],
  ["an actor with a lone surrogate", first("bad", "refused", { entries: [{ actor: "\udfff" }] })],
  [
    "entries that can't be made",
    {
      ...first("bad", "refused"),
      entries: () => {
        throw new TypeError("a mistake of the caller");
      },
    },
  ],
];

/** What every journal does, whatever it is built on. */
export function describeJournal(name: string, open: () => Promise<StoreUnderTest>): void {
  describeQuestions(name, open);
  describeNotes(name, open);

  describe(`${name}: a commit`, () => {
    it("gives the receipt of its last entry, and the chain holds the same", async () => {
      await using store = await open();
      const receipts = [
        mustCommit(await store.journal.commit(first("a", "executing", { entries: [{}, { kind: "tool.started" }] }))),
        mustCommit(await store.journal.commit(next("a", "executing", "completed"))),
        mustCommit(await store.journal.commit(first("b", "refused", { entries: [{}, {}, {}] }))),
      ];
      const entries = await store.entries();
      expect(receipts.map(({ seq }) => seq)).toEqual([2, 3, 6]);
      for (const { seq, hash } of receipts) expect(entries[seq - 1]).toMatchObject({ seq, hash });
      expect(await store.isSound()).toBe(true);
    });

    it("is seen by everybody once it is acknowledged", async () => {
      await using store = await open();
      for (let n = 1; n <= 5; n++) {
        const { seq } = mustCommit(await store.journal.commit(first(`c${n}`, "refused")));
        expect((await store.entries()).at(-1)).toMatchObject({ seq, callId: `c${n}` });
      }
    });

    it("is still there after the journal was closed", async () => {
      await using store = await open();
      await bring(store.journal, "a", "completed");
      await store.journal.close();
      expect(await store.states()).toEqual({ a: "completed" });
      mustCommit(await store.another().commit(first("b", "refused")));
      expect(await store.states()).toEqual({ a: "completed", b: "refused" });
      expect(await store.isSound()).toBe(true);
    });

    it("keeps what its entries hold", async () => {
      await using store = await open();
      const body = { nested: { z: [1, 2.5, -0, null, true], a: "\u0000\u2028😀" }, prev: "x", seq: 9 };
      const entry = { body, actor: 'a","b', sessionId: "\\", planDigest: null };
      mustCommit(await store.journal.commit(first("a", "refused", { entries: [entry] })));
      expect((await store.entries())[0]).toMatchObject({
        ...entry,
        v: 1,
        callId: "a",
        body: { ...body, nested: { z: [1, 2.5, 0, null, true] } },
      });
    });
  });

  describe(`${name}: a call's state`, () => {
    it.each(FROM.flatMap((from) => STATES.map((to) => ({ from, to, ok: ARROWS[from].includes(to) }))))(
      "$from to $to: $ok",
      async ({ from, to, ok }) => {
        await using store = await open();
        if (from !== "received") await bring(store.journal, "a", from);
        const before = { entries: await store.entries(), states: await store.states() };
        const change = from === "received" ? first("a", to) : next("a", from, to);
        expect(codeOf(await store.journal.commit(change))).toBe(ok ? "committed" : "ILLEGAL_TRANSITION");
        if (ok) expect(await store.states()).toEqual({ a: to });
        else expect({ entries: await store.entries(), states: await store.states() }).toEqual(before);
      },
    );

    it("is not left, whatever it is, on the word of a change that takes it for another", async () => {
      await using store = await open();
      for (const state of STATES) await bring(store.journal, state, state);
      const before = await store.entries();
      for (const state of STATES) {
        for (const from of STATES.filter((other) => other !== state)) {
          for (const to of ARROWS[from]) {
            expect(codeOf(await store.journal.commit(next(state, from, to)))).toBe("ILLEGAL_TRANSITION");
          }
        }
      }
      expect(await store.entries()).toEqual(before);
      expect(await store.states()).toEqual(Object.fromEntries(STATES.map((state) => [state, state])));
    });

    it.each([
      ["a call that nobody made", next("nobody", "executing", "completed")],
      ["a call that is there already", first("a", "executing")],
      ["a later change with a call", { ...first("b", "completed"), from: "executing" } as unknown as Change],
    ] as [string, Change][])("is not made up for %s", async (_, change) => {
      await using store = await open();
      await bring(store.journal, "a", "executing");
      const before = await store.entries();
      expect(codeOf(await store.journal.commit(change))).toBe("ILLEGAL_TRANSITION");
      expect(await store.entries()).toEqual(before);
      expect(await store.states()).toEqual({ a: "executing" });
    });

    it("is begun only with the call, which the compiler sees to", () => {
      const { created, ...rest } = first("a", "refused") as Extract<Change, { created: unknown }>;
      // @ts-expect-error
      const change: Change = rest;
      expect([change.callId, created.callId]).toEqual(["a", "a"]);
    });

    it("has one winner of two changes at once", async () => {
      await using store = await open();
      for (const id of ["a", "b", "c"]) await bring(store.journal, id, "executing");
      for (const id of ["a", "b", "c"]) {
        const ends = ["completed", "failed", "unknown", "completed"] as const;
        const results = await Promise.all(ends.map((to) => store.journal.commit(next(id, "executing", to))));
        expect(results.map(codeOf).toSorted()).toEqual([
          "ILLEGAL_TRANSITION",
          "ILLEGAL_TRANSITION",
          "ILLEGAL_TRANSITION",
          "committed",
        ]);
        const winner = ends[results.findIndex(({ kind }) => kind === "committed")];
        expect((await store.states())[id]).toBe(winner);
      }
      expect(await store.entries()).toHaveLength(6);
    });

    it("has one winner of two journals at once", async () => {
      await using store = await open();
      const other = store.another();
      const ids = Array.from({ length: 20 }, (_, n) => `c${n}`);
      for (const id of ids) await bring(store.journal, id, "awaiting_approval", { caller: "detached" });
      const results = await Promise.all(
        ids.map((id) =>
          Promise.all([
            store.journal.commit(next(id, "awaiting_approval", "approved")),
            other.commit(next(id, "awaiting_approval", "rejected")),
          ]),
        ),
      );
      for (const pair of results) expect(pair.map(codeOf).toSorted()).toEqual(["ILLEGAL_TRANSITION", "committed"]);
      expect(await store.entries()).toHaveLength(40);
      expect(await store.isSound()).toBe(true);
    });
  });

  describe(`${name}: changes made at once`, () => {
    it("fail alone where they are illegal", async () => {
      await using store = await open();
      await bring(store.journal, "done", "completed");
      const results = await Promise.all([
        store.journal.commit(first("a", "executing")),
        store.journal.commit(next("done", "completed", "failed")),
        store.journal.commit(first("b", "refused", { entries: [{}, {}] })),
        store.journal.commit(first("a", "refused")),
        store.journal.commit(next("a", "executing", "completed")),
      ]);
      expect(results.map(codeOf)).toEqual([
        "committed",
        "ILLEGAL_TRANSITION",
        "committed",
        "ILLEGAL_TRANSITION",
        "committed",
      ]);
      expect(await store.states()).toEqual({ done: "completed", a: "completed", b: "refused" });
      expect((await store.entries()).map(({ callId }) => callId)).toEqual(["done", "done", "a", "b", "b", "a"]);
      expect(await store.isSound()).toBe(true);
    });

    it.each(UNWRITABLE)("fail alone where they can't be written: %s", async (_, bad) => {
      await using store = await open();
      const changes = [first("a", "refused"), bad, first("b", "refused")];
      const results = await Promise.all(changes.map((change) => store.journal.commit(change)));
      expect(results.map(codeOf)).toEqual(["committed", "FAULT", "committed"]);
      expect(await store.states()).toEqual({ a: "refused", b: "refused" });
      expect((await store.entries()).map(({ callId }) => callId)).toEqual(["a", "b"]);
      expect(await store.isSound()).toBe(true);
    });

    it("become `unknown` where their end can't be written, with the next change that can", async () => {
      await using store = await open();
      await bring(store.journal, "a", "executing");
      const end = next("a", "executing", "completed", { entries: [{ body: { n: Number.POSITIVE_INFINITY } }] });
      expect(codeOf(await store.journal.commit(end))).toBe("FAULT");
      mustCommit(await store.journal.commit(first("b", "refused")));
      expect(await store.states()).toEqual({ a: "unknown", b: "refused" });
      expect(codeOf(await store.journal.commit(next("a", "executing", "completed")))).toBe("ILLEGAL_TRANSITION");
    });

    it("keep their entries together, and share few transactions", async () => {
      await using store = await open();
      mustCommit(await store.journal.commit(first("before", "refused")));
      const before = await store.transactions();
      const ids = Array.from({ length: 1000 }, (_, n) => `c${n}`);
      const entries = [{}, { kind: "tool.decided" }, { kind: "tool.started" }] as const;
      const receipts = await Promise.all(
        ids.map(async (id) => mustCommit(await store.journal.commit(first(id, "executing", { entries })))),
      );
      expect((await store.transactions()) - before).toBeLessThanOrEqual(10);
      const all = await store.entries();
      for (const [i, { seq }] of receipts.entries()) {
        expect(all.slice(seq - 3, seq).map(({ callId, kind }) => `${callId} ${kind}`)).toEqual([
          `c${i} tool.requested`,
          `c${i} tool.decided`,
          `c${i} tool.started`,
        ]);
      }
      expect(await store.isSound()).toBe(true);
    });
  });
}
