import { expect, it } from "vitest";
import type { RunResult } from "../../src/domain/tool.ts";
import { defineTool } from "../../src/tools/function/define-tool.ts";
import type { Gate } from "../../src/wiring/gate.ts";
import { sampleTool } from "../support/sample-calls.ts";
import { codeOf, openScratchGate } from "../support/scratch-gate.ts";

const DONE: RunResult = { kind: "completed", content: [] };

it("10,000 calls at a time against a budget of 1,000: exactly 1,000 run", async () => {
  let ran = 0;
  const tools = [
    sampleTool({
      name: "read",
      run: () => {
        ran++;
        return DONE;
      },
    }),
  ];
  const rules = [{ id: "all", effect: "allow", tools: ["read"] }] as const;
  await using scratch = openScratchGate({ rules, tools });
  const gates: readonly Gate[] = [scratch.gate, scratch.again(), scratch.again()];
  const opened = await scratch.gate.sessions.open({ tools: ["read"], read: ["/**"], budget: { calls: 1000 } });
  if (opened.kind === "refused") throw new Error(opened.refusal.message);
  const { session } = opened;
  const outcomes = await Promise.all(
    Array.from({ length: 10_000 }, (_, i) =>
      (gates[i % gates.length] as Gate).call({ tool: "read", input: { i }, session }),
    ),
  );
  const counts = new Map<string, number>();
  for (const code of outcomes.map(codeOf)) counts.set(code, (counts.get(code) ?? 0) + 1);
  expect([ran, Object.fromEntries(counts)]).toEqual([1000, { completed: 1000, BUDGET_EXCEEDED: 9000 }]);
  expect(await scratch.gate.ledger.verify()).toMatchObject({ ok: true });
});

it.each([
  ["tokens", 5000],
  ["costMicros", 5000],
  ["bytes", 5_000_000],
  ["calls", 50],
] as const)(
  "2,000 calls at a time from three gates against a budget of %s: it is not overspent",
  async (kind, limit) => {
    let next = 0;
    const usageMax = { tokens: 100, costMicros: 100 };
    const used = () => next++ % 101;
    const tools = [
      defineTool({
        ...{ name: "known", description: "asks little", inputSchema: { type: "object" }, usageMax },
        touches: () => [{ kind: "read", path: "/w/a" }],
        execute: async () => {
          await new Promise((resolve) => setImmediate(resolve));
          const text = "\n".repeat(used() * 100);
          return { content: [{ type: "text", text }], usage: { tokens: used(), costMicros: used() } };
        },
      }),
    ];
    const rules = [{ id: "all", effect: "allow", tools: ["known"] }] as const;
    await using scratch = openScratchGate({ rules, tools });
    const gates: readonly Gate[] = [scratch.gate, scratch.again(), scratch.again()];
    const opened = await scratch.gate.sessions.open({ tools: ["known"], read: ["/**"], budget: { [kind]: limit } });
    if (opened.kind === "refused") throw new Error(opened.refusal.message);
    const { session } = opened;
    const outcomes = await Promise.all(
      Array.from({ length: 2000 }, (_, i) =>
        (gates[i % gates.length] as Gate).call({ tool: "known", input: { i }, session }),
      ),
    );
    const codes = new Set(outcomes.map(codeOf));
    expect([...codes].toSorted()).toEqual(["BUDGET_EXCEEDED", "completed"]);
    const spent = (await scratch.gate.sessions.find(session.id))?.spent?.[kind] ?? 0;
    expect(spent).toBeGreaterThan(0);
    expect(spent).toBeLessThanOrEqual(limit);
  },
);
