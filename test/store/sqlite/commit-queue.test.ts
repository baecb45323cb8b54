import { describe, expect, it } from "vitest";
import type { Now } from "../../../src/domain/now.ts";
import type { Refusal } from "../../../src/domain/outcome.ts";
import { GENESIS_HASH } from "../../../src/ledger/chain.ts";
import type { Committed } from "../../../src/ports/journal.ts";
import { CommitQueue, type CommitQueueParts } from "../../../src/store/sqlite/commit-queue.ts";
import { ledgerUnavailable } from "../../../src/store/sqlite/sqlite-fault.ts";
import type { Told } from "../../../src/store/sqlite/writer.ts";
import { first } from "../changes.ts";

const written: Committed = { kind: "committed", receipt: { seq: 1, hash: GENESIS_HASH } };
const refused: Refusal = ledgerUnavailable("other", "broken");
const failed: Committed = { kind: "failed", refusal: refused };

function openQueue(parts: Partial<CommitQueueParts> = {}) {
  const steps: string[] = [];
  const batches: number[] = [];
  const queue = new CommitQueue({
    write: (batch) => {
      steps.push(`written ${batch.length}`);
      batches.push(batch.length);
      return batch.map(() => written);
    },
    sync: () => {
      steps.push("synced");
      return null;
    },
    settled: ({ callId }, { kind }) => steps.push(`${kind} ${callId}`),
    isShared: () => false,
    ...parts,
  });
  const add = (id: string) =>
    queue.add(first(id, "refused")).then(({ kind }) => void steps.push(`${id} heard ${kind}`));
  return { queue, steps, batches, add };
}

const later = async <T>(value: T): Promise<T> => value;
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("CommitQueue", () => {
  it("puts what is handed in during one turn into one transaction, and syncs before anybody hears", async () => {
    const { steps, add } = openQueue();
    await Promise.all([add("a"), add("b")]);
    expect(steps).toEqual([
      "written 2",
      "synced",
      "committed a",
      "committed b",
      "a heard committed",
      "b heard committed",
    ]);
  });

  it("has written and synced a single change before the next turn of the event loop", async () => {
    const { steps, add } = openQueue();
    const heard = add("a");
    let turned = false;
    setImmediate(() => {
      turned = true;
    });
    await heard;
    expect(steps).toEqual(["written 1", "synced", "committed a", "a heard committed"]);
    expect(turned).toBe(false);
  });

  it.each<[string, (value: readonly Committed[]) => Now<readonly Committed[]>, (value: null) => Now<null>]>([
    ["at once", (value) => value, (value) => value],
    ["the writing later", later, (value) => value],
    ["the sync later", (value) => value, later],
    ["both later", later, later],
  ])("gives everybody an answer: %s", async (_, whenWritten, whenSynced) => {
    const { queue, steps, add } = openQueue({
      write: (batch) => whenWritten(batch.map(() => written)),
      sync: () => whenSynced(null),
    });
    for (const id of ["a", "b", "c"]) void add(id);
    await turn();
    void add("d");
    await queue.drained();
    await turn();
    expect(steps.filter((step) => step.includes("heard"))).toEqual(
      ["a", "b", "c", "d"].map((id) => `${id} heard committed`),
    );
  });

  it.each<[string, () => Now<Refusal | null>]>([
    ["at once", () => refused],
    ["later", () => later(refused)],
  ])("lets nobody believe what was not synced: told %s", async (_, sync) => {
    const { steps, add } = openQueue({ sync });
    await Promise.all([add("a"), add("b")]);
    expect(steps).toEqual(["written 2", "failed a", "failed b", "a heard failed", "b heard failed"]);
  });

  it("syncs nothing where nothing was written, and says so to whom it concerns", async () => {
    const { steps, add } = openQueue({ write: (batch) => batch.map(() => failed) });
    await add("a");
    expect(steps).toEqual(["failed a", "a heard failed"]);
    const mixed = openQueue({ write: (batch) => batch.map((_, at) => (at === 0 ? failed : written)) });
    await Promise.all([mixed.add("a"), mixed.add("b")]);
    expect(mixed.steps).toEqual(["synced", "failed a", "committed b", "a heard failed", "b heard committed"]);
  });

  it("says no where a change got no answer", async () => {
    const { steps, add } = openQueue({ write: () => [written] });
    await Promise.all([add("a"), add("b")]);
    expect(steps.slice(-2)).toEqual(["a heard committed", "b heard failed"]);
  });

  it("takes what comes meanwhile into the next transaction, and of very many so many at a time", async () => {
    let sync: (refusal: null) => void = () => {};
    const open = openQueue({ sync: () => new Promise((resolve) => (sync = resolve)) });
    void open.add("a");
    await turn();
    for (let n = 0; n < 600; n++) void open.add(`b${n}`);
    while (open.steps.filter((step) => step.includes("heard")).length < 601) {
      sync(null);
      await turn();
    }
    expect(open.batches).toEqual([1, 256, 256, 88]);
  });

  it("waits a turn for others where calls came several at a time, or are on their way", async () => {
    const shared = openQueue({ isShared: () => true });
    const early = shared.add("a");
    await Promise.resolve();
    await Promise.resolve();
    await Promise.all([early, shared.add("b")]);
    expect(shared.batches).toEqual([2]);
  });

  it.each([
    ["answered callers go on at once", () => Promise.resolve(), ["others come", "others come", "quiet", "quiet"]],
    ["they wait for something else in between", turn, Array(4).fill("others come")],
  ])("tells whether others come: %s", async (_, between, told) => {
    const seen: string[] = [];
    const { queue } = openQueue({
      sync: (_batch, meanwhile) => {
        seen.push(meanwhile);
        return null;
      },
    });
    const caller = async (id: string) => {
      for (let n = 0; n < 4; n++) {
        await queue.add(first(`${id}${n}`, "refused"));
        await between();
      }
    };
    await Promise.all(["a", "b", "c"].map(caller));
    expect(seen).toEqual(told);
  });

  it("is not quiet for two batches after somebody came from outside", async () => {
    const seen: string[] = [];
    let late = () => {};
    const { queue } = openQueue({
      sync: (_batch, meanwhile) => {
        seen.push(meanwhile);
        if (seen.length === 4) setImmediate(() => late());
        return null;
      },
    });
    late = () => void queue.add(first("late", "refused"));
    const caller = async (id: string) => {
      for (let n = 0; n < 8; n++) await queue.add(first(`${id}${n}`, "refused"));
    };
    await Promise.all(["a", "b"].map(caller));
    await queue.drained();
    expect(seen.slice(0, 4)).toEqual(["others come", "others come", "quiet", "quiet"]);
    const from = seen.indexOf("others come", 2);
    expect(from).toBeGreaterThanOrEqual(4);
    expect(seen.slice(from, from + 3)).toEqual(["others come", "others come", "quiet"]);
  });

  it("hands over the changes as they came", async () => {
    const seen: (string | undefined)[] = [];
    const { queue } = openQueue({
      write: (batch: readonly Told[]) => {
        for (const { callId } of batch) seen.push(callId);
        return batch.map(() => written);
      },
    });
    await Promise.all(["x", "y", "z"].map((id) => queue.add(first(id, "refused"))));
    expect(seen).toEqual(["x", "y", "z"]);
  });
});
