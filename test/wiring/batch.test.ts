import { describe, expect, it } from "vitest";
import type { Outcome } from "../../src/domain/outcome.ts";
import type { BatchResult } from "../../src/wiring/gate.ts";
import { actingTool } from "../support/acting-tool.ts";
import { codeOf, openScratchGate, type ScratchGate } from "../support/scratch-gate.ts";
import { batchesLikeOneByOne } from "./like-one-by-one.ts";

const codesOf = (results: readonly BatchResult[]) => results.map((result) => codeOf(result as Outcome));

describe("a batch", () => {
  it("leaves the same workspace and gives the same results as its calls one by one", async () => {
    const { calls, completed } = await batchesLikeOneByOne(40);
    expect(completed).toBeGreaterThan(calls / 20); // else they are all refused, and prove nothing
  });

  it("gives an outcome for each call and an explanation where one is asked for, in their order", async () => {
    await using scratch = openScratchGate();
    const results = await scratch.gate.batch([
      { tool: "write_file", input: { path: "a", content: "x" } },
      { tool: "write_file", input: { path: "a", content: "y" }, op: "explain" },
      { tool: "read_file", input: { path: "./d/../a" } },
      { tool: "reed_file", input: {} },
    ]);
    expect(results).toMatchObject([
      { kind: "completed", tool: "write_file" },
      { decision: "allow", touches: [{ kind: "write" }] },
      { kind: "completed", content: [{ text: "x" }] },
      { kind: "refused", refusal: { code: "TOOL_UNKNOWN" } },
    ]);
    expect(scratch.rows().length).toBe(3);
  });

  it("gives the calls ids in their order", async () => {
    await using scratch = openScratchGate();
    const calls = Array.from({ length: 50 }, (_, n) => ({ tool: "read_file", input: { path: `f${n}` } }));
    const ids = (await scratch.gate.batch(calls)).map((result) => (result as Outcome).callId);
    expect(ids).toEqual(ids.toSorted());
  });

  it.each([0, 257, 1.5, Number.NaN])("of a concurrency of %d does not exist", async (concurrency) => {
    await using scratch = openScratchGate();
    await expect(scratch.gate.batch([], { concurrency })).rejects.toThrow("a whole number from 1 to 256");
  });

  it("after the gate is closed runs nothing", async () => {
    await using scratch = openScratchGate();
    await scratch.gate.close();
    const results = await scratch.gate.batch([{ tool: "write_file", input: { path: "a", content: "x" } }]);
    expect(codesOf(results)).toEqual(["CANCELLED"]);
  });
});

/** A tool that goes on until it is told to stop. */
function waiting(scratch: ScratchGate) {
  const begun: (() => void)[] = [];
  const { tool, ran } = actingTool(scratch.workspace, {
    name: "wait",
    touches: [{ kind: "read", path: scratch.workspace }],
    act: (_, signal) =>
      new Promise<string>((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(new Error("stopped")));
        for (const tell of begun.splice(0)) tell();
      }),
  });
  return { tool, ran, whenBegun: () => new Promise<void>((resolve) => begun.push(resolve)) };
}

const WAIT = { tool: "wait", input: {} };

describe("cancelling", () => {
  it("a batch: one outcome for each call, one end for each in the ledger, and nothing goes on", async () => {
    await using scratch = openScratchGate();
    const { tool, ran, whenBegun } = waiting(scratch);
    const gate = scratch.again({ tools: [tool] });
    const stop = new AbortController();
    const begun = whenBegun();
    const write = { tool: "write_file", input: { path: "a", content: "x" } };
    const results = gate.batch([WAIT, WAIT, write, WAIT], { signal: stop.signal });
    await begun;
    stop.abort();
    expect(codesOf(await results)).toEqual(["CANCELLED", "CANCELLED", "CANCELLED", "CANCELLED"]);
    expect(scratch.rows().map(({ state }) => state)).toEqual(Array(4).fill("cancelled"));
    // The write waits for those that look at its folder, and the last one for the write.
    expect(ran()).toBeLessThanOrEqual(2);
    expect(() => scratch.text("a")).toThrow();
  });

  it("before it begins runs nothing", async () => {
    await using scratch = openScratchGate();
    const write = { tool: "write_file", input: { path: "a", content: "x" } };
    const results = await scratch.gate.batch([write, write], { signal: AbortSignal.abort() });
    expect(codesOf(results)).toEqual(["CANCELLED", "CANCELLED"]);
    expect(() => scratch.text("a")).toThrow();
  });

  it("a call and a stream: one outcome each", async () => {
    await using scratch = openScratchGate();
    const { tool, whenBegun } = waiting(scratch);
    const gate = scratch.again({ tools: [tool] });
    for (const made of [
      (signal: AbortSignal) => gate.call(WAIT, { signal }),
      async (signal: AbortSignal) => {
        const event = (await Array.fromAsync(gate.stream(WAIT, { signal }))).at(-1);
        if (event?.kind !== "outcome") throw new Error("no outcome");
        return event.outcome;
      },
    ]) {
      const stop = new AbortController();
      const begun = whenBegun();
      const outcome = made(stop.signal);
      await begun;
      stop.abort();
      expect(codeOf(await outcome)).toBe("CANCELLED");
    }
  });

  it("who leaves a stream or a batch early finds nothing running", async () => {
    await using scratch = openScratchGate();
    const { tool, whenBegun } = waiting(scratch);
    const gate = scratch.again({ tools: [tool] });
    scratch.put("a");
    const begun = whenBegun();
    for await (const result of gate.results([{ tool: "read_file", input: { path: "a" } }, WAIT])) {
      expect(codeOf(result as Outcome)).toBe("completed");
      await begun;
      break;
    }
    const stream = gate.stream(WAIT);
    const again = whenBegun();
    void stream.next();
    await again;
    await stream.return();
    expect(scratch.rows().map(({ state }) => state)).toEqual(["completed", "cancelled", "cancelled"]);
  });
});

describe("a stream", () => {
  it("tells of a call's progress, and last of its outcome", async () => {
    await using scratch = openScratchGate();
    const { tool } = actingTool(scratch.workspace);
    const steps: typeof tool = {
      ...tool,
      async *run() {
        yield { message: "half", done: 1, total: 2 };
        return { kind: "completed", content: [] };
      },
    };
    const gate = scratch.again({ tools: [steps] });
    expect(await Array.fromAsync(gate.stream({ tool: "act", input: {} }))).toMatchObject([
      { kind: "progress", message: "half", done: 1, total: 2 },
      { kind: "outcome", outcome: { kind: "completed", tool: "act" } },
    ]);
  });
});
