import type { ElicitResult } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../src/domain/json.ts";
import { OUTCOME_META } from "../../../src/doors/mcp/call-result.ts";
import { actingTool } from "../../support/acting-tool.ts";
import { connectHttp, textOf } from "../../support/mcp-client.ts";
import { ALLOW_ALL } from "../../support/scratch-gate.ts";
import { ADMIN, openTestServer, type TestServer, user } from "../../support/test-server.ts";

const ASK_WRITES = [
  ...ALLOW_ALL.map((rule) => ({ ...rule, touch: { read: ["./**"] } })),
  { id: "ask-writes", effect: "ask" as const, otherwise: true, touch: { write: ["./**"] } },
];
const WRITE = { name: "write_file", arguments: { path: "new.txt", content: "the new words" } };
const USERS = {
  server: {
    users: [
      user("caller-of-tests-000000000000000000", "caller"),
      user("ann-of-tests-00000000000000000000", "caller", "approver"),
    ],
  },
};
const [CALLER, ANN] = ["caller-of-tests-000000000000000000", "ann-of-tests-00000000000000000000"];
const facts = (result: { _meta?: Record<string, unknown> | undefined }) => result._meta?.[OUTCOME_META];

describe.each(["2026-07-28", "2025-11-25"] as const)("the MCP door over HTTP, %s", (era) => {
  it("lists, calls and refuses, by the name of who has the token", async () => {
    await using server = await openTestServer({ config: USERS });
    server.scratch.put("a.txt", "hello");
    const client = await connectHttp(server.url, CALLER, { era });
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain("read_file");
    expect(textOf(await client.callTool({ name: "read_file", arguments: { path: "a.txt" } }))).toBe("hello");
    const denied = await client.callTool({ name: "read_file", arguments: { path: "/etc/passwd" } });
    expect(facts(denied)).toMatchObject({ kind: "refused", code: "DEFAULT_DENY" });
    expect(server.scratch.entries().at(-1)?.actor).toContain("caller-of-tests");
    await client.close();
  });

  it("asks whoever may approve, and nobody else", async () => {
    await using server = await openTestServer({ rules: ASK_WRITES, config: USERS });
    let asked = 0;
    const fills = (): ElicitResult => {
      asked++;
      return { action: "accept", content: { answer: "approve" } };
    };
    const ann = await connectHttp(server.url, ANN, { era, fills });
    expect(facts(await ann.callTool(WRITE))).toMatchObject({ kind: "completed" });
    expect(server.scratch.text("new.txt")).toBe("the new words");
    expect(asked).toBe(1);

    const caller = await connectHttp(server.url, CALLER, { era, fills });
    const call = caller.callTool({ ...WRITE, arguments: { path: "other.txt", content: "x" } });
    await expect.poll(async () => (await server.gate.approvals.list()).length).toBe(1);
    const [question] = await server.gate.approvals.list();
    await server.gate.approvals.answer(question?.approvalId ?? "", { kind: "reject", who: "ann" });
    expect(facts(await call)).toMatchObject({ code: "APPROVAL_REJECTED" });
    expect(asked).toBe(1);
    await Promise.all([ann.close(), caller.close()]);
  });
});

describe("the MCP door over HTTP", () => {
  it.each([0, 2])(
    "does not tell an agent whose session has ended what came of a call, behind %i others",
    async (before) => {
      const [begun, found] = [Promise.withResolvers<void>(), Promise.withResolvers<string>()];
      const act = ({ n }: JsonObject) => {
        if (n === 0) return "nothing";
        begun.resolve();
        return found.promise;
      };
      await using server = await openTestServer({ tools: ({ workspace }) => [actingTool(workspace, { act }).tool] });
      const { body } = await server.post("sessions", { lease: { tools: ["act"], write: ["./**"] } });
      const client = await connectHttp(server.url, body.token);
      // Those that follow others of their like go beside the SDK.
      for (let at = 0; at < before; at++) {
        expect(textOf(await client.callTool({ name: "act", arguments: { n: 0 } }))).toBe("nothing");
      }
      const waiting = client.callTool({ name: "act", arguments: { n: 1 } }).then(textOf, String);
      await begun.promise;
      await server.post(`sessions/${body.session_id}/revoke`);
      found.resolve("what it found");
      expect(await waiting).not.toContain("what it found");
      await client.close();
    },
  );

  const META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": { elicitation: {} },
  };
  const MODERN = { "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "write_file" };

  const send = async (server: TestServer, body: unknown, headers: Record<string, string>) => {
    const response = await fetch(`${server.url}/mcp`, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
        Authorization: `Bearer ${ADMIN}`,
        ...headers,
      },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text };
  };
  const call = (more: object = {}) => ({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { ...WRITE, _meta: META, ...more },
  });

  it.each([
    ["no token", { Authorization: "" }, 401],
    ["a wrong token", { Authorization: "Bearer nobody" }, 401],
    ["another site's origin", { Origin: "https://evil.example" }, 403],
    ["another name in its header", { "Mcp-Name": "read_file" }, 400],
    ["another method in its header", { "Mcp-Method": "tools/list" }, 400],
    ["another revision in its header", { "MCP-Protocol-Version": "2025-11-25" }, 400],
    ["a session that is none", { "Mcp-Session-Id": "nobody", "MCP-Protocol-Version": "2025-11-25" }, 400],
  ])("refuses %s", async (_, headers, status) => {
    await using server = await openTestServer();
    const answer = await send(server, call(), { ...MODERN, ...headers });
    expect(answer.status).toBe(status);
    expect(server.scratch.rows()).toEqual([]);
  });

  it("runs nothing by another's state, nor twice by one's own", async () => {
    await using server = await openTestServer({ rules: ASK_WRITES, config: USERS });
    const answer = await send(server, call(), MODERN);
    const { result } = JSON.parse(answer.text) as { result: { resultType: string; requestState: string } };
    expect(result.resultType).toBe("input_required");
    const inputResponses = { approval: { action: "accept", content: { answer: "approve" } } };
    const again = call({ requestState: result.requestState, inputResponses });
    const others = await send(server, again, { ...MODERN, Authorization: `Bearer ${ANN}` });
    expect(others.text).toContain("-32602");
    expect(JSON.parse((await send(server, again, MODERN)).text)).toMatchObject({ result: { resultType: "complete" } });
    expect((await send(server, again, MODERN)).text).toContain("-32602");
    expect(server.scratch.rows().map(({ state }) => state)).toEqual(["completed"]);
  });

  it("binds an agent to the lease of its token, and asks it nothing", async () => {
    await using server = await openTestServer({ rules: ASK_WRITES });
    server.scratch.put("in/a.txt", "inside");
    server.scratch.put("b.txt", "outside");
    const opened = await server.gate.sessions.open({ tools: "everything", read: ["./in/**"], write: [] });
    if (opened.kind !== "opened") throw new Error("not opened");
    const client = await connectHttp(server.url, opened.token, { fills: () => ({ action: "cancel" }) });
    const read = (path: string) => client.callTool({ name: "read_file", arguments: { path } });
    expect(textOf(await read("in/a.txt"))).toBe("inside");
    expect(facts(await read("b.txt"))).toMatchObject({ code: "LEASE_SCOPE" });
    await server.gate.sessions.revoke(opened.session.id);
    await expect(read("in/a.txt")).rejects.toThrow();
    await client.close();
  });

  it("begins a session with a client that does not say who it is", async () => {
    await using server = await openTestServer();
    const params = { protocolVersion: "2024-11-05", capabilities: {} };
    const { status, text } = await send(server, { jsonrpc: "2.0", id: 1, method: "initialize", params }, {});
    expect(status).toBe(200);
    expect(text).toContain('"protocolVersion":"2024-11-05"');
  });

  it("lets nobody into another's session", async () => {
    await using server = await openTestServer({ config: USERS });
    const hello = {
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "a", version: "1" } },
    };
    const { headers } = await send(server, hello, {});
    const id = headers.get("mcp-session-id") ?? "";
    const list = { jsonrpc: "2.0", id: 2, method: "tools/list" };
    expect((await send(server, list, { "Mcp-Session-Id": id })).text).toContain("read_file");
    const other = await send(server, list, { "Mcp-Session-Id": id, Authorization: `Bearer ${ANN}` });
    expect(other.status).toBe(404);
  });

  it("advertises no OAuth sign-in, which no authorization server here could complete", async () => {
    await using server = await openTestServer();
    const refused = await send(server, call(), { ...MODERN, Authorization: "Bearer nobody" });
    expect(refused.headers.get("www-authenticate")).toBe('Bearer realm="toolgate", error="invalid_token"');
    const silent = await fetch(`${server.url}/mcp`, { method: "POST" });
    expect(silent.headers.get("www-authenticate")).toBe('Bearer realm="toolgate"');
    const names = ["oauth-protected-resource", "oauth-protected-resource/mcp", "oauth-authorization-server"];
    for (const name of [...names, "openid-configuration"])
      expect((await fetch(`${server.url}/.well-known/${name}`)).status, name).toBe(404);
    expect((await fetch(`${server.url}/well-known/x`)).status).toBe(401);
  });

  it("answers under its path with a slash at the end, too", async () => {
    await using server = await openTestServer();
    const answers = await Promise.all(
      ["/mcp", "/mcp/"].map(async (path) => {
        const response = await fetch(`${server.url}${path}`, {
          method: "POST",
          headers: {
            ...MODERN,
            Authorization: `Bearer ${ADMIN}`,
            "Content-Type": "application/json",
            Accept: "application/json, text/event-stream",
          },
          body: JSON.stringify(call()),
        });
        return [response.status, (await response.text()).includes("result")];
      }),
    );
    expect(answers[0]).toEqual([200, true]);
    expect(answers[1]).toEqual(answers[0]);
    expect((await fetch(`${server.url}/mcp/other`, { headers: { Authorization: `Bearer ${ADMIN}` } })).status).toBe(
      404,
    );
  });

  it("tells who may not make calls that it is not the token which is wrong", async () => {
    const bob = "bob-of-tests-00000000000000000000";
    await using server = await openTestServer({ config: { server: { users: [user(bob, "approver")] } } });
    const refused = await send(server, call(), { ...MODERN, Authorization: `Bearer ${bob}` });
    expect(refused.status).toBe(403);
    expect(refused.headers.get("www-authenticate")).toContain('error="insufficient_scope"');
  });
});
