import { expect, it } from "vitest";
import type { RunResult } from "../../../src/domain/tool.ts";
import { CallSteps } from "../../../src/tools/mcp/call-steps.ts";

const END: RunResult = { kind: "lost" };

it("tells all that was told before it was asked, in its order", async () => {
  const steps = new CallSteps();
  steps.progress({ message: "one" });
  steps.progress({ message: "two" });
  steps.end(END);
  expect([await steps.next(), await steps.next(), await steps.next()]).toEqual([
    { done: false, value: { message: "one" } },
    { done: false, value: { message: "two" } },
    { done: true, value: END },
  ]);
});

it("tells what comes later to who waits for it", async () => {
  const steps = new CallSteps();
  const first = steps.next();
  steps.progress({ message: "one" });
  const last = steps.next();
  steps.end(END);
  expect([await first, await last]).toEqual([
    { done: false, value: { message: "one" } },
    { done: true, value: END },
  ]);
});

it("hands our own mistake to who waits", async () => {
  const steps = new CallSteps();
  const next = steps.next();
  steps.fail(new Error("ours"));
  await expect(next).rejects.toThrow("ours");
});

it("leaves steps out that come faster than they are heard, and never the end", async () => {
  const steps = new CallSteps();
  for (let at = 0; at < 10_000; at++) steps.progress({ message: `${at}` });
  steps.end(END);
  const told: unknown[] = [];
  for (;;) {
    const { done, value } = await steps.next();
    if (done) {
      expect(value).toBe(END);
      break;
    }
    told.push(value.message);
  }
  expect(told.length).toBeLessThan(100);
  expect(told.slice(0, 3)).toEqual(["0", "1", "2"]);
});
