import { setImmediate as turn } from "node:timers/promises";
import fc from "fast-check";
import { expect, it } from "vitest";
import { NOTHING_SPENT, UNLIMITED } from "../../../src/domain/budget.ts";
import type { Change } from "../../../src/ports/journal.ts";
import { asked, codeOf, first, next } from "../changes.ts";
import { isReported, openScratch, statesOf, verify } from "../state-dir.ts";
import { openJournal, readEntries } from "./open-journal.ts";

const hold = {
  budgets: [{ leaseId: "lease_1", budget: { ...UNLIMITED, calls: 1_000_000 } }],
  wanted: { atLeast: NOTHING_SPENT, atMost: { ...NOTHING_SPENT, calls: 1 } },
};

/** What may become of a call, and what is wrong with it. */
const KINDS = ["plain", "held", "bad end", "bad start", "bad question", "bad entry"] as const;
type Kind = (typeof KINDS)[number];

function startOf(id: string, kind: Kind): Change {
  if (kind === "plain") return first(id, "executing");
  if (kind === "bad question") return asked(id, { deadlineMs: 0.5 });
  if (kind === "bad entry") return first(id, "executing", { entries: [{ body: { lone: "\ud800" } }] });
  const atMost = { ...NOTHING_SPENT, calls: kind === "bad start" ? 0.5 : 1 };
  return { ...first(id, "executing"), hold: { ...hold, wanted: { ...hold.wanted, atMost } } };
}

const endOf = (id: string, kind: Kind): Change => ({
  ...next(id, "executing", "completed"),
  ...(kind !== "plain" && { spent: { ...NOTHING_SPENT, calls: 1, tokens: kind === "bad end" ? 0.5 : 1 } }),
});

it("of two processes, each call is written or not by itself, whatever it shares its commit with", async () => {
  using scratch = openScratch();
  const { stateDir } = scratch;
  await using one = openJournal(stateDir, { owner: "owner_a" });
  await using two = openJournal(stateDir, { owner: "owner_b" });
  const journals = [one, two] as const;
  let made = 0;
  const expected = new Map<string, string>();
  const live = async (kind: Kind, nth: number, pause: boolean) => {
    const id = `c${made++}`;
    const journal = journals[nth === 0 ? 0 : 1];
    if (pause) await turn();
    const started = codeOf(await journal.commit(startOf(id, kind)));
    const isStarted = !(["bad start", "bad question", "bad entry"] as readonly Kind[]).includes(kind);
    expect(started).toBe(isStarted ? "committed" : "FAULT");
    if (!isStarted) return;
    const ended = codeOf(await journal.commit(endOf(id, kind)));
    expect(ended).toBe(kind === "bad end" ? "FAULT" : "committed");
    expected.set(id, kind === "bad end" ? "unknown" : "completed");
  };
  const calls = fc.array(fc.tuple(fc.constantFrom(...KINDS), fc.nat(1), fc.boolean()), { minLength: 1, maxLength: 32 });
  await fc.assert(
    fc.asyncProperty(calls, async (some) => {
      await Promise.all(some.map(([kind, nth, pause]) => live(kind, nth, pause)));
    }),
    { numRuns: 15 },
  );
  // Those whose end had no place are told of with the next change of their process.
  for (const [nth, journal] of journals.entries()) await journal.commit(first(`last${nth}`, "refused"));
  const states = new Map(Object.entries(await statesOf(stateDir)));
  for (const [id, state] of expected) expect([id, states.get(id)]).toEqual([id, state]);
  expect(states.size).toBe(expected.size + 2);
  expect(readEntries(stateDir)).toHaveLength(2 * expected.size + 2);
  await one.checkpoint();
  expect(isReported(await verify(stateDir))).toBe(false);
});
