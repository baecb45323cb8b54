import { expect, it } from "vitest";
import type { RunResult } from "../../src/domain/tool.ts";
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
