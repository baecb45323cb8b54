import { hostname } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EVERYTHING } from "../../src/domain/lease.ts";
import { LIMITS } from "../../src/domain/limits.ts";
import type { Outcome } from "../../src/domain/outcome.ts";
import type { Question } from "../../src/domain/question.ts";
import type { Border } from "../../src/ports/probe.ts";
import type { RuleSource } from "../../src/rules/rule.ts";
import { compileRules } from "../../src/rules/rule-set.ts";
import type { Gate } from "../../src/wiring/gate.ts";
import { systemClock } from "../../src/wiring/system-clock.ts";
import { actingTool } from "../support/acting-tool.ts";
import { NO, openApprover, YES } from "../support/open-approver.ts";
import { ALLOW_ALL, ASK_ALL, asKind, codeOf, openScratchGate, type ScratchGate } from "../support/scratch-gate.ts";

const WRITE = { tool: "write_file", input: { path: "a.txt", content: "new" } };

const askedBy = async (gate: Gate, call: Parameters<Gate["call"]>[0] = WRITE) =>
  asKind(await gate.call(call, { whenAsked: "return" }), "pending");

/** Answers, and gives the question as it is then. */
async function answered(gate: Gate, approvalId: string, answer = YES): Promise<Question> {
  const result = await gate.approvals.answer(approvalId, answer);
  if (result.kind !== "recorded") throw new Error(JSON.stringify(result));
  return result.question;
}

async function approvedBy(gate: Gate, call?: Parameters<Gate["call"]>[0]): Promise<Question> {
  return answered(gate, (await askedBy(gate, call)).approval.id);
}

const stateOf = (scratch: ScratchGate, { callId }: { callId: string }) =>
  scratch.rows().find((row) => row.callId === callId)?.state;

describe("a call that nobody waits for", () => {
  it("is pending: the question's id, its risk, its reasons and its deadline", async () => {
    await using scratch = openScratchGate({ rules: ASK_ALL });
    const before = Date.now();
    const outcome = await askedBy(scratch.gate);
    const asked = scratch.entries(outcome.callId).at(-1);
    expect(outcome).toMatchObject({
      tool: "write_file",
      receipt: { seq: asked?.seq, hash: asked?.hash },
      approval: { id: expect.stringMatching(/^approval_/), risk: expect.any(String), reasons: ["people decide"] },
    });
    expect(Date.parse(outcome.approval.deadline) - before).toBeGreaterThanOrEqual(LIMITS.approvalMs.default);
    expect(asked).toMatchObject({ body: { approvalId: outcome.approval.id, deadline: outcome.approval.deadline } });
    expect(() => scratch.text("a.txt")).toThrow("ENOENT");
  });

  it.each([
    ["allowed", ALLOW_ALL, "completed"],
    ["denied", [], "DEFAULT_DENY"],
  ] as const)("and that is %s ends like any other", async (_, rules, code) => {
    await using scratch = openScratchGate({ rules });
    expect(codeOf(await scratch.gate.call(WRITE, { whenAsked: "return" }))).toBe(code);
  });

  it("asks nobody at the gate where it was made", async () => {
    const person = openApprover();
    await using scratch = openScratchGate({ rules: ASK_ALL, approver: person.approver });
    await askedBy(scratch.gate);
    expect(person.signal()).toBeUndefined();
  });

  it("is run by whoever approves it, in the name of its caller", async () => {
    await using scratch = openScratchGate({ rules: ASK_ALL });
    const pending = await askedBy(scratch.gate, { ...WRITE, actor: "mcp:editor" });
    const other = scratch.again();
    const outcome = await other.approvals.carryOn(await answered(other, pending.approval.id));
    expect([outcome?.kind, outcome?.callId, scratch.text("a.txt")]).toEqual(["completed", pending.callId, "new"]);
    const entries = scratch.entries(pending.callId);
    expect(entries.map(({ kind, actor }) => `${kind} ${actor}`)).toEqual([
      "tool.requested mcp:editor",
      "tool.decided mcp:editor",
      "approval.answered ann",
      "tool.started mcp:editor",
      "tool.executed mcp:editor",
    ]);
    expect(new Set(entries.slice(1).map(({ planDigest }) => planDigest)).size).toBe(1);
    expect(entries[3]?.body).toEqual({ attempt: 1, by: "person", who: "ann" });
  });

  it("runs what was judged, whatever the caller's object holds by then", async () => {
    await using scratch = openScratchGate({ rules: ASK_ALL });
    const input = { path: "a.txt", content: "judged" };
    const probe = { reached: (at: Border) => void (at === "judged" && Object.assign(input, { content: "other" })) };
    const gate = scratch.again({ inner: { probe } });
    const question = await approvedBy(gate, { tool: "write_file", input });
    const other = scratch.again();
    expect((await other.approvals.carryOn(question))?.kind).toBe("completed");
    expect(scratch.text("a.txt")).toBe("judged");
  });

  it("is run once, however often and by however many", async () => {
    await using scratch = openScratchGate({ rules: ASK_ALL });
    const acting = actingTool(scratch.workspace);
    const gates = [1, 2, 3].map(() => scratch.again({ tools: [acting.tool] }));
    const question = await approvedBy(gates[0] as Gate, { tool: "act", input: {} });
    const outcomes = await Promise.all([...gates, ...gates].map((gate) => gate.approvals.carryOn(question)));
    const codes = outcomes.map((outcome) => (outcome === null ? "null" : codeOf(outcome))).sort();
    expect(codes).toEqual([
      "ILLEGAL_TRANSITION",
      "ILLEGAL_TRANSITION",
      "ILLEGAL_TRANSITION",
      "ILLEGAL_TRANSITION",
      "ILLEGAL_TRANSITION",
      "completed",
    ]);
    expect([acting.ran(), stateOf(scratch, question)]).toEqual([1, "completed"]);
    expect((await (gates[0] as Gate).ledger.verify()).ok).toBe(true);
  });

  it("that somebody else has taken says so, and is not spoiled", async () => {
    await using scratch = openScratchGate({ rules: ASK_ALL });
    const question = await approvedBy(scratch.gate);
    await scratch.gate.approvals.carryOn(question);
    const late = (await scratch.again().approvals.carryOn(question)) as Outcome;
    expect(late).toMatchObject({ kind: "refused", refusal: { message: "somebody else has taken this call" } });
    expect(late.receipt).toBeUndefined();
    expect(stateOf(scratch, question)).toBe("completed");
  });
});

describe("not for us to run", () => {
  const changed = (question: Question, plan: Partial<Question["shown"]["plan"]>): Question => ({
    ...question,
    shown: { ...question.shown, plan: { ...question.shown.plan, ...plan } },
  });

  it.each<[string, (question: Question) => Question]>([
    ["on another host", (question) => changed(question, { host: `not-${hostname()}` })],
    ["in another workspace", (question) => changed(question, { workspace: "/elsewhere" })],
    ["held by its caller", (question) => ({ ...question, kept: null })],
    ["not answered yet", (question) => ({ ...question, answer: null, state: "awaiting_approval" })],
    ["rejected", (question) => ({ ...question, answer: NO, state: "rejected" })],
    ["run already", (question) => ({ ...question, state: "completed" })],
    ["running", (question) => ({ ...question, state: "executing" })],
  ])("%s", async (_, change) => {
    await using scratch = openScratchGate({ rules: ASK_ALL });
    const question = await approvedBy(scratch.gate);
    expect(scratch.gate.approvals.carryOn(change(question))).toBeNull();
    expect((await scratch.gate.approvals.carryOn(question))?.kind).toBe("completed");
  });

  it("a call that its caller waits for: they run it themselves, once", async () => {
    await using scratch = openScratchGate({ rules: ASK_ALL });
    const acting = actingTool(scratch.workspace);
    const gate = scratch.again({ tools: [acting.tool] });
    const made = gate.call({ tool: "act", input: {} });
    const other = scratch.again({ tools: [acting.tool] });
    await expect.poll(async () => (await other.approvals.list()).length).toBe(1);
    const [open] = await other.approvals.list();
    const question = await answered(other, open?.approvalId ?? "", { ...YES, who: "bob" });
    expect(other.approvals.carryOn(question)).toBeNull();
    expect((await made).kind).toBe("completed");
    expect([acting.ran(), scratch.entries(question.callId).at(-2)?.body["who"]]).toEqual([1, "bob"]);
  });

  it("a gate that is closed", async () => {
    await using scratch = openScratchGate({ rules: ASK_ALL });
    const question = await approvedBy(scratch.gate);
    const closed = scratch.again();
    await closed.close();
    expect(codeOf((await closed.approvals.carryOn(question)) as Outcome)).toBe("CANCELLED");
    expect(stateOf(scratch, question)).toBe("approved");
  });
});

describe("what has changed since it was asked", () => {
  const ruleBook = (scratch: ScratchGate, rules: readonly RuleSource[]) => ({
    current: () => {
      const compiled = compileRules(rules, { workspace: scratch.workspace });
      if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems));
      return compiled.rules;
    },
  });

  it("a file: nothing is run, and the call is refused once and for all", async () => {
    await using scratch = openScratchGate({ rules: ASK_ALL });
    scratch.put("a.txt", "old");
    const question = await approvedBy(scratch.gate);
    scratch.put("a.txt", "somebody else's");
    const outcome = (await scratch.gate.approvals.carryOn(question)) as Outcome;
    expect([codeOf(outcome), stateOf(scratch, question)]).toEqual(["APPROVAL_STALE", "refused"]);
    scratch.put("a.txt", "old"); // what was approved, again: too late
    expect(codeOf((await scratch.gate.approvals.carryOn(question)) as Outcome)).toBe("ILLEGAL_TRANSITION");
    expect(scratch.text("a.txt")).toBe("old");
  });

  it.each<[string, readonly RuleSource[], string, string]>([
    ["a deny beside it", [...ASK_ALL, { id: "no", effect: "deny" }], "RULE_DENY", "refused"],
    ["no rule", [], "DEFAULT_DENY", "refused"],
    ["another reason", [{ ...(ASK_ALL[0] as RuleSource), because: "new words" }], "APPROVAL_STALE", "refused"],
    ["an allow", ALLOW_ALL, "completed", "completed"],
    ["the same", ASK_ALL, "completed", "completed"],
  ])("the rules, to %s", async (_, rules, code, state) => {
    await using scratch = openScratchGate({ rules: ASK_ALL });
    const question = await approvedBy(scratch.again({ inner: { ruleBook: ruleBook(scratch, ASK_ALL) } }));
    const other = scratch.again({ inner: { ruleBook: ruleBook(scratch, rules) } });
    const outcome = (await other.approvals.carryOn(question)) as Outcome;
    expect([codeOf(outcome), stateOf(scratch, question)]).toEqual([code, state]);
    if (code !== "completed") expect(() => scratch.text("a.txt")).toThrow("ENOENT");
  });

  it("the lease, which has ended", async () => {
    await using scratch = openScratchGate({ rules: ASK_ALL });
    let aheadMs = 0;
    const clock = { ...systemClock, nowMs: () => systemClock.nowMs() + aheadMs };
    const gate = scratch.again({ inner: { clock } });
    const lease = { ...EVERYTHING, expiresAtMs: clock.nowMs() + 60_000 };
    const question = await approvedBy(gate, { ...WRITE, session: { id: "s", project: "default", lease } });
    aheadMs = 60_000;
    expect(codeOf((await gate.approvals.carryOn(question)) as Outcome)).toBe("LEASE_EXPIRED");
    expect(stateOf(scratch, question)).toBe("refused");
  });

  it("the mind of whoever goes on with it: cancelled, at each border", async () => {
    await using scratch = openScratchGate({ rules: ASK_ALL });
    for (const border of ["received", "judged", "approved"] as const) {
      const stop = new AbortController();
      const probe = { reached: (at: Border) => void (at === border && stop.abort()) };
      const question = await approvedBy(scratch.gate, { tool: "write_file", input: { path: border, content: "x" } });
      const other = scratch.again({ inner: { probe } });
      const outcome = (await other.approvals.carryOn(question, stop.signal)) as Outcome;
      expect([codeOf(outcome), stateOf(scratch, question)]).toEqual(["CANCELLED", "cancelled"]);
      expect(() => scratch.text(border)).toThrow("ENOENT");
    }
  });

  it("the mind of the person: an answer stands", async () => {
    await using scratch = openScratchGate({ rules: ASK_ALL });
    const { approvalId } = await approvedBy(scratch.gate);
    expect(await scratch.gate.approvals.answer(approvalId, NO)).toMatchObject({
      kind: "conflict",
      question: { answer: YES },
    });
  });
});

describe("a gate that goes on with calls", () => {
  it("tells the ledger of its rules first", async () => {
    await using scratch = openScratchGate({ rules: ASK_ALL });
    const pending = await askedBy(scratch.gate);
    const rules = [...ASK_ALL, { id: "far", effect: "deny", touch: { read: ["/far"] } }] as const;
    const other = scratch.again({ rules });
    await other.approvals.carryOn(await answered(other, pending.approval.id));
    const kinds = scratch.entries().map(({ kind }) => kind);
    expect(kinds.slice(kinds.indexOf("approval.answered"))).toEqual([
      "approval.answered",
      "policy.loaded",
      "tool.decided", // stale: the rules are others
    ]);
  });

  it("is closed when they have ended", async () => {
    await using scratch = openScratchGate({ rules: ASK_ALL });
    const { promise, resolve } = Promise.withResolvers<string>();
    const acting = actingTool(scratch.workspace, { act: () => promise });
    const gate = scratch.again({ tools: [acting.tool] });
    const carried = gate.approvals.carryOn(await approvedBy(gate, { tool: "act", input: {} }));
    await expect.poll(acting.ran).toBe(1);
    let isClosed = false;
    const closing = gate.close().then(() => {
      isClosed = true;
    });
    await new Promise((done) => setImmediate(done));
    expect(isClosed).toBe(false);
    resolve("done");
    expect((await carried)?.kind).toBe("completed");
    await closing;
    expect(await gate.ledger.verify()).toMatchObject({ ok: true, unanchored: null });
  });
});

describe("the list", () => {
  it("shows the whole plan of what is open, and forgets what is not", async () => {
    await using scratch = openScratchGate({ rules: ASK_ALL });
    const pending = await askedBy(scratch.gate);
    const [question, ...more] = await scratch.again().approvals.list();
    expect(more).toEqual([]);
    expect(question).toMatchObject({
      approvalId: pending.approval.id,
      callId: pending.callId,
      state: "awaiting_approval",
      answer: null,
      receipt: null,
      shown: {
        plan: { tool: "write_file", input: WRITE.input, touches: [{ path: join(scratch.workspace, "a.txt") }] },
      },
    });
    await scratch.gate.approvals.answer(pending.approval.id, NO);
    expect(await scratch.gate.approvals.list()).toEqual([]);
    expect(await scratch.gate.approvals.find(pending.approval.id)).toMatchObject({ answer: NO, kept: null });
  });

  it("never holds more than a hundred, nor fewer than one", async () => {
    await using scratch = openScratchGate({ rules: ASK_ALL, inner: { approval: { openQuestionsMax: 200 } } });
    await Promise.all(
      Array.from({ length: 103 }, (_, i) => askedBy(scratch.gate, { tool: "read_file", input: { path: `${i}` } })),
    );
    const { approvals } = scratch.gate;
    const first = await approvals.list({ limit: 1000 });
    expect(first).toHaveLength(100);
    expect(await approvals.list({ after: first.at(-1)?.approvalId ?? "" })).toHaveLength(3);
    for (const limit of [1, 0, -1]) expect(await approvals.list({ limit })).toHaveLength(1);
  });

  it("is of one project: another's questions are neither shown nor answered", async () => {
    await using scratch = openScratchGate({ rules: ASK_ALL });
    const session = { id: "s", project: "other", lease: EVERYTHING };
    const pending = await askedBy(scratch.gate, { ...WRITE, session });
    const { approvals } = scratch.gate;
    expect(await approvals.list()).toEqual([]);
    expect(await approvals.find(pending.approval.id)).toBeNull();
    expect(await approvals.answer(pending.approval.id, YES)).toEqual({ kind: "unknown" });
    expect(stateOf(scratch, pending)).toBe("awaiting_approval");
  });
});
