import { rmSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { openScratchGate } from "../support/scratch-gate.ts";

const READ = { tool: "read_file", input: { path: "a" } };

describe("the ledger, asked by people", () => {
  it("is empty before the first call, and asking does not make it", async () => {
    await using scratch = openScratchGate();
    const { ledger } = scratch.gate;
    expect([
      ledger.size(),
      [...ledger.entries({ from: 1, to: 9 })],
      ledger.entriesOf("x"),
      await ledger.prove(1),
    ]).toEqual([0, [], [], null]);
    expect(await ledger.verify()).toEqual({
      ok: false,
      code: "MISSING",
      reason: "MISSING: there is no `journal.db`",
      hint: expect.stringContaining("the first call makes one"),
    });
  });

  it("tells of all entries, or of one call's", async () => {
    await using scratch = openScratchGate();
    const { ledger } = scratch.gate;
    const [one, two] = [await scratch.gate.call(READ), await scratch.gate.call(READ)];
    expect(ledger.size()).toBe(7); // the rules, and three entries a call
    expect([...ledger.entries({ from: 3, to: 5 })].map(({ seq }) => seq)).toEqual([3, 4, 5]);
    expect(ledger.entriesOf(two.callId).map(({ seq }) => seq)).toEqual([5, 6, 7]);
    expect(ledger.entriesOf(one.callId).at(-1)).toMatchObject(one.receipt ?? {});
    expect(ledger.entriesOf("call_x")).toEqual([]);
  });

  it("proves what is under a checkpoint, and nothing else", async () => {
    await using scratch = openScratchGate();
    const { ledger } = scratch.gate;
    const { receipt } = await scratch.gate.call(READ);
    expect(await ledger.prove(4)).toBeNull();
    expect(await ledger.checkpoint()).toMatchObject({ size: 4 });
    expect(await ledger.checkpoint()).toBeNull();
    expect(await ledger.prove(4)).toMatchObject({ index: 3, size: 4, entry: { hash: receipt?.hash } });
    expect(await ledger.prove(5)).toBeNull();
  });

  it("says in words what is wrong", async () => {
    await using scratch = openScratchGate();
    await scratch.gate.call(READ);
    await scratch.gate.close();
    expect(await scratch.gate.ledger.verify()).toMatchObject({
      ok: true,
      findings: [],
      key: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    const { ledger } = scratch.gate;
    expect(await ledger.verify({ key: "0".repeat(64) })).toMatchObject({
      ok: false,
      reason: expect.stringContaining("not the one expected"),
    });
    rmSync(scratch.stateDir, { recursive: true });
    expect(await ledger.verify()).toMatchObject({ ok: false, reason: expect.stringContaining("MISSING") });
  });
});
