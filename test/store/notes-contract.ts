import { describe, expect, it } from "vitest";
import { bring, codeOf, draftFor, first, mustCommit, next } from "./changes.ts";
import type { StoreUnderTest } from "./journal-contract.ts";

const noteFor = (callId: string) => draftFor(callId, { kind: "evidence.published" });

/** What every journal does with what is no change of a call. */
export function describeNotes(name: string, open: () => Promise<StoreUnderTest>): void {
  describe(`${name}: a note`, () => {
    it("is an entry like the others, and no call", async () => {
      await using store = await open();
      await bring(store.journal, "a", "executing");
      const receipt = mustCommit(await store.journal.note(draftFor("", { kind: "policy.loaded", body: { n: 1 } })));
      mustCommit(await store.journal.commit(next("a", "executing", "completed")));
      const entries = await store.entries();
      expect(entries.map(({ kind }) => kind)).toEqual(["tool.requested", "policy.loaded", "tool.requested"]);
      expect(entries[1]).toMatchObject({ ...receipt, callId: "", body: { n: 1 } });
      expect(await store.states()).toEqual({ a: "completed" });
      expect(await store.isSound()).toBe(true);
    });

    it("may be of a call, and leaves its state alone", async () => {
      await using store = await open();
      await bring(store.journal, "a", "executing");
      mustCommit(await store.journal.note(draftFor("a", { kind: "tool.started", body: { attempt: 2 } })));
      expect(await store.states()).toEqual({ a: "executing" });
      mustCommit(await store.journal.commit(next("a", "executing", "completed")));
      mustCommit(await store.journal.note(draftFor("a")));
      expect(await store.states()).toEqual({ a: "completed" });
      expect((await store.entries()).map(({ callId }) => callId)).toEqual(["a", "a", "a", "a"]);
    });

    it("shares its transaction with changes made at once, in their order", async () => {
      await using store = await open();
      mustCommit(await store.journal.note(noteFor("before")));
      const before = await store.transactions();
      const results = await Promise.all([
        store.journal.note(noteFor("n1")),
        store.journal.commit(first("a", "refused")),
        store.journal.commit(first("a", "refused")),
        store.journal.note(noteFor("n2")),
      ]);
      expect(results.map(codeOf)).toEqual(["committed", "committed", "ILLEGAL_TRANSITION", "committed"]);
      expect((await store.transactions()) - before).toBe(1);
      expect((await store.entries()).map(({ callId }) => callId)).toEqual(["before", "n1", "a", "n2"]);
      expect(await store.isSound()).toBe(true);
    });

    it("that can't be written fails alone", async () => {
      await using store = await open();
      const results = await Promise.all([
        store.journal.note(noteFor("n1")),
        store.journal.note(draftFor("bad", { body: { n: Number.NaN } })),
        store.journal.commit(first("a", "refused")),
      ]);
      expect(results.map(codeOf)).toEqual(["committed", "FAULT", "committed"]);
      expect((await store.entries()).map(({ callId }) => callId)).toEqual(["n1", "a"]);
    });
  });
}
