import { describe, expect, it } from "vitest";
import { readyz } from "../../../src/doors/rest/routes/server.ts";
import { actingTool } from "../../support/acting-tool.ts";
import { ADMIN, ended, openTestServer, user } from "../../support/test-server.ts";

describe("the ledger", () => {
  it("is read by pages and by call, verified, and proved", async () => {
    await using server = await openTestServer({ config: { server: { users: [user("ann")] } } });
    server.scratch.put("a.txt");
    const { callId, receipt } = (await server.execute("read_file", { path: "a.txt" })).body;
    const seqs = async (query: string) =>
      (await server.get(`ledger?${query}`)).body.entries.map(({ seq }: { seq: number }) => seq);
    const first = await server.get("ledger?limit=2", "ann");
    expect(first.body).toMatchObject({ size: 4, next: "2" });
    expect(await seqs("limit=2&cursor=2")).toEqual([3, 4]);
    expect(await seqs(`call_id=${callId}`)).toEqual([2, 3, 4]);
    expect((await server.post("ledger/verify")).body).toMatchObject({ ok: true });
    expect((await server.post("ledger/verify", {}, "ann")).status).toBe(403);
    await server.gate.ledger.checkpoint();
    expect((await server.get(`ledger/${receipt.seq}/proof`)).body).toMatchObject({ entry: { hash: receipt.hash } });
    for (const seq of ["0", "99", "x", "-1"]) expect((await server.get(`ledger/${seq}/proof`)).status).toBe(404);
    expect((await server.get("ledger?cursor=x")).status).toBe(400);
  });
});

describe("blobs", () => {
  it("are what was too long, and never rendered", async () => {
    const text = "x".repeat(3_000_000);
    await using server = await openTestServer({
      tools: ({ workspace }) => [actingTool(workspace, { act: () => text }).tool],
    });
    const { body } = await server.execute("act");
    const response = await fetch(`${server.url}/my/projects/default/blobs/${body.truncated.blob}`, {
      headers: { Authorization: `Bearer ${ADMIN}` },
    });
    expect(response.headers.get("content-type")).toBe("application/octet-stream");
    expect(response.headers.get("content-disposition")).toContain("attachment");
    expect((await response.text()).includes(text)).toBe(true);
    expect((await server.get(`blobs/${"0".repeat(64)}`)).status).toBe(404);
    expect((await server.get("blobs/nope")).status).toBe(422);
  });
});

describe("sessions", () => {
  it("are opened, listed and revoked by the administrator; their token is shown once", async () => {
    await using server = await openTestServer({ config: { server: { users: [user("ann", "approver")] } } });
    server.scratch.put("a.txt");
    const opened = await server.post("sessions", { lease: { tools: ["read_file"], read: ["./**"] }, label: "bot" });
    expect(opened.status).toBe(201);
    const { session_id, token } = opened.body;
    expect(
      (await server.post("tools/execute", { tool_name: "read_file", tool_params: { path: "a.txt" } }, token)).status,
    ).toBe(200);
    const listed = await server.get("sessions", "ann");
    expect(listed.body.sessions).toContainEqual(
      expect.objectContaining({ session_id, label: "bot", opened_by: "admin", state: "open" }),
    );
    expect(JSON.stringify(listed.body)).not.toContain(token);
    expect((await server.get(`sessions/${session_id}`)).body).toMatchObject({ session_id });
    expect((await server.post(`sessions/${session_id}/revoke`, {}, "ann")).status).toBe(403);
    expect((await server.post(`sessions/${session_id}/revoke`, { reason: "done" })).body).toMatchObject({
      state: "ended",
    });
    expect((await server.get(`sessions/${session_id}`)).status).toBe(404);
    expect((await server.get("tools/available", token)).body.code).toBe("LEASE_REVOKED");
  });

  it("need a lease that is one, and an administrator", async () => {
    await using server = await openTestServer({ config: { server: { users: [user("ann", "approver", "caller")] } } });
    expect((await server.post("sessions", { lease: { read: 7 } })).status).toBe(422);
    expect((await server.post("sessions", { lease: {} }, "ann")).status).toBe(403);
    expect((await server.get("sessions/session_0")).status).toBe(404);
  });
});

describe("rules", () => {
  it("are shown with their hash, and explained without a trace", async () => {
    await using server = await openTestServer();
    const { body } = await server.get("rules");
    expect(body.rules).toContainEqual(expect.objectContaining({ id: "all-files", effect: "allow" }));
    const before = server.scratch.entries().length;
    const explained = await server.post("rules/explain", {
      tool_name: "write_file",
      tool_params: { path: "/etc/x", content: "" },
    });
    expect(explained.body).toMatchObject({ decision: "deny", code: "DEFAULT_DENY" });
    expect(server.scratch.entries()).toHaveLength(before);
    const allowed = await server.post("rules/explain", {
      tool_name: "write_file",
      tool_params: { path: "x", content: "" },
    });
    expect(allowed.body).toMatchObject({ decision: "allow", ruleId: "all-files" });
  });

  it("are checked, as they lie on the disk and as somebody thinks of them", async () => {
    await using server = await openTestServer({ config: { server: { users: [user("ann", "approver")] } } });
    expect((await server.post("rules/check")).body).toMatchObject({ ok: true, in_force: true, rules: 1, problems: [] });
    const bad = [
      { id: "a", effect: "allow", touch: { read: ["./x"] }, examples: { match: ["read ./y"] } },
      { id: "b", effect: "perhaps" },
    ];
    const before = server.scratch.entries().length;
    const { body } = await server.post("rules/check", { rules: bad });
    expect(body).toMatchObject({ ok: false, in_force: false, rules: null });
    expect(JSON.stringify(body.problems)).toContain("does not cover its example");
    expect(JSON.stringify(body.problems)).toContain("effect");
    expect(body.examples).toEqual([{ rule_id: "a", example: "read ./y", wanted: "match", holds: false }]);
    const good = await server.post("rules/check", { rules: [{ id: "a", effect: "allow", touch: { read: ["./x"] } }] });
    expect(good.body).toMatchObject({ ok: true, in_force: null, rules: 1 });
    expect(server.scratch.entries()).toHaveLength(before);
    expect((await server.get("rules")).body.rules).toContainEqual(expect.objectContaining({ id: "all-files" }));
    expect((await server.post("rules/check", {}, "ann")).status).toBe(403);
  });
});

describe("metrics and logs", () => {
  it("name routes and codes, never what callers say", async () => {
    await using server = await openTestServer();
    server.scratch.put("secret-name.txt");
    await server.execute("read_file", { path: "secret-name.txt" });
    await server.execute("secret-name", {});
    await server.get("/nothing-of-ours").catch(() => {});
    const response = await fetch(`${server.url}/metrics`, { headers: { Authorization: `Bearer ${ADMIN}` } });
    const text = await response.text();
    expect(text).toContain(
      'toolgate_http_requests_total{method="POST",route="/my/projects/{project}/tools/execute",status="200"} 1',
    );
    expect(text).toContain("# TYPE toolgate_http_request_seconds histogram");
    expect(text).toContain('toolgate_tool_used_total{tool="read_file",success="true"} 1');
    expect(text).toContain('toolgate_tool_used_total{tool="",success="false"} 1');
    expect(text).toContain('toolgate_tool_used_seconds_count{tool="read_file"} 1');
    expect(text).toMatch(/toolgate_ledger_entries \d+/);
    const logged = server.logged.join("\n");
    expect(logged).toContain("/my/projects/{project}/tools/execute");
    for (const secret of ["secret-name", "nothing-of-ours", ADMIN]) {
      expect(text).not.toContain(secret);
      expect(logged).not.toContain(secret);
    }
  });
});

describe("GET /readyz", () => {
  it("says that the server is stopping as every other no is said", async () => {
    await using server = await openTestServer();
    const answer = await readyz.handle({} as never, { gate: server.gate, stopping: AbortSignal.abort() } as never);
    if (!(answer instanceof Response)) throw new Error("it is ready");
    expect([answer.status, answer.headers.get("content-type")]).toEqual([503, "application/problem+json"]);
    expect(await answer.json()).toMatchObject({ code: "BUSY", detail: "the server is stopping", retry_after: 1 });
  });
});

describe("a call that was approved while no server ran", () => {
  it("is run by the next one", async () => {
    const rules = [{ id: "ask", effect: "ask" as const, touch: { write: ["./**"] } }];
    await using server = await openTestServer({ rules });
    const { body } = await server.execute("write_file", { path: "a.txt", content: "x" }, { wait: false });
    await server.server.close();
    const other = server.scratch.again();
    await other.approvals.answer(body.approval.id, { kind: "approve", who: "ann" });
    await other.close();
    await using next = await openTestServer({}, server.scratch);
    expect(await ended(next, body.callId)).toMatchObject({ status: "COMPLETED" });
    expect(server.scratch.text("a.txt")).toBe("x");
  });
});

describe("a page", () => {
  it.each(["approvals", "approvals?status=resolved", "executions", "sessions", "ledger"])(
    "of %s that comes behind nothing is refused, and not empty",
    async (path) => {
      await using server = await openTestServer();
      const answer = await server.get(`${path}${path.includes("?") ? "&" : "?"}cursor=`);
      expect(answer).toMatchObject({ status: 400, body: { code: "REQUEST_INVALID" } });
    },
  );

  it.each([
    ["approvals", "call_0"],
    ["approvals?status=all", "zzz"],
    ["executions", "approval_0"],
    ["executions", "call_"],
    ["sessions", "lease_1"],
  ])("of %s that comes behind `%s`, which is in another list or in none, is refused", async (path, cursor) => {
    await using server = await openTestServer();
    const answer = await server.get(`${path}${path.includes("?") ? "&" : "?"}cursor=${cursor}`);
    expect(answer).toMatchObject({ status: 400, body: { code: "REQUEST_INVALID" } });
  });
});

describe("/openapi.json", () => {
  it("tells of no role that nobody can be given", async () => {
    await using server = await openTestServer();
    const { body } = await server.get("/openapi.json");
    const told = [...JSON.stringify(body).matchAll(/Needs the role `(\w+)`/g)].map(([, role]) => role);
    expect([...new Set(told)].sort()).toEqual(["admin", "approver", "caller", "executor"]);
  });

  it("says that a body has to be sent where one without members is refused", async () => {
    await using server = await openTestServer();
    const response = await fetch(`${server.url}/openapi.json`, { headers: { Authorization: `Bearer ${ADMIN}` } });
    const { paths } = (await response.json()) as { paths: Record<string, { post?: { requestBody?: unknown } }> };
    const isRequired = (path: string) => paths[`/my/projects/{project}/${path}`]?.post?.requestBody;
    expect(isRequired("tools/execute")).toMatchObject({ required: true });
    expect(isRequired("sessions")).toMatchObject({ required: true });
    expect(isRequired("approvals/{approval_id}/approve")).toMatchObject({ required: false });
  });
});
