import { expect, it } from "vitest";
import { NO_GRANT } from "../../src/domain/plan.ts";
import type { Touch } from "../../src/domain/touch.ts";
import { judge } from "../../src/pipeline/judge.ts";
import type { RuleSource } from "../../src/rules/rule.ts";
import { rulesOf } from "../rules/sample-facts.ts";
import { handClock } from "../support/hand-clock.ts";
import { AS_GIVEN, plannedCall, READ, sampleTool, WORKSPACE } from "../support/sample-calls.ts";
import { openScratchGate } from "../support/scratch-gate.ts";

const OPEN: RuleSource = { id: "open", effect: "allow", touch: { read: ["./**"] } };
const tree = (path: string): Touch => ({ kind: "read", path, tree: true });

async function judged(rules: readonly RuleSource[], touches: readonly [Touch, ...Touch[]], input = {}) {
  const call = plannedCall({ input }, { touches, input });
  const ports = { ruleBook: { current: () => rulesOf(rules, WORKSPACE) }, clock: handClock(Date.UTC(2026, 0, 1, 3)) };
  return judge(call, { ...ports, leases: AS_GIVEN });
}

it("a rule that can't be decided refuses with POLICY_FAULT, and says what to do", async () => {
  const step = await judged([OPEN, { id: "erring", effect: "allow", when: "call.input.x == 1" }], [READ]);
  expect(step.kind === "refuse" && step.refusal).toEqual({
    code: "POLICY_FAULT",
    stage: "judge",
    ruleId: "erring",
    message: "rule `erring` can't judge read `a.txt`: its condition can't be decided: no such key: x",
    hint: "a rule that can't be decided denies; correct its condition, for instance by asking `has(…)` first",
  });
});

it.each<[when: string, decision: string]>([
  ['call.tool == "sample" && call.input.x == 1', "allow"],
  ['call.actor == "local:ann" && session.id == "session_1"', "allow"],
  ["now.getHours() == 3", "allow"],
  ["call.input.x == 2", "DEFAULT_DENY"],
])("a condition sees the call, its session and the clock: %s", async (when, decision) => {
  const step = await judged([{ ...OPEN, when }], [READ], { x: 1 });
  expect(step.kind === "pass" ? step.call.verdict.effect : step.refusal.code).toBe(decision);
});

it("what the rules hide in the trees of a call is sealed, once and in order", async () => {
  const rules: readonly RuleSource[] = [
    OPEN,
    { id: "secrets", effect: "deny", touch: { read: ["./**/.env", "./**/*.pem"] } },
    { id: "b", effect: "deny", touch: { read: ["./b/x"] } },
  ];
  const step = await judged(rules, [tree("/w/b"), READ, tree("/w/a")]);
  if (step.kind !== "pass") throw new Error(step.refusal.message);
  const { seal, verdict } = step.call;
  expect(seal.grant).toEqual({ ...NO_GRANT, hide: ["./**/*.pem", "./**/.env", "./b/x"] });
  expect(verdict.touches.map(({ hide }) => hide?.length)).toEqual([3, undefined, 2]);
  const other = await judged(rules.slice(0, 2), [tree("/w/b"), READ, tree("/w/a")]);
  expect(other.kind === "pass" && other.call.seal.digest).not.toBe(seal.digest);
});

it("an explanation shows what is hidden", async () => {
  const name = "walk";
  await using scratch = openScratchGate({
    rules: [OPEN, { id: "secrets", effect: "deny", touch: { read: ["./**/.env"] } }],
    tools: ({ workspace }) => [sampleTool({ name, touches: [tree(workspace)] })],
  });
  const explained = await scratch.gate.explain({ tool: name, input: {} });
  expect(explained).toMatchObject({ decision: "allow", touches: [{ tree: true, hide: ["./**/.env"] }] });
});
