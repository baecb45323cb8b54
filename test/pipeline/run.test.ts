import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { EVERYTHING } from "../../src/domain/lease.ts";
import { LIMITS } from "../../src/domain/limits.ts";
import type { Outcome } from "../../src/domain/outcome.ts";
import type { PersonsAnswer } from "../../src/domain/question.ts";
import type { Border } from "../../src/ports/probe.ts";
import type { RuleSource } from "../../src/rules/rule.ts";
import { compileRules } from "../../src/rules/rule-set.ts";
import { makeTool } from "../../src/tools/make-tool.ts";
import { catalogOf } from "../../src/wiring/catalog-of.ts";
import { type Acting, actingTool } from "../support/acting-tool.ts";
import { foreignPromise } from "../support/foreign-promise.ts";
import { handClock } from "../support/hand-clock.ts";
import { NO, openApprover, YES } from "../support/open-approver.ts";
import { DONE } from "../support/sample-calls.ts";
import {
  ALLOW_ALL,
  ASK_ALL,
  asKind,
  codeOf,
  type GateParts,
  openScratchGate,
  type ScratchGate,
} from "../support/scratch-gate.ts";

/** Makes an asked call, lets `meanwhile` happen while the question is open, and answers it. */
async function asked(
  scratch: ScratchGate,
  parts: GateParts,
  meanwhile: () => unknown,
  answer: PersonsAnswer = YES,
): Promise<{ outcome: Outcome; open: string | undefined }> {
  const question = openApprover();
  const gate = scratch.again({ rules: ASK_ALL, approver: question.approver, ...parts });
  const made = gate.call({ tool: "write_file", input: { path: "a.txt", content: "new" } });
  await question.asked;
  const open = scratch.rows().at(-1)?.state;
  await meanwhile();
  question.answer(answer);
  return { outcome: await made, open };
}

const broken = (): never => {
  throw new Error("asked");
};
const lastState = (scratch: ScratchGate) => scratch.rows().at(-1)?.state;
const kindsOf = (scratch: ScratchGate, { callId }: Outcome) => scratch.entries(callId).map(({ kind }) => kind);

describe("a call that is asked about", () => {
  it("waits, is approved, runs and completes", async () => {
    await using scratch = openScratchGate();
    const { outcome, open } = await asked(scratch, {}, () => {});
    expect(open).toBe("awaiting_approval");
    expect(outcome.kind).toBe("completed");
    expect(scratch.text("a.txt")).toBe("new");
    expect(kindsOf(scratch, outcome)).toEqual([
      "tool.requested",
      "tool.decided",
      "approval.answered",
      "tool.started",
      "tool.executed",
    ]);
    expect(scratch.entries(outcome.callId)[2]?.body).toEqual({ answer: "approve", reason: null, who: "ann" });
    expect(lastState(scratch)).toBe("completed");
  });

  it.each<PersonsAnswer>([NO, { ...NO, reason: "no" }])("and answered with %j is not run", async (answer) => {
    await using scratch = openScratchGate();
    const { outcome } = await asked(scratch, {}, () => {}, answer);
    expect([outcome.kind, codeOf(outcome), lastState(scratch)]).toEqual(["refused", "APPROVAL_REJECTED", "rejected"]);
    expect(() => scratch.text("a.txt")).toThrow("ENOENT");
    expect(kindsOf(scratch, outcome)).toEqual(["tool.requested", "tool.decided", "approval.answered"]);
    const last = scratch.entries(outcome.callId).at(-1);
    expect(last).toMatchObject({ actor: "ann", body: { answer: "reject", reason: answer.reason ?? null, who: "ann" } });
    expect(outcome.receipt).toEqual({ seq: last?.seq, hash: last?.hash });
  });

  it("can be cancelled while the question is open, whatever the approver does", async () => {
    await using scratch = openScratchGate();
    const question = openApprover();
    const stop = new AbortController();
    const gate = scratch.again({ rules: ASK_ALL, approver: question.approver });
    const made = gate.call({ tool: "write_file", input: { path: "a.txt", content: "new" } }, { signal: stop.signal });
    await question.asked;
    stop.abort();
    const outcome = await made;
    expect([codeOf(outcome), lastState(scratch)]).toEqual(["CANCELLED", "cancelled"]);
    expect(question.signal()?.aborted).toBe(true);
    question.answer(YES);
    await gate.close();
    expect(() => scratch.text("a.txt")).toThrow("ENOENT");
  });

  it("expires at the deadline, whatever the approver does", async () => {
    await using scratch = openScratchGate();
    const clock = handClock();
    const question = openApprover();
    const gate = scratch.again({ rules: ASK_ALL, approver: question.approver, inner: { clock } });
    const made = gate.call({ tool: "write_file", input: { path: "a.txt", content: "new" } });
    await question.asked;
    clock.move(LIMITS.approvalMs.default);
    expect([codeOf(await made), lastState(scratch)]).toEqual(["APPROVAL_EXPIRED", "expired"]);
  });
});

describe("approve A, run B (A27)", () => {
  it("a file that changed meanwhile is not overwritten", async () => {
    await using scratch = openScratchGate();
    scratch.put("a.txt", "old");
    const { outcome } = await asked(scratch, {}, () => scratch.put("a.txt", "somebody else's"));
    expect([codeOf(outcome), lastState(scratch)]).toEqual(["APPROVAL_STALE", "refused"]);
    expect(scratch.text("a.txt")).toBe("somebody else's");
    const entries = scratch.entries(outcome.callId);
    expect(entries.map(({ kind }) => kind)).toEqual([
      "tool.requested",
      "tool.decided",
      "approval.answered",
      "tool.decided",
    ]);
    expect(entries.at(-1)?.planDigest).toBe(entries.at(1)?.planDigest);
  });

  it("a file that appeared meanwhile is not overwritten", async () => {
    await using scratch = openScratchGate();
    const { outcome } = await asked(scratch, {}, () => scratch.put("a.txt", "somebody else's"));
    expect(codeOf(outcome)).toBe("APPROVAL_STALE");
    expect(scratch.text("a.txt")).toBe("somebody else's");
  });

  it("a file that was written anew with the same content is what was approved", async () => {
    await using scratch = openScratchGate();
    scratch.put("a.txt", "old");
    const { outcome } = await asked(scratch, {}, () => scratch.put("a.txt", "old"));
    expect(outcome.kind).toBe("completed");
  });

  const ruleBook = (scratch: ScratchGate, sources: () => readonly RuleSource[]) => ({
    current: () => {
      const compiled = compileRules(sources(), { workspace: scratch.workspace });
      if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems));
      return compiled.rules;
    },
  });

  it.each<[string, readonly RuleSource[], string]>([
    ["another reason", [{ ...(ASK_ALL[0] as RuleSource), because: "new words" }], "APPROVAL_STALE"],
    [
      "one more rule that is far away",
      [...ASK_ALL, { id: "far", effect: "deny", touch: { read: ["/far"] } }],
      "APPROVAL_STALE",
    ],
    ["an allow instead", ALLOW_ALL, "completed"], // as "always" does: nobody's word is needed any more
    ["a deny", [...ASK_ALL, { id: "no", effect: "deny" }], "RULE_DENY"],
    ["no rule at all", [], "DEFAULT_DENY"],
    ["the same rules", ASK_ALL, "completed"],
  ])("rules that changed to %s", async (_, changed, code) => {
    await using scratch = openScratchGate();
    let sources = ASK_ALL;
    const { outcome } = await asked(scratch, { inner: { ruleBook: ruleBook(scratch, () => sources) } }, () => {
      sources = changed;
    });
    expect(codeOf(outcome)).toBe(code);
  });

  it.each<[string, (acting: Acting) => Acting, string]>([
    ["its name", (acting) => ({ ...acting, name: "other" }), "TOOL_UNKNOWN"],
    ["its touches", (acting) => ({ ...acting, touches: [{ kind: "write", path: "/elsewhere" }] }), "DEFAULT_DENY"],
    ["nothing", (acting) => acting, "completed"],
  ])("a tool that changed %s", async (_, change, code) => {
    await using scratch = openScratchGate();
    const question = openApprover();
    let acting = actingTool(scratch.workspace);
    const catalog = () => catalogOf([acting.tool]);
    const find = (name: string) => catalog().find(name);
    const gate = scratch.again({
      rules: ASK_ALL,
      approver: question.approver,
      inner: { catalog: { find, names: () => catalog().names(), all: () => catalog().all() } },
    });
    const made = gate.call({ tool: "act", input: {} });
    await question.asked;
    acting = actingTool(scratch.workspace, change({}));
    question.answer(YES);
    expect(codeOf(await made)).toBe(code);
    expect(acting.ran()).toBe(code === "completed" ? 1 : 0);
  });

  it.each(["description", "timeoutMs", "inputSchema"] as const)("a tool whose %s changed", async (field) => {
    await using scratch = openScratchGate();
    const question = openApprover();
    const { tool, ran } = actingTool(scratch.workspace);
    const other = { description: "acts!", timeoutMs: 1, inputSchema: { type: "object" } }[field];
    let definition = tool.definition;
    const current = () => makeTool({ ...tool, definition });
    const catalog = { find: () => current(), names: () => ["act"], all: () => [current()] };
    const gate = scratch.again({ rules: ASK_ALL, approver: question.approver, inner: { catalog } });
    const call = gate.call({ tool: "act", input: {} });
    await question.asked;
    definition = { ...definition, [field]: other };
    question.answer(YES);
    expect(codeOf(await call)).toBe("APPROVAL_STALE");
    expect(ran()).toBe(0);
  });

  it("a lease that ended meanwhile", async () => {
    await using scratch = openScratchGate();
    const clock = handClock();
    const question = openApprover();
    const gate = scratch.again({ rules: ASK_ALL, approver: question.approver, inner: { clock } });
    const lease = { ...EVERYTHING, expiresAtMs: clock.nowMs() + 1000 };
    const made = gate.call({
      tool: "write_file",
      input: { path: "a.txt", content: "new" },
      session: { id: "s", project: "default", lease },
    });
    await question.asked;
    clock.move(1000);
    question.answer(YES);
    expect([codeOf(await made), lastState(scratch)]).toEqual(["LEASE_EXPIRED", "refused"]);
  });
});

describe("a call that is cancelled", () => {
  it.each<Border>(["received", "planned", "judged", "asked", "answered", "approved"])(
    "at the border `%s` of an asked call runs nothing, and is cancelled in the ledger",
    async (border) => {
      await using scratch = openScratchGate();
      const stop = new AbortController();
      const acting = actingTool(scratch.workspace);
      const probe = { reached: (at: Border) => void (at === border && stop.abort()) };
      const approver = { ask: async () => YES };
      const gate = scratch.again({ rules: ASK_ALL, tools: [acting.tool], approver, inner: { probe } });
      const outcome = await gate.call({ tool: "act", input: {} }, { signal: stop.signal });
      expect([outcome.kind, codeOf(outcome), lastState(scratch), acting.ran()]).toEqual([
        "refused",
        "CANCELLED",
        "cancelled",
        0,
      ]);
      expect(await gate.approvals.list()).toEqual([]);
    },
  );

  it("before it was made opens no question, whether anybody would wait for it or not", async () => {
    await using scratch = openScratchGate();
    const gate = scratch.again({ rules: ASK_ALL, approver: { ask: broken } });
    for (const whenAsked of ["wait", "return"] as const) {
      const outcome = await gate.call(
        { tool: "write_file", input: { path: "a", content: "x" } },
        { signal: AbortSignal.abort(), whenAsked },
      );
      expect(codeOf(outcome)).toBe("CANCELLED");
      expect(kindsOf(scratch, outcome)).toEqual(["tool.requested", "tool.decided"]);
    }
    expect(await gate.approvals.list()).toEqual([]);
  });

  it("before it was made is refused, and runs nothing", async () => {
    await using scratch = openScratchGate();
    const acting = actingTool(scratch.workspace);
    const gate = scratch.again({ tools: [acting.tool] });
    const outcome = await gate.call({ tool: "act", input: {} }, { signal: AbortSignal.abort() });
    expect([outcome.kind, codeOf(outcome), lastState(scratch), acting.ran()]).toEqual([
      "refused",
      "CANCELLED",
      "cancelled",
      0,
    ]);
  });

  it("while it runs fails once the tool has stopped", async () => {
    await using scratch = openScratchGate();
    const stop = new AbortController();
    const acting = actingTool(scratch.workspace, {
      act: (_, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason), { once: true });
          stop.abort();
        }),
    });
    const outcome = await scratch
      .again({ tools: [acting.tool] })
      .call({ tool: "act", input: {} }, { signal: stop.signal });
    expect([outcome.kind, codeOf(outcome), lastState(scratch)]).toEqual(["failed", "CANCELLED", "cancelled"]);
  });

  it("while it runs is unknown where the tool does not stop", async () => {
    await using scratch = openScratchGate();
    const clock = handClock();
    const stop = new AbortController();
    const acting = actingTool(scratch.workspace, { act: () => new Promise(() => stop.abort()) });
    const made = scratch
      .again({ tools: [acting.tool], inner: { clock } })
      .call({ tool: "act", input: {} }, { signal: stop.signal });
    while (acting.ran() === 0) await setImmediate();
    clock.move(LIMITS.stopGraceMs.default);
    expect([(await made).kind, lastState(scratch)]).toEqual(["unknown", "unknown"]);
  });

  it("by the clock, and completes all the same, has completed", async () => {
    await using scratch = openScratchGate();
    const clock = handClock();
    const acting = actingTool(scratch.workspace, {
      act: (_, signal) => new Promise((resolve) => signal.addEventListener("abort", () => resolve("late"))),
    });
    const made = scratch.again({ tools: [acting.tool], inner: { clock } }).call({ tool: "act", input: {} });
    while (acting.ran() === 0) await setImmediate();
    clock.move(LIMITS.toolTimeoutMs.default);
    expect([codeOf(await made), lastState(scratch)]).toEqual(["completed", "completed"]);
  });
});

describe("the borders", () => {
  const UNASKED: readonly Border[] = [
    "received",
    "resolved",
    "validated",
    "planned",
    "judged",
    "approved",
    "started",
    "ran",
    "finished",
    "recorded",
  ];
  const AGAIN = UNASKED.slice(0, 5);
  const ASKED = [...AGAIN, "asked", "answered", ...AGAIN, ...UNASKED.slice(5)];

  it.each<[string, readonly RuleSource[], string, readonly string[]]>([
    ["an allowed call", ALLOW_ALL, "a", UNASKED],
    ["an asked call, judged once more before it starts", ASK_ALL, "a", ASKED],
    ["a denied call", [], "a", AGAIN],
    ["a call of no path", ALLOW_ALL, "a\0b", UNASKED.slice(0, 3)],
  ])("of %s", async (_, rules, path, expected) => {
    await using scratch = openScratchGate();
    const borders: string[] = [];
    const gate = scratch.again({
      rules,
      approver: { ask: async () => YES },
      inner: { probe: { reached: (border) => void borders.push(border) } },
    });
    await gate.call({ tool: "write_file", input: { path, content: "" } });
    expect(borders).toEqual(expected);
  });
});

describe("a runner that gives its result at once", () => {
  const sync = (scratch: ScratchGate, run: () => never) =>
    scratch.again({ tools: [{ ...actingTool(scratch.workspace).tool, run }] });

  it.each<[string, () => unknown, string, string]>([
    ["completes", () => ({ kind: "completed", content: [] }), "completed", "completed"],
    ["throws", broken, "TOOL_FAILED", "failed"],
    ["gives a foreign promise", () => foreignPromise(DONE), "completed", "completed"],
    ["gives nothing", () => undefined, "TOOL_FAILED", "failed"],
    ["gives a kind that there is not", () => ({ kind: "yes" }), "TOOL_FAILED", "failed"],
    ["promises nothing", async () => undefined, "TOOL_FAILED", "failed"],
  ])("and %s", async (_, run, code, state) => {
    await using scratch = openScratchGate();
    const outcome = await sync(scratch, run as () => never).call({ tool: "act", input: {} });
    expect([codeOf(outcome), lastState(scratch)]).toEqual([code, state]);
  });
});

describe("a planner that is not of this house", () => {
  const drafted = (scratch: ScratchGate) =>
    ({
      kind: "drafted",
      plan: { touches: [{ kind: "write", path: join(scratch.workspace, "x") }], operands: [] },
    }) as const;

  it.each<[string, (scratch: ScratchGate) => unknown, string]>([
    ["a promise", async (scratch) => drafted(scratch), "completed"],
    ["a foreign promise", (scratch) => foreignPromise(drafted(scratch)), "completed"],
    ["a throw", broken, "FAULT"],
    ["a broken promise", async () => broken(), "FAULT"],
    ["nothing", () => undefined, "FAULT"],
  ])("and gives %s", async (_, plan, code) => {
    await using scratch = openScratchGate();
    const { tool, ran } = actingTool(scratch.workspace);
    const gate = scratch.again({ tools: [{ ...tool, plan: () => plan(scratch) as never }] });
    expect(codeOf(await gate.call({ tool: "act", input: {} }))).toBe(code);
    expect(ran()).toBe(code === "completed" ? 1 : 0);
  });
});

describe("one call among others", () => {
  it("with a result that is no JSON spoils none of them", async () => {
    await using scratch = openScratchGate();
    const odd = actingTool(scratch.workspace, {
      name: "odd",
      act: () => ({ content: [], structured: { n: 1n } }) as never,
    });
    const fine = actingTool(scratch.workspace);
    const gate = scratch.again({ tools: [odd.tool, fine.tool] });
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, i) => gate.call({ tool: i % 10 === 3 ? "odd" : "act", input: {} })),
    );
    expect(outcomes.map(codeOf)).toEqual(outcomes.map((_, i) => (i % 10 === 3 ? "TOOL_FAILED" : "completed")));
    expect((await gate.ledger.verify()).ok).toBe(true);
  });

  it("tells its own progress to its own caller", async () => {
    await using scratch = openScratchGate();
    const acting = actingTool(scratch.workspace);
    const tool = {
      ...acting.tool,
      run: async function* ({ input }: { input: { n?: number } }) {
        yield { message: `step of ${input.n}` };
        return { kind: "completed", content: [] } as const;
      },
    };
    const gate = scratch.again({ tools: [tool as never] });
    const told = await Promise.all(
      [1, 2, 3].map(async (n) => {
        const steps: string[] = [];
        asKind(
          await gate.call({ tool: "act", input: { n } }, { onProgress: ({ message }) => steps.push(message) }),
          "completed",
        );
        return steps;
      }),
    );
    expect(told).toEqual([["step of 1"], ["step of 2"], ["step of 3"]]);
  });
});
