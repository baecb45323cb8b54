import { describe, expect, it } from "vitest";
import type { ApprovedCall, Tool } from "../../src/domain/call.ts";
import type { Outcome } from "../../src/domain/outcome.ts";
import type { RunResult } from "../../src/domain/tool.ts";
import type { RuleSource } from "../../src/rules/rule.ts";
import { compileRules } from "../../src/rules/rule-set.ts";
import { SqliteJournal } from "../../src/store/sqlite/journal.ts";
import { systemClock } from "../../src/wiring/system-clock.ts";
import { actingTool } from "../support/acting-tool.ts";
import { YES } from "../support/open-approver.ts";
import { DONE } from "../support/sample-calls.ts";
import { ALLOW_ALL, ASK_ALL, codeOf, openScratchGate, type ScratchGate } from "../support/scratch-gate.ts";
import { type Told, unsteadyJournal } from "../support/unsteady-journal.ts";

const CONFLICT: RunResult = {
  kind: "failed",
  error: { code: "CONFLICT", message: "changed since it was judged", retryable: true },
  content: [],
};
const FAILED: RunResult = { ...CONFLICT, error: { ...CONFLICT.error, code: "IO_ERROR" } };

/** A tool that gives one result after the other, with what is told of each run. */
function fickle(scratch: ScratchGate, results: readonly RunResult[], before: (attempt: number) => void = () => {}) {
  const runs: ApprovedCall[] = [];
  const tool: Tool = {
    ...actingTool(scratch.workspace).tool,
    run: (call) => {
      before(runs.push(call));
      return results[runs.length - 1] ?? DONE;
    },
  };
  return { tool, runs };
}

const kindsOf = (scratch: ScratchGate, { callId }: Outcome) =>
  scratch
    .entries(callId)
    .map(({ kind, body }) => [kind, body["decision"] ?? body["attempt"] ?? body["outcome"]].filter(Boolean).join(" "));

const ruleBook = (scratch: ScratchGate, rules: () => readonly RuleSource[]) => ({
  current: () => {
    const compiled = compileRules(rules(), { workspace: scratch.workspace });
    if (!compiled.ok) throw new Error("rules");
    return compiled.rules;
  },
});

describe("a call whose files changed between judging and running", () => {
  it("is planned and judged afresh, and completes in its second attempt", async () => {
    await using scratch = openScratchGate();
    const { tool, runs } = fickle(scratch, [CONFLICT, DONE]);
    const outcome = await scratch.again({ tools: [tool] }).call({ tool: "act", input: {} });
    expect(outcome).toMatchObject({ kind: "completed", attempts: 2 });
    expect(runs).toHaveLength(2);
    expect(kindsOf(scratch, outcome)).toEqual([
      "tool.requested",
      "tool.decided allow",
      "tool.started 2",
      "tool.executed completed",
    ]);
  });

  it("once: a second conflict is the call's", async () => {
    await using scratch = openScratchGate();
    const { tool, runs } = fickle(scratch, [CONFLICT, CONFLICT, DONE]);
    const outcome = await scratch.again({ tools: [tool] }).call({ tool: "act", input: {} });
    expect([codeOf(outcome), runs.length, scratch.rows().at(-1)?.state]).toEqual(["CONFLICT", 2, "failed"]);
    expect(kindsOf(scratch, outcome).at(-1)).toBe("tool.executed failed");
  });

  it("with a plan of its own: what runs then is what the ledger then says", async () => {
    await using scratch = openScratchGate();
    scratch.put("a.txt", "one");
    let isFaster = true;
    const probe = {
      reached: (border: string) => {
        // Somebody is faster, once: after the plan, before the write.
        if (border === "started" && isFaster) scratch.put("a.txt", "two");
        isFaster &&= border !== "started";
      },
    };
    const gate = scratch.again({ inner: { probe } });
    const outcome = await gate.call({ tool: "write_file", input: { path: "a.txt", content: "mine" } });
    expect(outcome).toMatchObject({ kind: "completed", attempts: 2 });
    expect(scratch.text("a.txt")).toBe("mine");
    const digests = scratch.entries(outcome.callId).map(({ planDigest }) => planDigest);
    expect(digests[3]).toBe(digests[2]); // started again, executed
    expect(digests[2]).not.toBe(digests[1]); // another file before, another plan
  });

  it.each<[string, RunResult]>([
    ["completes", DONE],
    ["fails of something else", FAILED],
    ["stops", { kind: "stopped" }],
  ])("and none that %s", async (_, result) => {
    await using scratch = openScratchGate();
    const { tool, runs } = fickle(scratch, [result]);
    await scratch.again({ tools: [tool] }).call({ tool: "act", input: {} });
    expect(runs).toHaveLength(1);
  });

  it("but not one that a person approved: they saw the plan of before", async () => {
    await using scratch = openScratchGate();
    const { tool, runs } = fickle(scratch, [CONFLICT, DONE]);
    const gate = scratch.again({ rules: ASK_ALL, tools: [tool], approver: { ask: async () => YES } });
    expect(codeOf(await gate.call({ tool: "act", input: {} }))).toBe("CONFLICT");
    const pending = await gate.call({ tool: "act", input: {} }, { whenAsked: "return" });
    const given = await gate.approvals.answer(pending.kind === "pending" ? pending.approval.id : "", YES);
    runs.length = 0;
    const carried = "question" in given ? await gate.approvals.carryOn(given.question) : null;
    expect([carried && codeOf(carried), runs.length]).toEqual(["CONFLICT", 1]);
  });

  it.each<[string, readonly RuleSource[]]>([
    ["asked about", ASK_ALL],
    ["denied", [{ id: "no", effect: "deny" }]],
    ["covered by no rule", []],
  ])("and that is %s by then is not run again", async (_, then) => {
    await using scratch = openScratchGate();
    let rules = ALLOW_ALL;
    const { tool, runs } = fickle(scratch, [CONFLICT, DONE], () => {
      rules = then;
    });
    const inner = { ruleBook: ruleBook(scratch, () => rules) };
    const gate = scratch.again({ tools: [tool], inner, approver: { ask: async () => YES } });
    const outcome = await gate.call({ tool: "act", input: {} });
    expect([outcome.kind, codeOf(outcome), runs.length]).toEqual(["failed", "CONFLICT", 1]);
    expect(scratch.rows().at(-1)?.state).toBe("failed");
    expect(await gate.approvals.list()).toEqual([]);
  });

  it("and whose caller is gone by then is not run again", async () => {
    await using scratch = openScratchGate();
    const stop = new AbortController();
    const { tool, runs } = fickle(scratch, [CONFLICT, DONE]);
    const probe = { reached: (border: string) => void (border === "ran" && stop.abort()) };
    const gate = scratch.again({ tools: [tool], inner: { probe } });
    const outcome = await gate.call({ tool: "act", input: {} }, { signal: stop.signal });
    expect([outcome.kind, codeOf(outcome), runs.length]).toEqual(["failed", "CANCELLED", 1]);
    expect(scratch.rows().at(-1)?.state).toBe("cancelled");
  });

  it.each<[string, (told: Told) => "none" | "fails" | "throws", string, number]>([
    ["can't take the second start", secondNote("fails"), "CONFLICT", 1],
    ["falls over at the second start", secondNote("throws"), "OUTCOME_UNKNOWN", 1],
    ["can't take the end", ({ from }) => (from === "executing" ? "fails" : "none"), "OUTCOME_UNKNOWN", 2],
  ])("and a ledger that %s", async (_, trouble, code, times) => {
    await using scratch = openScratchGate();
    const { stateDir } = scratch;
    const sqlite = new SqliteJournal({ stateDir, durability: "normal", owner: "owner_x", clock: systemClock });
    const { tool, runs } = fickle(scratch, [CONFLICT, DONE]);
    const gate = scratch.again({ tools: [tool], inner: { journal: unsteadyJournal(sqlite, trouble) } });
    expect(codeOf(await gate.call({ tool: "act", input: {} }))).toBe(code);
    expect(runs).toHaveLength(times);
  });

  /** The first note tells of the rules, the second of the second start. */
  function secondNote(how: "fails" | "throws") {
    let notes = 0;
    return ({ to }: Told) => (to === "note" && ++notes === 2 ? how : "none");
  }

  it("and a second attempt that throws has failed", async () => {
    await using scratch = openScratchGate();
    const { tool, runs } = fickle(scratch, [CONFLICT], (attempt) => {
      if (attempt === 2) throw new Error("mine");
    });
    const outcome = await scratch.again({ tools: [tool] }).call({ tool: "act", input: {} });
    expect([codeOf(outcome), runs.length]).toEqual(["TOOL_FAILED", 2]);
  });
});
