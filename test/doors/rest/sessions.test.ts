import { describe, expect, it } from "vitest";
import { openEvents } from "../../support/event-reader.ts";
import { ASK_ALL } from "../../support/scratch-gate.ts";
import { openTestServer, type TestServer, user } from "../../support/test-server.ts";

async function agent(server: TestServer, lease = {}) {
  const opened = await server.gate.sessions.open({
    tools: ["read_file", "write_file"],
    read: ["./**"],
    write: ["./**"],
    ...lease,
  });
  if (opened.kind !== "opened") throw new Error(JSON.stringify(opened));
  return { id: opened.session.id, token: opened.token };
}

const call = (tool_name: string, path: string, more = {}) => ({ tool_name, tool_params: { path, ...more } });

describe("an agent with a session's token", () => {
  it("calls under its own lease, which the ledger names", async () => {
    await using server = await openTestServer();
    server.scratch.put("in/a.txt", "a");
    server.scratch.put("b.txt", "b");
    const { id, token } = await agent(server, { read: ["./in/**"] });
    const inside = await server.post("tools/execute", call("read_file", "in/a.txt"), token);
    expect(inside).toMatchObject({ status: 200, body: { kind: "completed" } });
    expect(server.scratch.entries(inside.body.callId)).toMatchObject([
      { sessionId: id, actor: `session:${id}` },
      {},
      {},
    ]);
    expect(await server.post("tools/execute", call("read_file", "b.txt"), token)).toMatchObject({
      status: 403,
      body: { refusal: { code: "LEASE_SCOPE" } },
    });
  });

  it("can't name another session, and a person who names one is bound by its lease", async () => {
    await using server = await openTestServer();
    server.scratch.put("b.txt", "b");
    const [one, other] = [await agent(server, { read: [] }), await agent(server)];
    const named = { ...call("read_file", "b.txt"), session_id: other.id };
    expect(await server.post("tools/execute", named, one.token)).toMatchObject({
      status: 403,
      body: { code: "SESSION_FOREIGN" },
    });
    expect((await server.post("tools/execute", { ...named, session_id: one.id })).body.refusal.code).toBe(
      "LEASE_SCOPE",
    );
    expect((await server.post("tools/execute", named)).status).toBe(200);
  });

  it("has its budget for itself, and for who may open and end sessions", async () => {
    const users = [user("bob", "caller"), user("eve", "admin")];
    await using server = await openTestServer({ config: { server: { users } } });
    server.scratch.put("b.txt", "b");
    const { id, token } = await agent(server, { budget: { calls: 2 } });
    const named = { ...call("read_file", "b.txt"), session_id: id };
    for (const [path, body] of [
      ["tools/execute", named],
      ["rules/explain", named],
      // Whether there is such a session is nothing to them either.
      ["tools/execute", { ...named, session_id: "session_0" }],
    ] as const) {
      expect(await server.post(path, body, "bob")).toMatchObject({
        status: 403,
        body: { code: "SESSION_FOREIGN", hint: "leave `session_id` out, or name a conversation of your own" },
      });
    }
    expect((await server.post("tools/execute", { ...named, session_id: "talk" }, "bob")).status).toBe(200);
    expect((await server.post("tools/execute", named, "eve")).status).toBe(200);
    expect((await server.post("tools/execute", call("read_file", "b.txt"), token)).status).toBe(200);
    expect((await server.post("tools/execute", named)).body.refusal.code).toBe("BUDGET_EXCEEDED");
  });

  it("may be named by who has opened the session", async () => {
    await using server = await openTestServer({
      config: { server: { users: [user("ann", "caller"), user("bob", "caller")] } },
    });
    server.scratch.put("b.txt", "b");
    const opened = await server.gate.sessions.open({ tools: ["read_file"], read: ["./**"] }, { actor: "user:ann" });
    const id = opened.kind === "opened" ? opened.session.id : "";
    const named = { ...call("read_file", "b.txt"), session_id: id };
    expect((await server.post("tools/execute", named, "ann")).status).toBe(200);
    expect((await server.post("tools/execute", named, "bob")).status).toBe(403);
  });

  it("a session that was taken back binds a person who names it still", async () => {
    await using server = await openTestServer();
    server.scratch.put("b.txt", "b");
    const { id } = await agent(server, { read: [] });
    await server.gate.sessions.revoke(id);
    const named = { ...call("read_file", "b.txt"), session_id: id };
    expect((await server.post("tools/execute", named)).body.refusal.code).toBe("LEASE_REVOKED");
    expect((await server.post("tools/execute", { ...named, session_id: "session_0" })).body.refusal.code).toBe(
      "SESSION_UNKNOWN",
    );
  });

  it("gets no login, and who has not the role of a caller gets nothing of MCP", async () => {
    await using server = await openTestServer({ config: { server: { users: [user("vic", "viewer")] } } });
    const { token } = await agent(server);
    expect((await server.post("/login", {}, token)).status).toBe(403);
    expect((await server.post("/mcp", {}, "vic")).status).toBe(403);
  });

  it("answers no question, not even its own, and sees none", async () => {
    await using server = await openTestServer({ rules: ASK_ALL });
    const { token } = await agent(server);
    const pending = await server.post(
      "tools/execute",
      { ...call("write_file", "a", { content: "x" }), wait: false },
      token,
    );
    for (const path of [
      `approvals/${pending.body.approval.id}/approve`,
      `approvals/${pending.body.approval.id}/reject`,
    ]) {
      expect(await server.post(path, {}, token)).toMatchObject({ status: 403, body: { code: "ROLE_REQUIRED" } });
    }
    expect((await server.get("approvals", token)).status).toBe(403);
    expect((await server.get(`approvals/${pending.body.approval.id}`, token)).status).toBe(403);
    expect(server.scratch.rows()).toMatchObject([{ state: "awaiting_approval" }]);
  });

  it("sees its own calls and events, and nobody else's", async () => {
    await using server = await openTestServer();
    server.scratch.put("a.txt");
    const [one, other] = [await agent(server), await agent(server)];
    await using events = await openEvents(server.url, { token: one.token, lastEventId: 0 });
    const theirs = (await server.post("tools/execute", call("read_file", "a.txt"), other.token)).body.callId;
    const own = (await server.post("tools/execute", call("read_file", "a.txt"), one.token)).body.callId;
    const listed = await server.get(`executions?session_id=${other.id}`, one.token);
    expect(listed.body.executions.map(({ id }: { id: string }) => id)).toEqual([own]);
    expect((await server.get(`executions/${own}`, one.token)).status).toBe(200);
    expect((await server.get(`executions/${theirs}`, one.token)).status).toBe(404);
    expect((await server.post(`executions/${theirs}/cancel`, {}, one.token)).status).toBe(404);
    expect(await events.until("tool.requested")).toMatchObject({ data: { tool_id: own } });
  });

  it("is told that its lease is over", async () => {
    await using server = await openTestServer();
    const { id, token } = await agent(server);
    await server.gate.sessions.revoke(id);
    const { status, body } = await server.post("tools/execute", call("read_file", "a.txt"), token);
    expect([status, body.code]).toEqual([403, "LEASE_REVOKED"]);
  });
});
