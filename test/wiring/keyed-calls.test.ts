import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { LIMITS } from "../../src/domain/limits.ts";
import type { Outcome } from "../../src/domain/outcome.ts";
import type { RunResult } from "../../src/domain/tool.ts";
import type { RuleSource } from "../../src/rules/rule.ts";
import type { Gate } from "../../src/wiring/gate.ts";
import { meddle } from "../store/state-dir.ts";
import { handClock } from "../support/hand-clock.ts";
import { openApprover, YES } from "../support/open-approver.ts";
import { sampleTool } from "../support/sample-calls.ts";
import { ALLOW_ALL, ASK_ALL, asKind, codeOf, type GateParts, openScratchGate } from "../support/scratch-gate.ts";
import { startProgram } from "../support/started-program.ts";

const RULES: readonly RuleSource[] = [{ id: "all", effect: "allow", tools: ["count"] }];
const counted = { tool: "count", input: { n: 1 }, key: "once" };

/** A tool that counts its runs, and comes back when it is let. */
function counting(gateParts: GateParts = {}) {
  let runs = 0;
  const let_ = Promise.withResolvers<RunResult>();
  const tool = sampleTool({
    name: "count",
    run: () => {
      runs++;
      return let_.promise;
    },
  });
  const scratch = openScratchGate({ rules: RULES, tools: [tool], ...gateParts });
  const done = (said = "done") => let_.resolve({ kind: "completed", content: [{ type: "text", text: said }] });
  return Object.assign(scratch, { runs: () => runs, done });
}

describe("a key that can't be remembered", () => {
  it("is refused, and its call is not made; what was made before is told, and other calls are made", async () => {
    await using scratch = counting();
    scratch.done();
    const first = await scratch.gate.call(counted);
    meddle(scratch.stateDir, `UPDATE key_room SET keys = ${LIMITS.dedupeKeys.default} WHERE scope = ''`);
    const refused = asKind(await scratch.gate.call({ ...counted, key: "another" }), "refused");
    expect(refused.refusal).toMatchObject({
      code: "DEDUPE_FULL",
      hint: expect.stringContaining("make it again later"),
    });
    expect(scratch.entries(refused.callId).at(-1)?.body).toMatchObject({ code: "DEDUPE_FULL" });
    expect(scratch.runs()).toBe(1);
    expect(await scratch.gate.call(counted)).toEqual(first);
    expect(codeOf(await scratch.gate.call({ tool: "count", input: {} }))).toBe("completed");
  });
});

describe("a call that is made again under its key", () => {
  it("while it runs: both hear of the one run, here and from another gate", async () => {
    await using scratch = counting();
    const other = scratch.again();
    const first = scratch.gate.call(counted);
    const others = [scratch.gate.call(counted), other.call(counted), other.call(counted)];
    while (scratch.runs() === 0) await new Promise((resolve) => setImmediate(resolve));
    scratch.done();
    const outcome = await first;
    expect(outcome).toMatchObject({ kind: "completed", receipt: {} });
    for (const again of await Promise.all(others)) expect(again).toEqual(outcome);
    expect([scratch.runs(), scratch.rows().length]).toEqual([1, 1]);
  });

  it("afterwards, also from a gate that starts later: the same outcome and receipt", async () => {
    await using scratch = counting();
    scratch.done("é\u0000");
    const outcome = await scratch.gate.call(counted);
    expect(await scratch.gate.call(counted)).toEqual(outcome);
    await scratch.gate.close();
    expect(await scratch.again().call(counted)).toEqual(outcome);
    expect(scratch.runs()).toBe(1);
  });

  it("a hundred times: the ledger tells of one call, with a hash of its key, and of nothing else", async () => {
    await using scratch = counting();
    scratch.done();
    const gates = [scratch.gate, scratch.again()];
    const made = Array.from({ length: 100 }, (_, n) => (gates[n % 2] as Gate).call(counted));
    const [first, ...others] = await Promise.all(made);
    for (const other of others) expect(other).toEqual(first);
    const told = scratch.entries().filter(({ callId }) => callId !== null);
    expect(told.map(({ kind }) => kind)).toEqual(["tool.requested", "tool.decided", "tool.executed"]);
    expect(told[0]?.body).toMatchObject({ dedupeKey: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect([scratch.runs(), new Set(told.map(({ callId }) => callId)).size]).toEqual([1, 1]);
  });

  it("and refused for it is in the ledger, as a call of its own", async () => {
    await using scratch = counting();
    scratch.done();
    await scratch.gate.call(counted);
    const refused = asKind(await scratch.gate.call({ ...counted, input: { n: 2 } }), "refused");
    expect(scratch.entries(refused.callId).map(({ kind, body }) => [kind, body["code"] ?? null])).toEqual([
      ["tool.requested", null],
      ["tool.decided", "DEDUPE_MISMATCH"],
    ]);
  });

  it("under no key or an empty one is another call", async () => {
    await using scratch = counting();
    scratch.done();
    const { key: _, ...unnamed } = counted;
    for (const one of [unnamed, unnamed, { ...unnamed, key: "" }, { ...unnamed, key: "" }])
      await scratch.gate.call(one);
    expect(scratch.runs()).toBe(4);
  });

  it("that was refused is refused again, and is not judged into something else", async () => {
    await using scratch = counting({ rules: [] });
    const refused = asKind(await scratch.gate.call(counted), "refused");
    expect(refused.refusal.code).toBe("DEFAULT_DENY");
    expect(await scratch.gate.call(counted)).toEqual(refused);
    expect(scratch.rows()).toHaveLength(1);
  });

  it("that could not be recorded is made anew", async () => {
    await using scratch = counting();
    scratch.done();
    const blocked = scratch.again({ stateDir: scratch.put("a-file") });
    expect(codeOf(await blocked.call(counted))).toBe("LEDGER_UNAVAILABLE");
    expect(codeOf(await scratch.gate.call(counted))).toBe("completed");
    expect(scratch.runs()).toBe(1);
  });

  it("and given up by its second caller goes on", async () => {
    await using scratch = counting();
    const first = scratch.gate.call(counted);
    while (scratch.runs() === 0) await new Promise((resolve) => setImmediate(resolve));
    for (const gate of [scratch.gate, scratch.again()]) {
      const stop = new AbortController();
      const second = gate.call(counted, { signal: stop.signal });
      stop.abort();
      expect(codeOf(await second)).toBe("CANCELLED");
    }
    scratch.done();
    expect(codeOf(await first)).toBe("completed");
  });
});

describe("A25: a key", () => {
  it.each([
    ["other arguments", { ...counted, input: { n: 2 } }],
    ["another tool", { ...counted, tool: "read_file" }],
  ])("with %s is refused", async (_, other) => {
    await using scratch = counting();
    scratch.done();
    await scratch.gate.call(counted);
    expect(codeOf(await scratch.gate.call(other))).toBe("DEDUPE_MISMATCH");
    expect(scratch.runs()).toBe(1);
  });

  it("is refused in another workspace, where the same path is another file", async () => {
    await using scratch = counting();
    scratch.done();
    await scratch.gate.call(counted);
    scratch.put("elsewhere/a.txt");
    const elsewhere = scratch.again({ rules: RULES, config: { workspace: "ws/elsewhere" } });
    expect(codeOf(await elsewhere.call(counted))).toBe("DEDUPE_MISMATCH");
    expect(scratch.runs()).toBe(1);
  });

  it("is the same for arguments in another order", async () => {
    await using scratch = counting();
    scratch.done();
    await scratch.gate.call({ ...counted, input: { a: 1, b: 2 } });
    expect(codeOf(await scratch.gate.call({ ...counted, input: { b: 2, a: 1 } }))).toBe("completed");
    expect(scratch.runs()).toBe(1);
  });

  it("is its session's own, and its caller's own where nobody opened one", async () => {
    await using scratch = counting();
    scratch.done();
    const sessions = await Promise.all(
      [1, 2].map(() => scratch.gate.sessions.open({ tools: ["count"], read: ["/**"] })),
    );
    const calls = sessions.map((opened) =>
      opened.kind === "opened" ? { ...counted, session: opened.session } : counted,
    );
    const all = [...calls, counted, { ...counted, actor: "bob" }];
    const ids = new Set((await Promise.all(all.map((one) => scratch.gate.call(one)))).map(({ callId }) => callId));
    expect([ids.size, scratch.runs()]).toEqual([4, 4]);
  });

  it.each(["x".repeat(257), "\ud800"])("that is none is refused", async (key) => {
    await using scratch = counting();
    expect(codeOf(await scratch.gate.call({ ...counted, key }))).toBe("INVALID_ARGUMENTS");
  });

  it("can't stand for arguments that are not JSON", async () => {
    await using scratch = counting();
    expect(codeOf(await scratch.gate.call({ ...counted, input: { n: "\ud800" } }))).toBe("INVALID_ARGUMENTS");
  });

  it("is forgotten after an hour", async () => {
    const clock = handClock();
    await using scratch = counting({ inner: { clock } });
    scratch.done();
    await scratch.gate.call(counted);
    clock.move(LIMITS.dedupeMs.default - 1);
    await scratch.gate.call(counted);
    expect(scratch.runs()).toBe(1);
    clock.move(1);
    await scratch.gate.call(counted);
    expect(scratch.runs()).toBe(2);
  });
});

describe("a result that was kept", () => {
  it("is not told under a lease that has ended, or is revoked", async () => {
    const clock = handClock();
    await using scratch = counting({ inner: { clock } });
    scratch.done();
    const opened = await scratch.gate.sessions.open({ tools: ["count"], read: ["/**"], for: "30m" });
    if (opened.kind === "refused") throw new Error("not opened");
    const call = { ...counted, session: opened.session };
    expect(codeOf(await scratch.gate.call(call))).toBe("completed");
    expect(codeOf(await scratch.gate.call(call))).toBe("completed");
    clock.move(1_800_000);
    expect(codeOf(await scratch.gate.call(call))).toBe("LEASE_EXPIRED");
    const other = await scratch.gate.sessions.open({ tools: ["count"], read: ["/**"] });
    if (other.kind === "refused") throw new Error("not opened");
    const another = { ...counted, session: other.session };
    expect(codeOf(await scratch.gate.call(another))).toBe("completed");
    await scratch.gate.sessions.revoke(other.session.id);
    expect(codeOf(await scratch.gate.call(another))).toBe("LEASE_REVOKED");
  });

  it("is not told under a lease that covers it no longer", async () => {
    await using scratch = counting();
    scratch.done();
    const opened = await scratch.gate.sessions.open({ tools: ["count"], read: ["/**"] });
    if (opened.kind === "refused") throw new Error("not opened");
    const call = { ...counted, session: opened.session };
    await scratch.gate.call(call);
    await scratch.gate.sessions.renew(opened.session.id, { for: "9h" });
    expect(codeOf(await scratch.gate.call(call))).toBe("completed");
    await scratch.gate.sessions.renew(opened.session.id, { tools: [] });
    expect(codeOf(await scratch.gate.call(call))).toBe("LEASE_SCOPE");
  });

  it("is told although the budget is used up: it costs nothing", async () => {
    await using scratch = counting();
    scratch.done();
    const opened = await scratch.gate.sessions.open({ tools: ["count"], read: ["/**"], budget: { calls: 1 } });
    if (opened.kind === "refused") throw new Error("not opened");
    const call = { ...counted, session: opened.session };
    expect(codeOf(await scratch.gate.call(call))).toBe("completed");
    expect(codeOf(await scratch.gate.call(call))).toBe("completed");
    expect(codeOf(await scratch.gate.call({ ...call, key: "other" }))).toBe("BUDGET_EXCEEDED");
  });

  it("is not told once the rules deny it, and is where other rules changed", async () => {
    await using scratch = counting();
    scratch.done();
    await scratch.gate.call(counted);
    const denying = scratch.again({ rules: [...RULES, { id: "no", effect: "deny", tools: ["count"] }] });
    expect(codeOf(await denying.call(counted))).toBe("RULE_DENY");
    const asking = scratch.again({ rules: [{ id: "ask", effect: "ask", tools: ["count"] }] });
    expect(codeOf(await asking.call(counted))).toBe("completed");
    expect(scratch.runs()).toBe(1);
  });

  it("is not told where it can't be judged anew", async () => {
    await using scratch = openScratchGate({ rules: ALLOW_ALL });
    scratch.put("a.txt", "old");
    const edit = { tool: "delete_file", input: { path: "a.txt" }, key: "k" };
    const made = await scratch.gate.call(edit);
    expect(codeOf(made)).toBe("completed");
    expect(await scratch.gate.call(edit)).toEqual(made);
    const later = scratch.again({ rules: [...ALLOW_ALL, { id: "more", effect: "allow", touch: { read: ["/x"] } }] });
    expect(["CONFLICT", "completed"]).toContain(codeOf(await later.call(edit)));
  });
});

describe("a call with a key that a person is asked about", () => {
  const write = { tool: "write_file", input: { path: "a.txt", content: "x" }, key: "k", actor: "ann" };
  const pendingOf = (outcome: Outcome) => asKind(outcome, "pending").approval.id;

  it("is asked about once; who does not wait is told of the open question", async () => {
    await using scratch = openScratchGate({ rules: ASK_ALL });
    const first = pendingOf(await scratch.gate.call(write, { whenAsked: "return" }));
    expect(pendingOf(await scratch.gate.call(write, { whenAsked: "return" }))).toBe(first);
    expect(pendingOf(await scratch.again().call(write, { whenAsked: "return" }))).toBe(first);
    expect(await scratch.gate.approvals.list()).toHaveLength(1);
  });

  it("runs once when it is approved, and whoever waits hears of it", async () => {
    await using scratch = openScratchGate({ rules: ASK_ALL });
    const id = pendingOf(await scratch.gate.call(write, { whenAsked: "return" }));
    const waiting = scratch.again().call(write);
    const answered = await scratch.gate.approvals.answer(id, { kind: "approve", who: "ann" });
    if (answered.kind !== "recorded") throw new Error(answered.kind);
    const ran = (await scratch.gate.approvals.carryOn(answered.question)) as Outcome;
    expect(codeOf(ran)).toBe("completed");
    expect(await waiting).toEqual(ran);
    expect(scratch.text("a.txt")).toBe("x");
  });

  it("is told of the no", async () => {
    await using scratch = openScratchGate({ rules: ASK_ALL });
    const id = pendingOf(await scratch.gate.call(write, { whenAsked: "return" }));
    await scratch.gate.approvals.answer(id, { kind: "reject", who: "ann", reason: "no" });
    const again = asKind(await scratch.gate.call(write), "refused");
    expect(again).toMatchObject({ refusal: { code: "APPROVAL_REJECTED", message: "ann said no: no" }, receipt: {} });
  });

  it("waits together with its first caller", async () => {
    const question = openApprover();
    await using scratch = openScratchGate({ rules: ASK_ALL, approver: question.approver });
    const both = [scratch.gate.call(write), scratch.gate.call(write)];
    await question.asked;
    question.answer(YES);
    const [one, two] = await Promise.all(both);
    expect(codeOf(one as Outcome)).toBe("completed");
    expect(two).toEqual(one);
  });
});

describe("100 duplicates at once", () => {
  const run = async (scratch: ReturnType<typeof counting>, how: "die" | "live"): Promise<readonly string[]> => {
    const program = startProgram("makes-keyed-call.ts", [join(scratch.folder, "toolgate.yaml"), counts(scratch), how]);
    return how === "live" ? await program.ended() : await program.ended().catch(() => []);
  };
  const counts = (scratch: ReturnType<typeof counting>) => join(scratch.folder, "counts");
  const runsIn = (scratch: ReturnType<typeof counting>) =>
    existsSync(counts(scratch)) ? readFileSync(counts(scratch), "utf8") : "";
  const rules: readonly RuleSource[] = [{ id: "all", effect: "allow", tools: ["count"], touch: { unknown: true } }];

  it("are one execution, also from two processes", async () => {
    await using scratch = counting({ rules });
    const said = await Promise.all([run(scratch, "live"), run(scratch, "live")]);
    expect(runsIn(scratch)).toBe("ran\n");
    expect(said).toEqual([[expect.stringMatching(/^completed call_\w+$/)], said[0]]);
  });

  it("and a kill -9 in the middle: one execution, whose end nobody knows, before and after a restart", async () => {
    await using scratch = counting({ rules });
    await run(scratch, "die");
    expect(runsIn(scratch)).toBe("ran\n");
    for (let i = 0; i < 2; i++)
      expect(await run(scratch, "live")).toEqual([expect.stringMatching(/^unknown call_\w+$/)]);
    expect(runsIn(scratch)).toBe("ran\n");
    expect(await scratch.gate.ledger.verify()).toMatchObject({ ok: true });
  });
});

it("whoever waits for a call of a process that dies hears that its end is not known", async () => {
  const rules: readonly RuleSource[] = [{ id: "all", effect: "allow", tools: ["count"], touch: { unknown: true } }];
  await using scratch = counting({ rules });
  const dying = startProgram("makes-keyed-call.ts", [
    join(scratch.folder, "toolgate.yaml"),
    join(scratch.folder, "counts"),
    "die",
  ]);
  await dying.ended().catch(() => {});
  const gate: Gate = scratch.again();
  expect(codeOf(await gate.call({ ...counted, actor: "ann" }))).toBe("OUTCOME_UNKNOWN");
  expect(scratch.runs()).toBe(0);
});
