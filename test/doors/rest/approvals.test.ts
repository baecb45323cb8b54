import { describe, expect, it } from "vitest";
import { actingTool } from "../../support/acting-tool.ts";
import { handClock } from "../../support/hand-clock.ts";
import { ASK_ALL } from "../../support/scratch-gate.ts";
import { withClientTools } from "../../support/test-executor.ts";
import { firstApproval, openTestServer, type TestServer, user } from "../../support/test-server.ts";

const asked = async (server: TestServer, path = "a.txt") =>
  (await server.execute("write_file", { path, content: "x" }, { wait: false })).body;

describe("approvals", () => {
  it("are listed by pages, the oldest first, and shown whole", async () => {
    await using server = await openTestServer({ rules: ASK_ALL });
    const ids: string[] = [];
    for (const n of [1, 2, 3]) ids.push((await asked(server, `${n}.txt`)).approval.id);
    const first = await server.get("approvals?limit=2");
    expect(first.body.approvals.map((one: { approval_id: string }) => one.approval_id)).toEqual(ids.slice(0, 2));
    const rest = await server.get(`approvals?limit=2&cursor=${first.body.next}`);
    expect(rest.body.approvals.map((one: { approval_id: string }) => one.approval_id)).toEqual(ids.slice(2));
    expect(rest.body.next).toBeNull();
    const shown = await server.get(`approvals/${ids[0]}`);
    expect(shown.body).toMatchObject({
      approval: { approval_id: ids[0], description: "write `1.txt` (a new file)", reasons: ["people decide"] },
      plan: { plan: { tool: "write_file" }, touches: [{ effect: "ask" }] },
    });
  });

  it("show the plan, with all that the call was given, to whom it concerns and to nobody else", async () => {
    const users = [user("cal", "caller"), user("coy", "caller"), user("apa", "approver"), user("nob")];
    await using server = await openTestServer({ rules: ASK_ALL, config: { server: { users } } });
    const call = { tool_name: "write_file", tool_params: { path: "a.txt", content: "in confidence" }, wait: false };
    const { approval } = (await server.post("tools/execute", call, "cal")).body;
    for (const who of ["cal", "apa"])
      expect((await server.get(`approvals/${approval.id}`, who)).body.plan.plan.input.content).toBe("in confidence");
    for (const who of ["coy", "nob"]) {
      const { status, body } = await server.get(`approvals/${approval.id}`, who);
      expect([status, body.code, JSON.stringify(body).includes("confidence")]).toEqual([403, "ROLE_REQUIRED", false]);
    }
  });

  it("are found by how they ended", async () => {
    await using server = await openTestServer({ rules: ASK_ALL });
    const [yes, no, open] = [await asked(server, "y"), await asked(server, "n"), await asked(server, "o")];
    await server.post(`approvals/${yes.approval.id}/approve`);
    await server.post(`approvals/${no.approval.id}/reject`, { reason: "no" });
    const status = async (query: string) =>
      (await server.get(`approvals?${query}`)).body.approvals.map((one: { status: string }) => one.status);
    expect(await status("status=pending")).toEqual(["pending"]);
    expect(await status("status=resolved")).toEqual(["rejected", "approved"]);
    expect(await status("status=all")).toEqual(["pending", "rejected", "approved"]);
    expect((await server.get(`approvals/${open.approval.id}`)).body.approval.status).toBe("pending");
  });

  it("have one winner, whose answer the others are given", async () => {
    const users = [user("ann", "approver"), user("bob", "approver")];
    await using server = await openTestServer({ rules: ASK_ALL, config: { server: { users } } });
    const { approval, callId } = await asked(server);
    const answers = await Promise.all([
      server.post(`approvals/${approval.id}/approve`, {}, "ann"),
      server.post(`approvals/${approval.id}/reject`, {}, "bob"),
      server.post(`approvals/${approval.id}/approve`, {}, "bob"),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    const winner = answers.find(({ status }) => status === 200)?.body.status;
    for (const { body } of answers.filter(({ status }) => status === 409)) {
      expect(body).toMatchObject({ code: "APPROVAL_CONFLICT", winner: { approval_id: approval.id, status: winner } });
    }
    const given = server.scratch.entries(callId).filter(({ kind }) => kind === "approval.answered");
    expect(given).toHaveLength(1);
    expect(given[0]?.actor).toMatch(/^user:(ann|bob)$/);
  });

  it("can't be answered once their deadline is over", async () => {
    const clock = handClock(Date.now());
    await using server = await openTestServer({ rules: ASK_ALL, inner: { clock } });
    const { approval, callId } = await asked(server);
    clock.move(300_001);
    expect(await server.post(`approvals/${approval.id}/approve`)).toMatchObject({
      status: 410,
      body: { code: "APPROVAL_EXPIRED", winner: { status: "timeout" } },
    });
    expect((await server.get(`executions/${callId}`)).body).toMatchObject({
      status: "TIMEOUT",
      error_type: "APPROVAL_EXPIRED",
    });
    expect(server.scratch.rows()).toMatchObject([{ state: "expired" }]);
  });

  it("are answered by those who may, and under their own name", async () => {
    const users = [user("ann", "approver"), user("bob", "caller"), user("eve")];
    await using server = await openTestServer({ rules: ASK_ALL, config: { server: { users } } });
    const { approval } = await asked(server);
    for (const token of ["bob", "eve"]) {
      expect(await server.post(`approvals/${approval.id}/approve`, {}, token)).toMatchObject({
        status: 403,
        body: { code: "ROLE_REQUIRED" },
      });
    }
    expect((await server.post(`approvals/${approval.id}/approve`, { who: "admin" }, "ann")).status).toBe(400);
    await server.post(`approvals/${approval.id}/approve`, { reason: "fine" }, "ann");
    expect((await server.get(`approvals/${approval.id}`)).body.approval).toMatchObject({
      resolved_by: "user:ann",
      reason: "fine",
    });
  });

  it("know no others", async () => {
    await using server = await openTestServer({ rules: ASK_ALL });
    for (const what of ["approve", "reject"]) {
      expect(await server.post(`approvals/approval_0/${what}`)).toMatchObject({
        status: 404,
        body: { code: "APPROVAL_UNKNOWN" },
      });
    }
    expect((await server.get("approvals/approval_0")).status).toBe(404);
  });

  it.each(["limit=0", "limit=101", "limit=x", "status=open", "status=pending&status=all", "more=1"])(
    "take no %s",
    async (query) => {
      await using server = await openTestServer();
      expect(await server.get(`approvals?${query}`)).toMatchObject({ status: 400, body: { code: "REQUEST_INVALID" } });
    },
  );
});

describe("executions", () => {
  it("are listed by pages, the newest first, and by filter", async () => {
    await using server = await openTestServer();
    server.scratch.put("a.txt");
    for (const session of ["s1", "s2", "s1"])
      await server.execute("read_file", { path: "a.txt" }, { session_id: session });
    await server.execute("read_file", { path: "/etc/passwd" });
    await server.execute("nope");
    const ids = async (query: string) =>
      (await server.get(`executions?${query}`)).body.executions.map((one: { id: string }) => one.id);
    const all = await ids("limit=100");
    expect(all).toEqual([...all].sort().reverse());
    expect(all).toHaveLength(5);
    const first = await server.get("executions?limit=3");
    expect([
      ...first.body.executions.map((one: { id: string }) => one.id),
      ...(await ids(`cursor=${first.body.next}`)),
    ]).toEqual(all);
    expect(await ids("session_id=s1")).toEqual([all[2], all[4]]);
    expect(await ids("status=COMPLETED")).toEqual(all.slice(2));
    expect(await ids("status=DENIED")).toEqual([all[1]]);
    expect(await ids("status=FAILED")).toEqual([all[0]]);
    expect(await ids("tool_name=read_file&status=COMPLETED&session_id=s2")).toEqual([all[3]]);
  });
});

describe("tools/available", () => {
  it("has what the seed's client reads", async () => {
    await using server = await openTestServer({ config: { tools: { builtin: ["files", "shell"] } } });
    const { body } = await server.get("tools/available");
    expect(body.total_count).toBe(body.tools.length);
    const named = (name: string) => body.tools.find((tool: { name: string }) => tool.name === name);
    expect(named("read_file")).toMatchObject({ requires_approval: false, risk_level: "LOW", timeout_seconds: 0 });
    expect(named("read_file").parameters.path).toMatchObject({ type: "string" });
    expect(named("execute_command")).toMatchObject({
      requires_approval: true,
      risk_level: "MEDIUM",
      timeout_seconds: 300,
    });
  });

  it("expects of a client's tool what a question about it says", async () => {
    await using server = await openTestServer(withClientTools({ rules: [{ id: "ask", effect: "ask" }] }));
    const { body } = await server.get("tools/available");
    const { approval } = (await server.execute("format", { path: "a.ts" }, { wait: false })).body;
    const [tool] = body.tools.filter(({ name }: { name: string }) => name === "format");
    expect(tool).toMatchObject({ risk_level: approval.risk, requires_approval: true, timeout_seconds: 300 });
  });
});

it.each([
  ["x", "x"],
  ["x".repeat(300), "[CONTENT 300 bytes]"],
])("what was rejected is recorded with its arguments", async (content, kept) => {
  await using server = await openTestServer({ rules: ASK_ALL });
  const { callId, approval } = (await server.execute("write_file", { path: "a.txt", content }, { wait: false })).body;
  await server.post(`approvals/${approval.id}/reject`, { reason: "no" });
  expect((await server.get(`executions/${callId}`)).body).toMatchObject({
    status: "REJECTED",
    tool_params: { path: "a.txt", content: kept },
    error: "no",
  });
});

it("a call that was rejected while its caller waited has used up nothing", async () => {
  await using server = await openTestServer({ rules: ASK_ALL });
  const made = server.execute("write_file", { path: "a.txt", content: "x" });
  const { approval_id: id } = await firstApproval(server);
  await server.post(`approvals/${id}/reject`, { reason: "no" });
  expect((await made).body).toMatchObject({ kind: "refused", budgetConsumed: 0, receipt: {} });
});

describe("the diff of a write over a file", () => {
  const WRITES = { id: "ask", effect: "ask", touch: { write: ["./**"] } } as const;
  const READS = { id: "look", effect: "allow", touch: { read: ["./**"] } } as const;
  const SECRET = { id: "closed", effect: "deny", touch: { read: ["./a.txt"] } } as const;
  const preview = async (rules: Parameters<typeof openTestServer>[0], more: object = {}) => {
    await using server = await openTestServer(rules);
    server.scratch.put("a.txt", "old words\n");
    const { body } = await server.execute("write_file", { path: "a.txt", content: "new\n", ...more }, { wait: false });
    return (await server.get(`approvals/${body.approval.id}`)).body.plan.preview as string | undefined;
  };

  it("is shown where the call might read the file", async () => {
    expect(await preview({ rules: [WRITES, READS] })).toContain("-old words\n+new\n");
    expect(await preview({ rules: [WRITES, READS] }, { append: true })).toContain(" old words\n+new\n");
    expect(await preview({ rules: [WRITES, READS] }, { path: "b.txt" })).toBeUndefined();
  });

  it("is not shown where a rule denies or asks about the reading, or none allows it: its caller sees the question", async () => {
    const asks = { ...READS, effect: "ask" } as const;
    for (const rules of [[WRITES], [WRITES, READS, SECRET], [WRITES, asks]])
      expect(await preview({ rules })).toBeUndefined();
  });
});

describe("a call that runs", () => {
  it("shows what it was given, without its content, to those who may see the call", async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    await using server = await openTestServer({
      tools: ({ workspace }) => [actingTool(workspace, { act: () => promise }).tool],
    });
    const call = server.execute("act", { n: 7 });
    await expect.poll(async () => (await server.get("executions")).body.executions[0]?.status).toBe("EXECUTING");
    const [{ id }] = (await server.get("executions")).body.executions;
    expect((await server.get(`executions/${id}`)).body.tool_params).toEqual({ n: 7 });
    resolve("done");
    await call;
  });
});
