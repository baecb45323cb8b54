import { describe, expect, it } from "vitest";
import { EVERYTHING } from "../../src/domain/lease.ts";
import { actingTool } from "../support/acting-tool.ts";
import { openApprover, YES } from "../support/open-approver.ts";
import { ASK_ALL, codeOf, openScratchGate } from "../support/scratch-gate.ts";

const READ = { tool: "read_file", input: { path: "a" } };

describe("a gate", () => {
  it("gives calls an id, a session of its own, and the local user as their actor", async () => {
    await using scratch = openScratchGate();
    const [one, two] = [await scratch.gate.call(READ), await scratch.gate.call(READ)];
    const [first, second] = [scratch.entries(one.callId), scratch.entries(two.callId)];
    expect(one.callId).toMatch(/^call_[0-9a-f]{32}$/);
    expect(one.callId).not.toBe(two.callId);
    expect(new Set([...first, ...second].map(({ sessionId }) => sessionId)).size).toBe(1);
    expect(first[0]).toMatchObject({ actor: expect.stringMatching(/^local:./), project: "default" });
  });

  it("takes the session and the actor that a door names", async () => {
    await using scratch = openScratchGate();
    const session = { id: "theirs", project: "other", lease: EVERYTHING };
    const { callId } = await scratch.gate.call({ ...READ, session, actor: "mcp:editor" });
    expect(scratch.entries(callId)[0]).toMatchObject({ sessionId: "theirs", project: "other", actor: "mcp:editor" });
  });

  it("lists what models see of its tools", async () => {
    await using scratch = openScratchGate();
    const gate = scratch.again({ tools: [actingTool(scratch.workspace).tool] });
    expect(gate.tools().map(({ name }) => name)).toEqual([...scratch.gate.tools().map(({ name }) => name), "act"]);
  });

  it("never throws for what a call does", async () => {
    await using scratch = openScratchGate();
    const odd = [undefined, null, 7, "x", [], { path: Symbol() }, { path: () => 1 }, new Date()];
    for (const input of odd)
      expect((await scratch.gate.call({ tool: "read_file", input: input as never })).kind).toBe("refused");
    expect((await scratch.gate.ledger.verify()).ok).toBe(true);
  });
});

describe("closing", () => {
  it("waits for what is in flight, takes nothing more, and signs what there is", async () => {
    await using scratch = openScratchGate();
    const person = openApprover();
    const gate = scratch.again({ rules: ASK_ALL, approver: person.approver });
    const made = gate.call({ tool: "write_file", input: { path: "a", content: "x" } });
    await person.asked;
    let closed = false;
    const closing = gate.close().then(() => {
      closed = true;
    });
    const late = await gate.call(READ);
    expect([late.kind, codeOf(late), late.receipt]).toEqual(["refused", "CANCELLED", undefined]);
    expect(closed).toBe(false);
    person.answer(YES);
    expect((await made).kind).toBe("completed");
    await closing;
    expect(await gate.ledger.verify()).toMatchObject({ ok: true, entries: 6, anchoredTo: 6, unanchored: null });
  });

  it("counts each call until it has ended, however it ends", async () => {
    await using scratch = openScratchGate();
    const person = openApprover();
    const gate = scratch.again({ rules: ASK_ALL, approver: person.approver });
    const made = gate.call({ tool: "write_file", input: { path: "a", content: "x" } });
    await person.asked;
    expect(gate.executions.load.running).toBe(1);
    expect((await gate.call({ tool: "no_such_tool", input: {} })).kind).toBe("refused");
    expect(gate.executions.load.running).toBe(1);
    person.answer(YES);
    await made;
    expect(gate.executions.load.running).toBe(0);
    await gate.close();
  });

  it("a gate that was never used leaves nothing behind", async () => {
    await using scratch = openScratchGate();
    await scratch.gate.close();
    expect(await scratch.gate.ledger.verify()).toMatchObject({ ok: false, reason: expect.stringContaining("MISSING") });
  });
});

describe("two gates on one state", () => {
  it("write one chain, and leave each other's calls alone", async () => {
    await using scratch = openScratchGate();
    const person = openApprover();
    const [one, two] = [scratch.again({ rules: ASK_ALL, approver: person.approver }), scratch.again()];
    const open = one.call({ tool: "write_file", input: { path: "a", content: "x" } });
    await person.asked;
    const others = await Promise.all(Array.from({ length: 30 }, () => two.call(READ)));
    expect(new Set(others.map(codeOf))).toEqual(new Set(["FILE_NOT_FOUND"]));
    expect(scratch.rows().map(({ state }) => state)).toContain("awaiting_approval");
    person.answer(YES);
    expect((await open).kind).toBe("completed");
    expect((await one.ledger.verify()).ok).toBe(true);
  });
});
