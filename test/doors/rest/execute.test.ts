import { describe, expect, it } from "vitest";
import { actingTool } from "../../support/acting-tool.ts";
import { ASK_ALL } from "../../support/scratch-gate.ts";
import { ADMIN, ended, firstApproval, openTestServer, user } from "../../support/test-server.ts";

describe("POST tools/execute", () => {
  it("answers with the outcome", async () => {
    await using server = await openTestServer();
    server.scratch.put("a.txt", "hello");
    const { status, body } = await server.execute("read_file", { path: "a.txt" });
    expect(status).toBe(200);
    expect(body).toMatchObject({ kind: "completed", tool: "read_file", content: [{ type: "text", text: "hello" }] });
    expect(server.scratch.entries(body.callId).map(({ actor }) => actor)).toEqual(["admin", "admin", "admin"]);
  });

  it.each([
    ["an unknown tool", "nope", {}, 404, "TOOL_UNKNOWN"],
    ["bad arguments", "read_file", { path: 1 }, 422, "INVALID_ARGUMENTS"],
    ["what no rule covers", "read_file", { path: "/etc/passwd" }, 403, "DEFAULT_DENY"],
    ["a file that is not there", "read_file", { path: "gone" }, 422, "FILE_NOT_FOUND"],
  ])("%s is refused", async (_, tool, params, status, code) => {
    await using server = await openTestServer();
    const answer = await server.execute(tool, params);
    expect(answer.status).toBe(status);
    expect(answer.body.refusal?.code ?? answer.body.error?.code).toBe(code);
  });

  it("takes no conversation without a name, whose calls nobody could ask for", async () => {
    await using server = await openTestServer();
    const answer = await server.execute("read_file", { path: "a.txt" }, { session_id: "" });
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ field: "session_id" }] } });
  });

  it("waits for the answer, and runs then", async () => {
    await using server = await openTestServer({ rules: ASK_ALL });
    const waiting = server.execute("write_file", { path: "a.txt", content: "x" });
    const approval = await firstApproval(server);
    expect(approval).toMatchObject({ tool_name: "write_file", risk_level: "MEDIUM", status: "pending" });
    const answer = await server.post(`approvals/${approval.approval_id}/approve`, { decision: "approved" });
    expect(answer).toMatchObject({ status: 200, body: { success: true, status: "approved" } });
    expect(await waiting).toMatchObject({ status: 200, body: { kind: "completed" } });
    expect(server.scratch.text("a.txt")).toBe("x");
  });

  it("waits for a no, which is 403", async () => {
    await using server = await openTestServer({ rules: ASK_ALL });
    const waiting = server.execute("write_file", { path: "a.txt", content: "x" });
    const { approval_id } = await firstApproval(server);
    await server.post(`approvals/${approval_id}/reject`, { reason: "not today" });
    expect(await waiting).toMatchObject({
      status: 403,
      body: { kind: "refused", refusal: { code: "APPROVAL_REJECTED", message: "admin said no: not today" } },
    });
    expect(server.scratch.rows()).toMatchObject([{ state: "rejected" }]);
  });

  it("comes back at once when nobody waits; what was approved runs all the same and can be read later", async () => {
    await using server = await openTestServer({ rules: ASK_ALL });
    const pending = await server.execute("write_file", { path: "a.txt", content: "x".repeat(300) }, { wait: false });
    expect(pending).toMatchObject({ status: 202, body: { kind: "pending" } });
    const id = pending.body.callId;
    expect((await server.get(`executions/${id}`)).body).toMatchObject({
      status: "AWAITING_APPROVAL",
      result: null,
      requires_approval: true,
      tool_params: { path: "a.txt", content: "[CONTENT 300 bytes]" },
    });
    await server.post(`approvals/${pending.body.approval.id}/approve`);
    const record = await ended(server, id);
    expect(record).toMatchObject({
      id,
      user_id: "admin",
      project_id: "default",
      status: "COMPLETED",
      result: { kind: "completed", callId: id },
      tool_params: { path: "a.txt", content: "[CONTENT 300 bytes]" },
      error: null,
    });
    expect(record.approved_at <= record.completed_at).toBe(true);
  });

  it("a caller that is gone takes nothing with it", async () => {
    await using server = await openTestServer({ rules: ASK_ALL });
    const stop = new AbortController();
    const waiting = fetch(`${server.url}/my/projects/default/tools/execute`, {
      method: "POST",
      signal: stop.signal,
      headers: { Authorization: `Bearer ${ADMIN}` },
      body: JSON.stringify({ tool_name: "write_file", tool_params: { path: "a.txt", content: "x" } }),
    }).catch(() => "gone");
    const { approval_id, tool_id } = await firstApproval(server);
    stop.abort();
    expect(await waiting).toBe("gone");
    await server.post(`approvals/${approval_id}/approve`);
    expect(await ended(server, tool_id)).toMatchObject({ status: "COMPLETED" });
  });

  it("needs the role", async () => {
    const users = [user("ann", "approver"), user("bob", "caller")];
    await using server = await openTestServer({ config: { server: { users } } });
    server.scratch.put("a.txt");
    const body = { tool_name: "read_file", tool_params: { path: "a.txt" } };
    expect(await server.post("tools/execute", body, "ann")).toMatchObject({
      status: 403,
      body: { code: "ROLE_REQUIRED" },
    });
    const { body: outcome } = await server.post("tools/execute", body, "bob");
    expect(server.scratch.entries(outcome.callId)[0]?.actor).toBe("user:bob");
  });

  it.each([
    ["no tool", {}],
    ["another member", { tool_name: "x", actor: "root" }],
    ["a tool that is none", { tool_name: 7 }],
    ["no object", []],
  ])("a body with %s is no request", async (_, body) => {
    await using server = await openTestServer();
    expect(await server.post("tools/execute", body)).toMatchObject({ status: 400, body: { code: "REQUEST_INVALID" } });
    expect(server.scratch.entries().filter(({ callId }) => callId !== null)).toEqual([]);
  });
});

describe("POST executions/{id}/cancel", () => {
  it("takes back a call whose question is open, and tells who waits", async () => {
    await using server = await openTestServer({ rules: ASK_ALL });
    const waiting = server.execute("write_file", { path: "a.txt", content: "x" });
    const { tool_id, approval_id } = await firstApproval(server);
    expect((await server.post(`executions/${tool_id}/cancel`)).status).toBe(202);
    expect(await waiting).toMatchObject({ status: 409, body: { refusal: { code: "CANCELLED" } } });
    expect((await server.get(`executions/${tool_id}`)).body).toMatchObject({ status: "CANCELLED" });
    expect(await server.post(`approvals/${approval_id}/approve`)).toMatchObject({
      status: 409,
      body: { winner: { status: "cancelled" } },
    });
    expect(await server.post(`executions/${tool_id}/cancel`)).toMatchObject({
      status: 409,
      body: { code: "EXECUTION_OVER" },
    });
  });

  it("stops one that runs", async () => {
    const running = Promise.withResolvers<void>();
    await using server = await openTestServer({
      tools: ({ workspace }) => [
        actingTool(workspace, {
          act: (_, signal) => {
            running.resolve();
            return new Promise((resolve) => signal.addEventListener("abort", () => resolve("stopped")));
          },
        }).tool,
      ],
    });
    const waiting = server.execute("act");
    await running.promise;
    const [{ callId = "" } = {}] = server.scratch.rows();
    expect((await server.get(`executions/${callId}`)).body).toMatchObject({ status: "EXECUTING" });
    expect((await server.post(`executions/${callId}/cancel`)).status).toBe(202);
    expect((await waiting).body.kind).toMatch(/failed|unknown|completed/);
  });

  it("is for who made the call, and for who answers questions", async () => {
    const users = [user("cal", "caller"), user("coy", "caller"), user("apa", "approver", "caller")];
    await using server = await openTestServer({ rules: ASK_ALL, config: { server: { users } } });
    const asked = async () => {
      const call = { tool_name: "write_file", tool_params: { path: "a.txt", content: "x" }, wait: false };
      return (await server.post("tools/execute", call, "cal")).body.callId;
    };
    const [first, second] = [await asked(), await asked()];
    const cancelled = async (id: string, who: string) => (await server.post(`executions/${id}/cancel`, {}, who)).status;
    expect(await cancelled(first, "coy")).toBe(403);
    expect((await server.get(`executions/${first}`)).body).toMatchObject({ status: "AWAITING_APPROVAL" });
    expect([await cancelled(first, "cal"), await cancelled(second, "apa")]).toEqual([202, 202]);
  });

  it("knows no others", async () => {
    await using server = await openTestServer();
    expect(await server.post("executions/call_00/cancel")).toMatchObject({
      status: 404,
      body: { code: "EXECUTION_UNKNOWN" },
    });
    expect((await server.get("executions/call_00")).status).toBe(404);
  });
});
