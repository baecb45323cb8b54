import type { ElicitResult } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import { OUTCOME_META } from "../../../src/doors/mcp/call-result.ts";
import type { HttpCaller } from "../../../src/doors/mcp/http-handler.ts";
import { connectClient, connectHttp } from "../../support/mcp-client.ts";
import { McpHttpServer } from "../../support/mcp-http.ts";
import { openScratchGate } from "../../support/scratch-gate.ts";
import { openTestServer, user } from "../../support/test-server.ts";

const ASK = { id: "ask-writes", effect: "ask" as const, otherwise: true, touch: { write: ["./**"] } };
const WRITE = { name: "write_file", arguments: { path: "new.txt", content: "the new words" } };
const factsOf = (result: { _meta?: Record<string, unknown> | undefined }) => result._meta?.[OUTCOME_META];
const ERAS = ["2026-07-28", "2025-11-25"] as const;

/** What somebody with fresh eyes got in by. */
describe("who has lost a role", () => {
  const META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": { elicitation: {} },
  };
  const headers = { "Content-Type": "application/json", Accept: "application/json, text/event-stream" };
  const MODERN = { "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": WRITE.name };
  const post = (body: unknown, more: Record<string, string>) =>
    new Request("http://127.0.0.1/mcp", {
      method: "POST",
      headers: { ...headers, ...more },
      body: JSON.stringify(body),
    });
  const call = (params: object) => ({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { ...params, _meta: META },
  });

  function open() {
    const scratch = openScratchGate({ rules: [ASK] });
    const http = new McpHttpServer(scratch.gate);
    const caller = (...roles: readonly string[]): HttpCaller => ({ actor: "ann", roles, session, ask: "client" });
    const session = scratch.gate.session();
    const send = async (body: unknown, more: Record<string, string>, who: HttpCaller) => {
      const response = await http.fetch(post(body, more), who);
      const text = await response.text();
      const [, data = text] = /^data: (\{.*\})$/m.exec(text) ?? [];
      return {
        status: response.status,
        headers: response.headers,
        body: JSON.parse(data === "" ? "null" : data),
      };
    };
    const close = async () => {
      await http.close();
      await scratch[Symbol.asyncDispose]();
    };
    return { scratch, caller, send, [Symbol.asyncDispose]: close };
  }

  it("can't answer the question that was put to them with it", async () => {
    await using opened = open();
    const { scratch, caller, send } = opened;
    const first = await send(call(WRITE), MODERN, caller("caller", "approver"));
    const { requestState } = first.body.result;
    const inputResponses = { approval: { action: "accept", content: { answer: "approve" } } };
    const again = call({ ...WRITE, requestState, inputResponses });
    const late = await send(again, MODERN, caller("caller"));
    expect(late.body.error.code).toBe(-32_602);
    expect(() => scratch.text("new.txt")).toThrow();
    // Whoever still has it can.
    const done = await send(again, MODERN, caller("approver", "caller"));
    expect(factsOf(done.body.result)).toMatchObject({ kind: "completed" });
  });

  it("has no part in the session that they began with it", async () => {
    await using opened = open();
    const { caller, send } = opened;
    const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "a", version: "1" } };
    const begun = await send({ jsonrpc: "2.0", id: 1, method: "initialize", params }, {}, caller("caller", "approver"));
    const id = begun.headers.get("mcp-session-id") ?? "";
    const list = { jsonrpc: "2.0", id: 2, method: "tools/list", params: {} };
    expect((await send(list, { "mcp-session-id": id }, caller("caller"))).status).toBe(404);
    expect((await send(list, { "mcp-session-id": id }, caller("approver", "caller"))).status).toBe(200);
  });
});

describe.each(ERAS)("an answer that is not the first one, %s", (era) => {
  it("saves nothing for always", async () => {
    await using scratch = openScratchGate({ rules: [ASK] });
    let asked = 0;
    await using connected = await connectClient(scratch.gate, {
      era,
      fills: async (): Promise<ElicitResult> => {
        asked++;
        if (asked > 1) return { action: "decline" };
        const [question] = await scratch.gate.approvals.list();
        await scratch.gate.approvals.answer(question?.approvalId ?? "", { kind: "reject", who: "ann" });
        return { action: "accept", content: { answer: "always" } };
      },
    });
    for (const _ of [1, 2]) {
      const result = await connected.client.callTool(WRITE);
      expect(factsOf(result)).toMatchObject({ kind: "refused", code: "APPROVAL_REJECTED" });
    }
    // The second time it was asked again: no rule had been saved.
    expect(asked).toBe(2);
    expect(() => scratch.text("new.txt")).toThrow();
  });
});

describe.each(ERAS)("whoever made a call, %s", (era) => {
  const [ANN, BOB] = ["ann-of-tests-00000000000000000000", "bob-of-tests-00000000000000000000"];

  it("is who their token says, whatever their client calls itself", async () => {
    await using server = await openTestServer({
      rules: [{ ...ASK, approvers: { requester: "never" } }],
      config: { server: { users: [user(ANN, "caller", "approver"), user(BOB, "caller", "approver")] } },
    });
    let asked = 0;
    const fills = (): ElicitResult => {
      asked++;
      return { action: "accept", content: { answer: "approve", who: BOB } };
    };
    const client = await connectHttp(server.url, ANN, { era, fills, name: BOB });
    const call = client.callTool(WRITE).catch(() => null);
    await expect.poll(async () => (await server.gate.approvals.list()).length).toBe(1);
    await expect.poll(() => asked).toBe(1);
    const [question] = await server.gate.approvals.list();
    const approve = (token: string) => server.post(`approvals/${question?.approvalId}/approve`, {}, token);
    expect((await approve(ANN)).body.code).toBe("APPROVER_NOT_ELIGIBLE");
    expect(() => server.scratch.text("new.txt")).toThrow();
    expect((await approve(BOB)).status).toBe(200);
    expect(factsOf((await call) ?? {})).toMatchObject({ kind: "completed" });
    await client.close();
  });
});
