import { describe, expect, it } from "vitest";
import { digestOf } from "../../../src/domain/digest.ts";
import { LIMITS } from "../../../src/domain/limits.ts";
import { openEvents } from "../../support/event-reader.ts";
import { handClock } from "../../support/hand-clock.ts";
import { ANY_TOOL, DONE, openExecutor, withClientTools } from "../../support/test-executor.ts";
import {
  ADMIN,
  ended,
  firstApproval,
  openTestServer,
  rawRequest,
  type TestServer,
  user,
} from "../../support/test-server.ts";

const format = (server: TestServer, path = "a.ts") => server.execute("format", { path });

/** Once it is known to the server. */
async function standing(server: TestServer, status: string) {
  for (;;) {
    const { body } = await server.get(`executions?status=${status}`);
    if (body.executions.length > 0) return body.executions[0];
  }
}

describe("a call that a client runs", () => {
  it("is signalled, acknowledged and run once, and its result is the outcome", async () => {
    await using server = await openTestServer(withClientTools());
    await using executor = await openExecutor(server);
    const called = format(server);
    const signal = await executor.signal();
    expect(signal).toMatchObject({
      tool_name: "format",
      tool_params: { path: "a.ts" },
      params_digest: digestOf({ path: "a.ts" }),
      timeout_seconds: 20,
      timestamp: expect.stringMatching(/Z$/),
    });
    const { body: before } = await server.get(`executions/${signal.tool_id}`);
    expect(before).toMatchObject({
      status: "APPROVED",
      plan_digest: signal.plan_digest,
      params_digest: signal.params_digest,
    });
    expect((await server.get("executions?status=APPROVED")).body.executions).toHaveLength(1);
    expect((await server.get("executions?status=EXECUTING")).body.executions).toHaveLength(0);
    const acked = await executor.ack(signal);
    expect([acked.status, acked.body.tool_params]).toEqual([200, { path: "a.ts" }]);
    expect((await server.get(`executions/${signal.tool_id}`)).body.status).toBe("EXECUTING");
    expect(await executor.result(signal)).toMatchObject({
      status: 200,
      body: { success: true, tool_id: signal.tool_id, status: "completed", message: "Tool result processed" },
    });
    expect((await executor.events.until("tool.result_ack")).data).toMatchObject({ status: "received" });
    expect(await called).toMatchObject({
      status: 200,
      body: {
        kind: "completed",
        content: [{ type: "text", text: "formatted" }],
        structured: { success: true, stdout: "formatted", stderr: null, exit_code: 0 },
        exitCode: 0,
        containment: "client",
      },
    });
    const kinds = server.scratch.entries(signal.tool_id).map(({ kind }) => kind);
    expect(kinds).toEqual(["tool.requested", "tool.decided", "tool.dispatched", "tool.executed"]);
    const [, , dispatched] = server.scratch.entries(signal.tool_id);
    expect(dispatched).toMatchObject({
      actor: "user:eve",
      planDigest: signal.plan_digest,
      body: { executor: "user:eve" },
    });
    expect(JSON.stringify(server.scratch.entries()) + server.logged.join()).not.toContain(signal.dispatch_token);
    const headers = { Authorization: `Bearer ${ADMIN}` };
    const { body: metrics } = await rawRequest(server.url, { path: "/metrics", headers });
    expect(metrics).toContain("toolgate_executors 1\n");
    expect(metrics).toContain("toolgate_dispatches_running 0\n");
    expect(metrics).toContain('toolgate_client_results_total{how="recorded"} 1\n');
  });

  it("is judged by what its inputs name", async () => {
    const rules = [...ANY_TOOL, { id: "closed", effect: "deny" as const, touch: { write: ["./secret/**"] } }];
    await using server = await openTestServer(withClientTools({ rules }));
    await using executor = await openExecutor(server);
    expect(await format(server, "secret/x")).toMatchObject({ status: 403, body: { refusal: { code: "RULE_DENY" } } });
    expect(await server.execute("format", {})).toMatchObject({ status: 422 });
    const called = format(server);
    const signal = await executor.signal();
    expect(signal.tool_params).toEqual({ path: "a.ts" });
    await executor.ack(signal);
    await executor.result(signal);
    expect((await called).status).toBe(200);
  });

  it("waits for a person first, and is APPROVED until an executor has it", async () => {
    const rules = [{ id: "ask", effect: "ask" as const }];
    await using server = await openTestServer(withClientTools({ rules }));
    const called = format(server);
    const approval = await firstApproval(server);
    await server.post(`approvals/${approval.approval_id}/approve`);
    expect((await standing(server, "APPROVED")).id).toBe(approval.tool_id);
    await using executor = await openExecutor(server);
    const signal = await executor.signal();
    expect(signal).toMatchObject({ tool_id: approval.tool_id, plan_digest: approval.plan_digest });
    await executor.ack(signal);
    await executor.result(signal, { status: "failed", error: "no such file" });
    expect((await called).body).toMatchObject({
      kind: "failed",
      error: { code: "TOOL_FAILED", message: "no such file" },
    });
  });

  it("is gone on with by the server, whichever process hears the yes", async () => {
    const rules = [{ id: "ask", effect: "ask" as const }];
    const clock = handClock(Date.now());
    await using server = await openTestServer(withClientTools({ rules, inner: { clock } }));
    await using executor = await openExecutor(server);
    const { body } = await server.execute("format", { path: "a.ts" }, { wait: false });
    const terminal = server.scratch.again({ inner: {} });
    const answered = await terminal.approvals.answer(body.approval.id, { kind: "approve", who: terminal.actor });
    if (answered.kind !== "recorded") throw new Error(answered.kind);
    expect(await terminal.approvals.carryOn(answered.question)).toBeNull();
    clock.move(100); // by then the server has looked whether somebody else has written
    const signal = await executor.signal();
    expect(signal.tool_id).toBe(body.callId);
    await executor.ack(signal);
    await executor.result(signal);
    expect((await ended(server, body.callId)).status).toBe("COMPLETED");
  });

  it("may end badly and is stored as it was reported", async () => {
    await using server = await openTestServer(withClientTools());
    await using executor = await openExecutor(server);
    const called = format(server);
    const signal = await executor.signal();
    await executor.ack(signal);
    await executor.result(signal, { status: "completed", result: { success: false, stderr: "bad", exit_code: 2 } });
    expect((await called).body).toMatchObject({
      kind: "completed",
      exitCode: 2,
      content: [{ text: "bad" }],
      structured: { success: false },
    });
  });

  it("comes with the acknowledgement where it is too long for a signal", async () => {
    await using server = await openTestServer(withClientTools());
    await using executor = await openExecutor(server);
    const long = { path: "a.ts", more: "y".repeat(20_000) };
    const called = server.execute("format", long);
    const signal = await executor.signal();
    expect(signal).toMatchObject({ truncated: true, params_digest: digestOf(long) });
    expect(signal.tool_params).toBeUndefined();
    expect((await executor.ack(signal)).body.tool_params).toEqual(long);
    await executor.result(signal);
    expect((await called).status).toBe(200);
  });

  it("is refused where no client can connect", async () => {
    await using server = await openTestServer(withClientTools());
    const elsewhere = server.scratch.again();
    const outcome = await elsewhere.call({ tool: "format", input: { path: "a.ts" } });
    expect(outcome).toMatchObject({
      kind: "refused",
      refusal: { code: "EXECUTOR_UNAVAILABLE", hint: expect.stringContaining("serve") },
    });
  });
});

describe("who runs it", () => {
  it("nobody: it waits, and then has failed without having been run", async () => {
    const clock = handClock();
    await using server = await openTestServer(withClientTools({ inner: { clock } }));
    const called = format(server);
    await standing(server, "APPROVED");
    clock.move(LIMITS.executorWaitMs.default);
    const { status, body } = await called;
    expect([status, body.kind, body.error.code, body.error.retryable]).toEqual([
      503,
      "failed",
      "EXECUTOR_UNAVAILABLE",
      true,
    ]);
    expect(server.scratch.entries(body.callId).some(({ kind }) => kind === "tool.dispatched")).toBe(false);
  });

  it("one at a time: who does not acknowledge is passed over, and its token is worth nothing", async () => {
    const clock = handClock();
    await using server = await openTestServer(withClientTools({ inner: { clock } }));
    await using first = await openExecutor(server, "eve");
    await using second = await openExecutor(server, "eli");
    const called = format(server);
    const stale = await first.signal();
    clock.move(LIMITS.executorAckMs.default - 1);
    expect((await server.get(`executions/${stale.tool_id}`)).body.status).toBe("APPROVED");
    clock.move(1);
    const signal = await second.signal();
    expect(signal.tool_id).toBe(stale.tool_id);
    expect(signal.dispatch_token).not.toBe(stale.dispatch_token);
    expect(await first.ack(stale)).toMatchObject({ status: 409, body: { code: "DISPATCH_WITHDRAWN" } });
    expect((await first.result(stale)).status).toBe(409);
    expect((await second.ack(signal)).status).toBe(200);
    expect(await second.ack(signal)).toMatchObject({ status: 409, body: { code: "DISPATCH_WITHDRAWN" } });
    expect(await first.result(stale)).toMatchObject({ status: 403, body: { code: "RESULT_NOT_EXPECTED" } });
    expect((await second.result(signal)).status).toBe(200);
    expect((await called).body.kind).toBe("completed");
  });

  it("the next one at once, where the first dies before it acknowledges", async () => {
    await using server = await openTestServer(withClientTools());
    await using first = await openExecutor(server, "eve");
    await using second = await openExecutor(server, "eli");
    const called = format(server);
    await first.signal();
    await first.close();
    const signal = await second.signal();
    await second.ack(signal);
    await second.result(signal);
    expect((await called).body.kind).toBe("completed");
  });

  it("nobody else, where it dies afterwards: its end is unknown, and it is never run again", async () => {
    const clock = handClock();
    await using server = await openTestServer(withClientTools({ inner: { clock } }));
    await using first = await openExecutor(server, "eve");
    const called = format(server);
    const signal = await first.signal();
    await first.ack(signal);
    await first.close();
    await using second = await openExecutor(server, "eli");
    clock.move(20_000);
    clock.move(LIMITS.executorGraceMs.default - 1);
    expect((await server.get(`executions/${signal.tool_id}`)).body.status).toBe("EXECUTING");
    clock.move(1);
    const { status, body } = await called;
    expect([status, body.kind, body.error.code]).toEqual([200, "unknown", "OUTCOME_UNKNOWN"]);
    expect((await server.get(`executions/${signal.tool_id}`)).body.status).toBe("OUTCOME_UNKNOWN");
    const own = format(server, "b.ts");
    const next = await second.signal();
    expect(next.tool_params).toEqual({ path: "b.ts" });
    await second.ack(next);
    await second.result(next);
    expect((await own).body.kind).toBe("completed");
  });

  it("is told when its time is over, and what it says then still counts", async () => {
    const clock = handClock();
    await using server = await openTestServer(withClientTools({ inner: { clock } }));
    await using executor = await openExecutor(server);
    const called = format(server);
    const signal = await executor.signal();
    await executor.ack(signal);
    clock.move(20_000);
    expect((await executor.events.until("tool.execution_cancel")).data).toMatchObject({
      tool_id: signal.tool_id,
      reason: "timeout",
    });
    expect((await executor.result(signal)).status).toBe(200);
    expect((await called).body.kind).toBe("completed");
  });

  it("only who can run this tool, of this session, and still may", async () => {
    await using server = await openTestServer(withClientTools());
    await using _other = await openExecutor(server, "eve", "other,tools");
    await using listener = await openEvents(server.url, { path: "/my/projects/default/events", token: "eve" });
    await using session = await openExecutor(server, "eve", "format&session_id=chat-1");
    await listener.until("ready");
    const called = format(server);
    await standing(server, "APPROVED");
    const own = server.execute("format", { path: "mine.ts" }, { session_id: "chat-1" });
    const mine = await session.signal();
    expect([mine.tool_params.path, mine.session_id]).toEqual(["mine.ts", "chat-1"]);
    await session.ack(mine);
    await session.result(mine);
    expect((await own).body.kind).toBe("completed");
    await using able = await openExecutor(server, "eli", "format");
    const signal = await able.signal();
    await able.ack(signal);
    await able.result(signal);
    expect((await called).body.kind).toBe("completed");
    expect(listener.text()).not.toContain("execution_signal");
  });

  it("nobody without the role: neither listens as an executor, nor acknowledges, nor says how it ended", async () => {
    await using server = await openTestServer(withClientTools());
    const path = "/my/projects/default/events?executes=*";
    for (const token of ["cal"]) {
      const headers = { Authorization: `Bearer ${token}` };
      expect(await rawRequest(server.url, { path, headers })).toMatchObject({
        status: 403,
        body: { code: "ROLE_REQUIRED" },
      });
      expect(await server.post("tools/call_0/ack", { dispatch_token: "x" }, token)).toMatchObject({ status: 403 });
      expect(await server.post("tools/call_0/result", DONE, token)).toMatchObject({ status: 403 });
    }
    const { body } = await server.post("sessions", { lease: { tools: ["format"] }, label: "agent" });
    expect(body.token).toBeTypeOf("string");
    expect(await server.post("tools/call_0/result", DONE, body.token)).toMatchObject({
      status: 403,
      body: { code: "ROLE_REQUIRED" },
    });
  });
});

describe("a cancelled call", () => {
  it("that nobody has begun has stopped", async () => {
    await using server = await openTestServer(withClientTools());
    await using executor = await openExecutor(server);
    const called = format(server);
    const signal = await executor.signal();
    await server.post(`executions/${signal.tool_id}/cancel`);
    expect((await called).body).toMatchObject({ kind: "failed", error: { code: "CANCELLED" } });
    expect(await executor.ack(signal)).toMatchObject({ status: 409, body: { code: "DISPATCH_WITHDRAWN" } });
    expect(await executor.result(signal)).toMatchObject({ status: 409, body: { code: "ILLEGAL_TRANSITION" } });
  });

  it("that runs: its executor is told, and what it says counts", async () => {
    const clock = handClock();
    await using server = await openTestServer(withClientTools({ inner: { clock } }));
    await using executor = await openExecutor(server);
    const called = format(server);
    const signal = await executor.signal();
    await executor.ack(signal);
    await server.post(`executions/${signal.tool_id}/cancel`);
    expect((await executor.events.until("tool.execution_cancel")).data.reason).toBe("cancelled");
    expect((await executor.result(signal, { status: "failed", error: "stopped" })).status).toBe(200);
    expect((await called).body).toMatchObject({ kind: "failed", error: { code: "CANCELLED" } });
    expect((await ended(server, signal.tool_id)).status).toBe("CANCELLED");
  });

  it("that runs and of which nothing is heard has an unknown end", async () => {
    const clock = handClock();
    await using server = await openTestServer(withClientTools({ inner: { clock } }));
    await using executor = await openExecutor(server);
    const called = format(server);
    const signal = await executor.signal();
    await executor.ack(signal);
    await server.post(`executions/${signal.tool_id}/cancel`);
    clock.move(LIMITS.stopGraceMs.default);
    expect((await called).body.kind).toBe("unknown");
  });
});

describe("an administrator who looks on", () => {
  it("is no executor, unless they say so", async () => {
    await using server = await openTestServer(withClientTools());
    await using listener = await openEvents(server.url, { path: "/my/projects/default/chat/stream" });
    await listener.until("ready");
    const called = format(server);
    await standing(server, "APPROVED");
    await using executor = await openExecutor(server, ADMIN);
    const signal = await executor.signal();
    await executor.ack(signal);
    await executor.result(signal);
    expect((await called).body.kind).toBe("completed");
    expect(listener.text()).not.toContain("execution_signal");
  });
});

describe("what a call was given, and what came of it", () => {
  it("is shown to whom it concerns, and to nobody else", async () => {
    const users = [
      ...[user("eve", "executor"), user("eli", "executor"), user("cal", "caller"), user("coy", "caller")],
      ...[user("apa", "approver"), user("nob")],
    ];
    const { config, ...parts } = withClientTools();
    await using server = await openTestServer({ ...parts, config: { ...config, server: { users } } });
    await using executor = await openExecutor(server);
    const called = server.post("tools/execute", { tool_name: "format", tool_params: { path: "a.ts" } }, "cal");
    const signal = await executor.signal();
    const seen = async (who: string) => {
      const { status, body } = await server.get(`executions/${signal.tool_id}`, who);
      expect([status, body.tool_name, body.params_digest]).toEqual([200, "format", signal.params_digest]);
      return body;
    };
    // An executor that it was not offered to, and that says all the same how it ended.
    const early = await server.post(`tools/${signal.tool_id}/result`, DONE, "eli");
    expect(early).toMatchObject({ status: 409, body: { winner: { tool_params: null, result: null } } });
    await executor.ack(signal);
    await executor.result(signal);
    expect((await called).body.kind).toBe("completed");
    await ended(server, signal.tool_id);
    for (const who of ["cal", "apa", "eve", ADMIN])
      expect(await seen(who)).toMatchObject({ tool_params: { path: "a.ts" }, result: { kind: "completed" } });
    for (const who of ["nob", "coy", "eli"]) expect(await seen(who)).toMatchObject({ tool_params: null, result: null });
    const over = await server.post(`executions/${signal.tool_id}/cancel`, {}, "coy");
    expect([over.status, over.body.execution]).toEqual([403, undefined]);
  });
});
