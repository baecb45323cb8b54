import { describe, expect, it } from "vitest";
import { NOTHING_SPENT } from "../../src/domain/budget.ts";
import type { Tool } from "../../src/domain/call.ts";
import { EVERYTHING } from "../../src/domain/lease.ts";
import type { RunResult } from "../../src/domain/tool.ts";
import type { Touch } from "../../src/domain/touch.ts";
import type { Clock } from "../../src/ports/clock.ts";
import type { RuleSource } from "../../src/rules/rule.ts";
import { defineTool } from "../../src/tools/function/define-tool.ts";
import type { Gate, LeaseSource } from "../../src/wiring/gate.ts";
import { handClock } from "../support/hand-clock.ts";
import { sampleTool } from "../support/sample-calls.ts";
import { asKind, codeOf, openScratchGate } from "../support/scratch-gate.ts";

const RULES: readonly RuleSource[] = [
  { id: "all", effect: "allow", tools: ["read", "infer", "secret"] },
  { id: "nothing-secret", effect: "deny", touch: { read: ["/secret"] } },
];

const DONE: RunResult = { kind: "completed", content: [{ type: "text", text: "done" }] };
const MODEL: Touch = { kind: "model", provider: "p", model: "m", tokensMax: 100 };
const READ: Touch = { kind: "read", path: "/w/a.txt" };

const tools = (run: () => RunResult = () => DONE): readonly Tool[] => [
  sampleTool({ name: "read", touches: [READ], run, timeoutMs: 1000 }),
  sampleTool({ name: "secret", touches: [{ kind: "read", path: "/secret" }], run }),
  sampleTool({ name: "infer", touches: [MODEL], run }),
];

const LEASE: LeaseSource = { tools: "everything", read: ["/**"], models: ["*"] };

async function session(gate: Gate, budget: LeaseSource["budget"], more = {}) {
  const opened = await gate.sessions.open({ ...LEASE, ...(budget && { budget }) }, more);
  if (opened.kind === "refused") throw new Error(JSON.stringify(opened.refusal));
  return opened.session;
}

const read = { tool: "read", input: {} };
const infer = { tool: "infer", input: {} };

describe("a budget", () => {
  it.each([0, 1, 3])("of %d calls lets so many run, and is asked before the rules are", async (calls) => {
    await using scratch = openScratchGate({ rules: RULES, tools: tools() });
    const one = await session(scratch.gate, { calls });
    for (let i = 0; i < calls; i++)
      expect(codeOf(await scratch.gate.call({ ...read, session: one }))).toBe("completed");
    const refused = asKind(await scratch.gate.call({ tool: "secret", input: {}, session: one }), "refused");
    expect(refused.refusal).toMatchObject({ code: "BUDGET_EXCEEDED", message: expect.stringContaining("`calls`") });
    expect(refused).toMatchObject({ budgetConsumed: 0, receipt: {} });
    expect(scratch.entries(refused.callId).at(-1)?.body).toMatchObject({ code: "BUDGET_EXCEEDED", budgetConsumed: 0 });
    expect(await scratch.gate.explain({ ...read, session: one })).toMatchObject({ code: "BUDGET_EXCEEDED" });
  });

  it("null is unlimited, and what is refused costs nothing", async () => {
    await using scratch = openScratchGate({ rules: RULES, tools: tools() });
    const one = await session(scratch.gate, { calls: 1, tokens: null });
    for (let i = 0; i < 3; i++)
      expect(codeOf(await scratch.gate.call({ tool: "secret", input: {}, session: one }))).toBe("RULE_DENY");
    expect(codeOf(await scratch.gate.call({ ...infer, session: one }))).toBe("completed");
  });

  it("is told in the outcome and in the ledger", async () => {
    await using scratch = openScratchGate({
      rules: RULES,
      tools: tools(() => ({ ...DONE, usage: { tokens: 42, costMicros: 7 } }) as RunResult),
    });
    const one = await session(scratch.gate, { calls: 10, tokens: 1000, costMicros: 100 });
    const plain = asKind(await scratch.gate.call(read), "completed");
    expect(plain.budgetConsumed).toBe(1);
    expect(scratch.entries(plain.callId).map(({ body }) => body["budgetConsumed"])).toEqual([undefined, 0, 1]);
    const asked = asKind(await scratch.gate.call({ ...infer, session: one }), "completed");
    expect(asked.budgetConsumed).toBe(42);
    expect(scratch.entries(asked.callId).at(-1)?.body).toMatchObject({
      budgetConsumed: 42,
      spent: { calls: 1, tokens: 42, costMicros: 7, bytes: expect.any(Number), timeMs: expect.any(Number) },
    });
  });

  it("of tokens holds what a model may answer, and takes what it answered", async () => {
    await using scratch = openScratchGate({
      rules: RULES,
      tools: tools(() => ({ ...DONE, usage: { tokens: 10 } }) as RunResult),
    });
    const one = await session(scratch.gate, { tokens: 120 });
    const codes = [];
    for (let i = 0; i < 5; i++) codes.push(codeOf(await scratch.gate.call({ ...infer, session: one })));
    // 120, 110, 100 are left before the first three; 90 is too little for the fourth.
    expect(codes).toEqual(["completed", "completed", "completed", "BUDGET_EXCEEDED", "BUDGET_EXCEEDED"]);
    expect(codeOf(await scratch.gate.call({ ...read, session: one }))).toBe("completed");
  });

  it.each([undefined, -1, 0.5, Number.NaN, "7"])("takes all that was held where a tool tells %s", async (tokens) => {
    await using scratch = openScratchGate({
      rules: RULES,
      tools: tools(() => ({ ...DONE, usage: { tokens } }) as RunResult),
    });
    const one = await session(scratch.gate, { tokens: 150, costMicros: 5 });
    expect(asKind(await scratch.gate.call({ ...infer, session: one }), "completed").budgetConsumed).toBe(100);
    expect(codeOf(await scratch.gate.call({ ...infer, session: one }))).toBe("BUDGET_EXCEEDED");
  });

  it.each<[string, object, number]>([
    ["what it says that it cost", { tokens: 10, costMicros: 7 }, 7],
    ["its tokens by the dearer price", { tokens: 10 }, 50],
    ["what it was told and answered, each by its own", { inputTokens: 4, outputTokens: 6 }, 38],
    ["all that was left, where it tells nothing", {}, 1000],
  ])("of cost takes %s", async (_, usage, cost) => {
    const infers = defineTool({
      name: "infer",
      description: "asks",
      inputSchema: { type: "object" },
      touches: () => [MODEL],
      execute: () => ({ content: [], usage }),
    });
    await using scratch = openScratchGate({
      rules: RULES,
      tools: [infers],
      config: { prices: [{ model: "p/*", input: 2, output: 5 }] },
    });
    const one = await session(scratch.gate, { costMicros: 1000 });
    const outcome = asKind(await scratch.gate.call({ ...infer, session: one }), "completed");
    expect(scratch.entries(outcome.callId).at(-1)?.body["spent"]).toMatchObject({ costMicros: cost });
    expect((await scratch.gate.sessions.find(one.id))?.spent?.costMicros).toBe(cost);
    expect(codeOf(await scratch.gate.call({ ...infer, session: one }))).toBe(
      cost === 1000 ? "BUDGET_EXCEEDED" : "completed",
    );
  });

  it("of time stops what takes longer than is left", async () => {
    const clock = handClock();
    const began = Promise.withResolvers<void>();
    const slow = sampleTool({
      name: "read",
      timeoutMs: 1000,
      touches: [READ],
      run: (_, signal) => {
        began.resolve();
        return new Promise((resolve) => {
          signal.addEventListener("abort", () => resolve({ kind: "stopped" }));
        });
      },
    });
    await using scratch = openScratchGate({ rules: RULES, tools: [slow], inner: { clock } });
    const one = await session(scratch.gate, { timeMs: 300 });
    const made = scratch.gate.call({ ...read, session: one });
    await began.promise;
    clock.move(300);
    expect(asKind(await made, "failed").error).toMatchObject({
      code: "TIMEOUT",
      message: expect.stringContaining("300 ms that the session's budget had left"),
    });
    expect(codeOf(await scratch.gate.call({ ...read, session: one }))).toBe("BUDGET_EXCEEDED");
  });

  it("of bytes cuts what is longer than is left", async () => {
    const long = "x".repeat(100_000);
    await using scratch = openScratchGate({
      rules: RULES,
      tools: tools(() => ({ kind: "completed", content: [{ type: "text", text: long }] })),
    });
    const one = await session(scratch.gate, { bytes: 5000 });
    const outcome = asKind(await scratch.gate.call({ ...read, session: one }), "completed");
    expect(outcome.truncated).toMatchObject({ bytes: 100_000, blob: expect.any(String) });
    expect(JSON.stringify(outcome.content).length).toBeLessThanOrEqual(5000);
    expect(codeOf(await scratch.gate.call({ ...read, session: one }))).toBe("BUDGET_EXCEEDED");
  });

  it.each<[string, (text: string) => RunResult]>([
    [
      "of line ends, which are twice as long as JSON",
      (text) => ({ kind: "completed", content: [{ type: "text", text }] }),
    ],
    ["that is structured", (text) => ({ kind: "completed", content: [], structured: { text } })],
    [
      "of many small pieces",
      (text) => ({ kind: "completed", content: [...text.slice(0, 900)].map((one) => ({ type: "text", text: one })) }),
    ],
    [
      "in the details of a failure",
      (text) => ({
        kind: "failed",
        content: [{ type: "text", text }],
        error: { code: "TOOL_FAILED", message: text, retryable: false, detail: { text }, diagnostics: { text } },
      }),
    ],
    ["of a tool that was stopped", (text) => ({ kind: "stopped", content: [{ type: "text", text }] })],
  ])("of bytes is not overspent by one result %s", async (_, result) => {
    for (const bytes of [1100, 5000]) {
      const run = () => result("\n".repeat(100_000));
      await using scratch = openScratchGate({ rules: RULES, tools: tools(run) });
      const one = await session(scratch.gate, { bytes });
      const outcome = await scratch.gate.call({ ...read, session: one });
      expect(["completed", "failed"]).toContain(outcome.kind);
      expect((await scratch.gate.sessions.find(one.id))?.spent?.bytes).toBeLessThanOrEqual(bytes);
      const { content, error = {}, structured = {} } = outcome as unknown as Record<string, object>;
      expect(JSON.stringify([content, error, structured]).length).toBeLessThanOrEqual(bytes + 10);
    }
  });

  it("of bytes is not got round by listening while it runs", async () => {
    const talks = sampleTool({
      name: "read",
      touches: [READ],
      run: async function* () {
        yield { message: "x".repeat(100_000) };
        return DONE;
      },
    });
    await using scratch = openScratchGate({ rules: RULES, tools: [talks] });
    const heard: string[] = [];
    const onProgress = ({ message }: { readonly message: string }) => void heard.push(message);
    for (const budget of [{ bytes: 5000 }, { calls: 5 }])
      await scratch.gate.call({ ...read, session: await session(scratch.gate, budget) }, { onProgress });
    expect(heard.join("").length).toBe(100_000);
  });

  it("of bytes is not got round by reading the whole as a blob", async () => {
    const run = (): RunResult => ({ kind: "completed", content: [{ type: "text", text: "x".repeat(100_000) }] });
    await using scratch = openScratchGate({ rules: RULES, tools: tools(run) });
    const one = await session(scratch.gate, { bytes: 5000 });
    const { truncated, receipt } = asKind(await scratch.gate.call({ ...read, session: one }), "completed");
    expect(scratch.gate.executions.blobFor(one, truncated?.blob ?? "", receipt?.seq)).toMatchObject({
      code: "LEASE_SCOPE",
      message: expect.stringContaining("limits bytes"),
    });
    const free = await session(scratch.gate, { calls: 5 });
    const { structured: _, ...cut } = asKind(await scratch.gate.call({ ...read, session: free }), "completed");
    expect(cut.truncated).toBe(undefined);
  });

  it.each<["tokens" | "costMicros", object]>([
    ["tokens", { tokens: 600 }],
    ["costMicros", { costMicros: 600 }],
  ])("of %s is not overspent by calls at the same time whose tools tell only afterwards", async (kind, usage) => {
    let running = 0;
    const gates = Array.from({ length: 5 }, () => Promise.withResolvers<void>());
    const asks = (usageMax?: { tokens: number; costMicros: number }) =>
      defineTool({
        name: "infer",
        description: "asks",
        inputSchema: { type: "object" },
        touches: () => [READ],
        ...(usageMax && { usageMax }),
        execute: async () => {
          await gates[running++]?.promise;
          return { content: [], usage };
        },
      });
    await using scratch = openScratchGate({ rules: RULES, tools: [asks(), ...tools().slice(0, 1)] });
    const one = await session(scratch.gate, { [kind]: 1000 });
    const together = Array.from({ length: 5 }, () => scratch.gate.call({ ...infer, session: one }));
    const refused = await Promise.race(together);
    expect(asKind(refused, "refused").refusal).toMatchObject({
      code: "BUDGET_EXCEEDED",
      message: expect.stringContaining(`\`${kind}\``),
    });
    for (const { resolve } of gates) resolve();
    expect((await Promise.all(together)).map(codeOf).filter((code) => code === "completed")).toHaveLength(1);
    expect((await scratch.gate.sessions.find(one.id))?.spent?.[kind]).toBe(600);
    expect(codeOf(await scratch.gate.call({ ...infer, session: one }))).toBe("completed");
    expect(codeOf(await scratch.gate.call({ ...infer, session: one }))).toBe("BUDGET_EXCEEDED");
  });

  it("of tokens lets calls run beside one that holds them all, if they want none", async () => {
    const gate = Promise.withResolvers<void>();
    const began = Promise.withResolvers<void>();
    const slow = defineTool({
      name: "infer",
      description: "asks",
      inputSchema: { type: "object" },
      touches: () => [MODEL],
      execute: async () => {
        began.resolve();
        await gate.promise;
        return { content: [], usage: { tokens: 10 } };
      },
    });
    const quick = defineTool({
      name: "read",
      description: "reads",
      inputSchema: { type: "object" },
      touches: () => [READ],
      usageMax: { tokens: 0, costMicros: 0 },
      execute: () => "read",
    });
    await using scratch = openScratchGate({ rules: RULES, tools: [slow, quick] });
    const one = await session(scratch.gate, { tokens: 200 });
    const made = scratch.gate.call({ ...infer, session: one });
    await began.promise;
    expect(codeOf(await scratch.gate.call({ ...read, session: one }))).toBe("completed");
    expect(codeOf(await scratch.gate.call({ ...infer, session: one }))).toBe("BUDGET_EXCEEDED");
    gate.resolve();
    expect(codeOf(await made)).toBe("completed");
    expect(codeOf(await scratch.gate.call({ ...infer, session: one }))).toBe("completed");
  });

  it("of time is shared by all attempts of a call", async () => {
    const hand = handClock();
    const waits = Promise.withResolvers<void>();
    const clock: Clock = {
      ...hand,
      after: (ms, task) => {
        if (ms === 10) waits.resolve();
        return hand.after(ms, task);
      },
    };
    const retried: Tool = {
      ...sampleTool({
        name: "read",
        timeoutMs: 1000,
        touches: [READ],
        run: (_, signal) => {
          began.shift()?.resolve();
          return new Promise((resolve) => {
            signal.addEventListener("abort", () => resolve({ kind: "stopped", late: { retryable: true } }));
          });
        },
      }),
      retry: { attemptsMax: 3, delayMs: () => 10 },
    };
    const starts = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
    const began = [...starts];
    await using scratch = openScratchGate({ rules: RULES, tools: [retried], inner: { clock } });
    const one = await session(scratch.gate, { timeMs: 1300 });
    const made = scratch.gate.call({ ...read, session: one });
    await starts[0].promise;
    hand.move(1000);
    await waits.promise;
    hand.move(10);
    await starts[1].promise;
    hand.move(290);
    expect(asKind(await made, "failed").error.code).toBe("TIMEOUT");
    expect((await scratch.gate.sessions.find(one.id))?.spent?.timeMs).toBe(1300);
  });

  it("of a parent is shared by all below it", async () => {
    await using scratch = openScratchGate({ rules: RULES, tools: tools() });
    const parent = await session(scratch.gate, { calls: 5 });
    const children = [
      await session(scratch.gate, { calls: 3 }, { parent }),
      await session(scratch.gate, undefined, { parent }),
    ];
    const codes = [];
    for (let i = 0; i < 4; i++)
      for (const one of children) codes.push(codeOf(await scratch.gate.call({ ...read, session: one })));
    expect(codes.filter((code) => code === "completed")).toHaveLength(5);
    expect(codeOf(await scratch.gate.call({ ...read, session: parent }))).toBe("BUDGET_EXCEEDED");
  });

  it("can't be raised by renewing, nor by opening another session below", async () => {
    await using scratch = openScratchGate({ rules: RULES, tools: tools() });
    const parent = await session(scratch.gate, { calls: 1 });
    const renewed = await scratch.gate.sessions.renew(parent.id, { budget: { calls: 2 } });
    expect(renewed).toMatchObject({ kind: "refused", refusal: { code: "LEASE_SCOPE" } });
    expect(codeOf(await scratch.gate.call({ ...read, session: parent }))).toBe("completed");
    const child = await session(scratch.gate, { calls: 100 }, { parent });
    expect(codeOf(await scratch.gate.call({ ...read, session: child }))).toBe("BUDGET_EXCEEDED");
  });

  it("binds a lease that nobody opened as well, by its id", async () => {
    await using scratch = openScratchGate({ rules: RULES, tools: tools() });
    const own = { ...EVERYTHING, id: "mine", budget: { ...EVERYTHING.budget, calls: 1 } };
    const session = { id: "s", project: "default", lease: own };
    expect(codeOf(await scratch.gate.call({ ...read, session }))).toBe("completed");
    expect(codeOf(await scratch.again().call({ ...read, session }))).toBe("BUDGET_EXCEEDED");
  });

  it("of 20 calls for 200 at a time from two gates: 20 run", async () => {
    let ran = 0;
    const counting = tools(() => {
      ran++;
      return DONE;
    });
    await using scratch = openScratchGate({ rules: RULES, tools: counting });
    const gates = [scratch.gate, scratch.again({ tools: counting })];
    const one = await session(scratch.gate, { calls: 20 });
    const calls = Array.from({ length: 200 }, (_, i) => (gates[i % 2] as Gate).call({ ...read, session: one }));
    const codes = (await Promise.all(calls)).map(codeOf);
    expect(ran).toBe(20);
    expect(codes.filter((code) => code === "completed")).toHaveLength(20);
    expect(codes.filter((code) => code === "BUDGET_EXCEEDED")).toHaveLength(180);
    expect(await scratch.gate.ledger.verify()).toMatchObject({ ok: true });
  });
});

it("what nothing spent is", () => expect(Object.values(NOTHING_SPENT)).toEqual([0, 0, 0, 0, 0]));
