import type { ElicitResult } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import { yesApprover } from "../../../src/doors/cli/terminal-approver.ts";
import { OUTCOME_META } from "../../../src/doors/mcp/call-result.ts";
import type { HttpCaller } from "../../../src/doors/mcp/http-handler.ts";
import type { Gate } from "../../../src/wiring/gate.ts";
import { connectClient } from "../../support/mcp-client.ts";
import { McpHttpServer } from "../../support/mcp-http.ts";
import { openScratchGate } from "../../support/scratch-gate.ts";

const ASK = { id: "ask-writes", effect: "ask" as const, otherwise: true, touch: { write: ["./**"] } };
const OTHERS = [{ ...ASK, approvers: { requester: "never" as const } }];
const WRITE = { name: "write_file", arguments: { path: "new.txt", content: "the new words" } };
const CALL = { tool: WRITE.name, input: WRITE.arguments };

const factsOf = (result: { _meta?: Record<string, unknown> | undefined }) => result._meta?.[OUTCOME_META];
const onlyQuestion = async (gate: Gate) => (await gate.approvals.list())[0]?.approvalId ?? "";

describe.each(["2026-07-28", "2025-11-25"] as const)("who answers on the MCP door, %s", (era) => {
  it("always: saves no rule where another answer was first", async () => {
    await using scratch = openScratchGate({ rules: [ASK] });
    const { gate } = scratch;
    const always: ElicitResult = { action: "accept", content: { answer: "always" } };
    await using connected = await connectClient(gate, {
      era,
      fills: async () => {
        await gate.approvals.answer(await onlyQuestion(gate), { kind: "reject", who: "ann" });
        return always;
      },
    });
    expect(factsOf(await connected.client.callTool(WRITE))).toMatchObject({ code: "APPROVAL_REJECTED" });
    expect((await gate.explain(CALL)).decision).toBe("ask");
    expect(scratch.entries().filter(({ kind }) => kind === "approval.answered")).toHaveLength(1);
  });

  it("is not who made the call, where the rule wants somebody else: the question waits for them", async () => {
    await using scratch = openScratchGate({ rules: OTHERS });
    const { gate } = scratch;
    const filled = Promise.withResolvers<void>();
    await using connected = await connectClient(gate, {
      era,
      fills: (): ElicitResult => {
        filled.resolve();
        return { action: "accept", content: { answer: "approve" } };
      },
    });
    const call = connected.client.callTool(WRITE);
    await filled.promise;
    const id = await onlyQuestion(gate);
    const own = await gate.approvals.answer(id, { kind: "approve", who: gate.actor });
    expect(own).toMatchObject({ kind: "ineligible" });
    expect(scratch.rows()).toMatchObject([{ state: "awaiting_approval" }]);
    await gate.approvals.answer(id, { kind: "approve", who: "user:ann" }, ["approver"]);
    expect(factsOf(await call)).toMatchObject({ kind: "completed" });
    const [answered] = scratch.entries().filter(({ kind }) => kind === "approval.answered");
    expect(answered?.actor).toBe("user:ann");
  });
});

describe("who answers at the terminal", () => {
  it("is not `--yes` of who made the call, where the rule wants somebody else", async () => {
    const gate = (): Gate => scratch.gate;
    await using scratch = openScratchGate({ rules: OTHERS, approver: yesApprover(gate) });
    const stop = new AbortController();
    const call = scratch.gate.call(CALL, { signal: stop.signal });
    await expect.poll(() => scratch.rows()).toMatchObject([{ state: "awaiting_approval" }]);
    const id = await onlyQuestion(scratch.gate);
    await scratch.gate.approvals.answer(id, { kind: "reject", who: "user:ann" }, ["approver"]);
    expect(await call).toMatchObject({ kind: "refused", refusal: { code: "APPROVAL_REJECTED" } });
  });
});

describe("a question that waits on the MCP door", () => {
  const caller = (gate: Gate, ...roles: string[]): HttpCaller => ({
    actor: "user:ann",
    roles,
    session: { id: "mcp:user:ann", project: "default", lease: gate.session().lease },
    ask: "client",
  });
  const request = (more = {}) =>
    new Request("http://127.0.0.1/mcp", {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
        "MCP-Protocol-Version": "2026-07-28",
        "Mcp-Method": "tools/call",
        "Mcp-Name": WRITE.name,
      },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: {
          ...WRITE,
          _meta: {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": { elicitation: {} },
          },
          ...more,
        },
      }),
    });

  it.each<[boolean, string[]]>([
    [true, ["admin"]],
    [false, ["caller", "approver"]],
  ])("offers to save a rule: %s, for %j", async (isOffered, roles) => {
    await using scratch = openScratchGate({ rules: [ASK], settings: "followed" });
    const { gate } = scratch;
    const handler = new McpHttpServer(gate);
    const who = caller(gate, ...roles);
    const asked = JSON.parse(await (await handler.fetch(request(), who)).text());
    expect(JSON.stringify(asked).includes("saves this rule")).toBe(isOffered);
    // A client may send what it was not offered: then it is a yes to this call.
    const inputResponses = { approval: { action: "accept", content: { answer: "always" } } };
    const again = { requestState: asked.result.requestState, inputResponses };
    expect(await (await handler.fetch(request(again), who)).text()).toContain("complete");
    expect((await gate.explain(CALL)).decision).toBe(isOffered ? "allow" : "ask");
    const told = scratch.entries().filter(({ kind }) => kind === "policy.always");
    expect(told.map(({ actor }) => actor)).toEqual(isOffered ? ["user:ann"] : []);
    await handler.close();
  });

  it("is for the roles that were there when it was asked: who has lost one since runs nothing", async () => {
    const rules = [{ ...ASK, approvers: { roles: ["ops"] } }];
    await using scratch = openScratchGate({ rules });
    const { gate } = scratch;
    const handler = new McpHttpServer(gate);
    const before = caller(gate, "caller", "approver", "ops");
    const asked = JSON.parse(await (await handler.fetch(request(), before)).text());
    const inputResponses = { approval: { action: "accept", content: { answer: "approve" } } };
    const again = { requestState: asked.result.requestState, inputResponses };
    const reduced = await handler.fetch(request(again), caller(gate, "caller", "approver"));
    expect(await reduced.text()).toContain("-32602");
    expect(scratch.rows()).toMatchObject([{ state: "awaiting_approval" }]);
    expect(await (await handler.fetch(request(again), before)).text()).toContain("complete");
    expect(scratch.rows()).toMatchObject([{ state: "completed" }]);
    await handler.close();
  });
});
