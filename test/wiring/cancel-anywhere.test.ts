import { describe, expect, it } from "vitest";
import type { Outcome } from "../../src/domain/outcome.ts";
import type { Border } from "../../src/ports/probe.ts";
import type { BatchCall, Gate } from "../../src/wiring/gate.ts";
import { codeOf, openScratchGate } from "../support/scratch-gate.ts";

const CALLS: readonly BatchCall[] = [
  { tool: "write_file", input: { path: "a", content: "one" } },
  { tool: "write_file", input: { path: "b", content: "two" } },
  { tool: "read_file", input: { path: "a" } },
  { tool: "delete_file", input: { path: "a" } },
  { tool: "list_directory", input: { path: "." } },
];
const ENDS = ["completed", "failed", "refused", "cancelled"];

type Made = (gate: Gate, signal: AbortSignal) => Promise<readonly Outcome[]>;

const WAYS: readonly (readonly [string, Made])[] = [
  ["a call", async (gate, signal) => [await gate.call(CALLS[0] as BatchCall, { signal })]],
  [
    "a stream",
    async (gate, signal) =>
      (await Array.fromAsync(gate.stream(CALLS[0] as BatchCall, { signal }))).flatMap((event) =>
        event.kind === "outcome" ? [event.outcome] : [],
      ),
  ],
  ["a batch", async (gate, signal) => (await gate.batch(CALLS, { signal })) as readonly Outcome[]],
];

/** Cancels at the n-th border that any of the calls reaches. */
async function cancelledAt(n: number, made: Made): Promise<{ outcomes: readonly Outcome[]; reached: number }> {
  const stop = new AbortController();
  const borders: Border[] = [];
  const reached = (border: Border) => {
    if (borders.push(border) === n) stop.abort();
  };
  await using scratch = openScratchGate({ inner: { probe: { reached } } });
  const outcomes = await made(scratch.gate, stop.signal);
  const before = borders.length;
  // Nothing is left that could go on, so closing has nothing to wait for.
  await scratch.gate.close();
  expect(borders.length).toBe(before);
  const rows = scratch.rows();
  expect(rows.map(({ callId }) => callId)).toEqual(outcomes.map(({ callId }) => callId).toSorted());
  for (const { state } of rows) expect(ENDS).toContain(state);
  for (const { callId } of outcomes) {
    const ends = scratch
      .entries(callId)
      .filter(({ kind, body }) => kind === "tool.executed" || body["decision"] === "deny");
    expect(ends.length).toBe(1);
  }
  expect((await scratch.gate.ledger.verify()).ok).toBe(true);
  return { outcomes, reached: borders.length };
}

describe.each(WAYS)("cancelling %s", (name, made) => {
  it("at any border: one outcome each, one end each in the ledger, nothing goes on", async () => {
    const { reached } = await cancelledAt(0, made);
    const count = name === "a batch" ? CALLS.length : 1;
    const seen = new Set<string>();
    for (let n = 1; n <= reached; n += name === "a batch" ? 3 : 1) {
      const { outcomes } = await cancelledAt(n, made);
      expect(outcomes.length).toBe(count);
      for (const outcome of outcomes) seen.add(codeOf(outcome));
    }
    expect(seen).toContain("CANCELLED");
    expect(seen).toContain("completed");
  });
});
