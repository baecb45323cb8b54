import { expect, it } from "vitest";
import type { RuleSource } from "../../src/rules/rule.ts";
import { needs } from "../support/parts.ts";
import { openScratchGate } from "../support/scratch-gate.ts";

const asking = (id: string, command: string, write: readonly string[] | null): RuleSource => ({
  ...{ id, effect: "ask", otherwise: true, touch: { exec: [command] } },
  ...(write && { grant: { write } }),
});

async function proposed(rules: readonly RuleSource[], command: string, answer: "approve" | "reject" = "approve") {
  await using scratch = openScratchGate({ rules, config: { tools: { builtin: ["shell"] } } });
  const outcome = await scratch.gate.call({ tool: "run_command", input: { command } }, { whenAsked: "return" });
  if (outcome.kind !== "pending") throw new Error(outcome.kind);
  const question = await scratch.gate.approvals.find(outcome.approval.id);
  if (question === null) throw new Error("no question");
  return scratch.gate.always.propose(question.shown, answer);
}

const OUT = ["./out/**"];

needs("bwrap")("always", () => {
  it.each<[string, readonly RuleSource[], string, object]>([
    ["what the rule that asks grants", [asking("a", "**", OUT)], "touch x", { rule: { grant: { write: OUT } } }],
    [
      "the same of two rules once",
      [asking("a", "touch **", OUT), asking("b", "mkdir **", OUT)],
      "touch x; mkdir y",
      { ok: true, rule: { grant: { write: OUT } } },
    ],
    [
      "nothing by itself where rules grant different things",
      [asking("a", "touch **", OUT), asking("b", "mkdir **", null)],
      "touch x; mkdir y",
      { ok: false, because: "its commands are let run by rules with different grants" },
    ],
  ])("grants %s", async (_, rules, command, expected) => {
    expect(await proposed(rules, command)).toMatchObject(expected);
  });

  it("without a grant it has none, and never grants anything", async () => {
    for (const proposal of [
      await proposed([asking("a", "**", null)], "touch x"),
      await proposed([asking("a", "**", OUT)], "touch x", "reject"),
    ]) {
      expect(proposal).toMatchObject({ ok: true });
      expect(proposal.ok && proposal.rule).not.toHaveProperty("grant");
    }
  });
});
