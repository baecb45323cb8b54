import { constants, PerformanceObserver } from "node:perf_hooks";
import { expect, it } from "vitest";
import { trimMemoryOnceIdle } from "../../../src/doors/cli/trim-memory.ts";
import { openScratchGate } from "../../support/scratch-gate.ts";

it("collects what starting left behind when nothing runs, and leaves no way to do so behind", async () => {
  await using scratch = openScratchGate();
  let collected = 0;
  const observer = new PerformanceObserver((list) => {
    const entries = list.getEntries() as unknown as readonly { readonly detail: { readonly kind: number } }[];
    collected += entries.filter(({ detail }) => detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR).length;
  });
  observer.observe({ entryTypes: ["gc"] });
  const stop = trimMemoryOnceIdle(scratch.gate);
  await expect.poll(() => collected).toBeGreaterThan(0);
  stop();
  observer.disconnect();
  expect("gc" in globalThis).toBe(false);
});

it("is nothing that a gateway could fail by", async () => {
  await using scratch = openScratchGate();
  const tried = Promise.withResolvers<void>();
  const stop = trimMemoryOnceIdle(scratch.gate, () => {
    tried.resolve();
    throw new Error("this runtime has no such flag");
  });
  await tried.promise;
  stop();
});
