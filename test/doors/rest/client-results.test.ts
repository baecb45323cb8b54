import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { LIMITS } from "../../../src/domain/limits.ts";
import { handClock } from "../../support/hand-clock.ts";
import { DONE, openExecutor, type TestExecutor, withClientTools } from "../../support/test-executor.ts";
import { openTestServer, rawRequest, type TestServer } from "../../support/test-server.ts";
import { duplicateResults } from "./duplicate-results.ts";

const SECRET = "hunter2-hunter2-hunter2";

/** A call that an executor has begun. */
async function begun(server: TestServer, executor: TestExecutor) {
  const called = server.execute("format", { path: "a.ts" });
  const signal = await executor.signal();
  expect((await executor.ack(signal)).status).toBe(200);
  return { called, signal };
}

const evidenceOf = (server: TestServer, callId: string) =>
  server.scratch.entries(callId).filter(({ kind }) => kind === "evidence.late_result");

describe("F13: a result that is sent more than once", () => {
  it("makes one transition, whatever is sent", () => duplicateResults(10, 20), 60_000);

  it("is the same once more, and another is told the winner", async () => {
    await using server = await openTestServer(withClientTools());
    await using executor = await openExecutor(server);
    const { called, signal } = await begun(server, executor);
    expect((await executor.result(signal)).status).toBe(200);
    expect((await called).body.kind).toBe("completed");
    expect(await executor.result(signal)).toMatchObject({
      status: 200,
      body: { message: "Tool result was processed before" },
    });
    expect(await executor.result(signal, { status: "failed", error: "no" })).toMatchObject({
      status: 409,
      body: { code: "RESULT_CONFLICT", winner: { id: signal.tool_id, status: "COMPLETED" } },
    });
    const other = { ...DONE, dispatch_token: signal.dispatch_token };
    expect((await server.post(`tools/${signal.tool_id}/result`, other, "eli")).status).toBe(403);
    expect((await server.post(`tools/${signal.tool_id}/result`, DONE, "eve")).status).toBe(403);
    expect(evidenceOf(server, signal.tool_id)).toEqual([]);
    const ends = server.scratch.entries(signal.tool_id).filter(({ kind }) => kind === "tool.executed");
    expect(ends).toHaveLength(1);
  });
});

describe("F14: a result that comes too late is kept as evidence and changes nothing", () => {
  it.each([
    ["a timeout", (clock: ReturnType<typeof handClock>) => [20_000, 30_000].forEach(clock.move), "OUTCOME_UNKNOWN"],
    [
      "a cancel",
      async (clock: ReturnType<typeof handClock>, server: TestServer, id: string) => {
        await server.post(`executions/${id}/cancel`);
        clock.move(LIMITS.stopGraceMs.default);
      },
      "OUTCOME_UNKNOWN",
    ],
  ])("after %s", async (_, end, status) => {
    const clock = handClock();
    const config = { secrets: [{ env: "KEY" }] };
    await using server = await openTestServer(
      withClientTools({ inner: { clock }, config, variables: { KEY: SECRET } }),
    );
    await using executor = await openExecutor(server);
    const { called, signal } = await begun(server, executor);
    await end(clock, server, signal.tool_id);
    expect((await called).body.kind).toBe("unknown");
    const late = { status: "completed", result: { stdout: `it was ${SECRET}` } };
    expect(await server.post(`tools/${signal.tool_id}/result`, late, "eve")).toMatchObject({
      status: 403,
      body: { code: "RESULT_NOT_EXPECTED" },
    });
    const answer = await executor.result(signal, late);
    expect(answer).toMatchObject({ status: 409, body: { code: "RESULT_LATE", winner: { status } } });
    const { blob, receipt } = answer.body.evidence;
    const [entry] = evidenceOf(server, signal.tool_id);
    expect(entry).toMatchObject({ actor: "user:eve", hash: receipt.hash, body: { blob, outcome: "unknown" } });
    const kept = await server.gate.blobs.get(blob);
    const said = kept.ok ? await text(kept.value.chunks() as AsyncIterable<Buffer>) : "";
    expect(JSON.parse(said)).toMatchObject({
      status: "completed",
      result: { stdout: expect.stringContaining("it was") },
    });
    expect(said + JSON.stringify(server.scratch.entries())).not.toContain(SECRET);
    expect((await server.get(`executions/${signal.tool_id}`)).body.status).toBe(status);
    expect((await server.post("ledger/verify")).body.ok).toBe(true);
  });

  it("as many as tell something, and no more, also at once", async () => {
    const clock = handClock();
    await using server = await openTestServer(withClientTools({ inner: { clock } }));
    await using executor = await openExecutor(server);
    const { called, signal } = await begun(server, executor);
    clock.move(20_000);
    clock.move(30_000);
    await called;
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => executor.result(signal, { status: "failed", error: `${n}` })),
    );
    expect(answers.every(({ status }) => status === 409)).toBe(true);
    const kept = answers.filter(({ body }) => body.evidence !== null);
    expect(kept).toHaveLength(LIMITS.lateResults.default);
    expect(evidenceOf(server, signal.tool_id)).toHaveLength(LIMITS.lateResults.default);
  });

  it("cut where it is longer than any result", async () => {
    const clock = handClock();
    await using server = await openTestServer(withClientTools({ inner: { clock } }));
    await using executor = await openExecutor(server);
    const { called, signal } = await begun(server, executor);
    clock.move(20_000);
    clock.move(30_000);
    await called;
    const stdout = "x".repeat(1.5 * LIMITS.lateResultBytes.default);
    const { body } = await executor.result(signal, { status: "completed", result: { stdout } });
    const kept = await server.gate.blobs.get(body.evidence.blob);
    expect(kept.ok && kept.value.bytes).toBeLessThanOrEqual(LIMITS.lateResultBytes.default);
    expect(evidenceOf(server, signal.tool_id)[0]?.body["bytes"]).toBeGreaterThan(stdout.length);
  });
});

describe("a result that nobody asked for", () => {
  it("of no call, of a call that is not a client's, of one that was never handed out", async () => {
    const rules = [{ id: "ask", effect: "ask" as const }];
    await using server = await openTestServer(withClientTools({ rules }));
    const send = (id: string) => server.post(`tools/${id}/result`, DONE, "eve");
    expect(await send("call_0")).toMatchObject({ status: 404, body: { code: "EXECUTION_UNKNOWN" } });
    const { body: write } = await server.execute("write_file", { path: "a", content: "x" }, { wait: false });
    expect(await send(write.callId)).toMatchObject({ status: 403, body: { code: "RESULT_NOT_EXPECTED" } });
    await server.post(`approvals/${write.approval.id}/reject`);
    expect(await send(write.callId)).toMatchObject({ status: 403, body: { code: "RESULT_NOT_EXPECTED" } });
    const { body: asked } = await server.execute("format", { path: "a.ts" }, { wait: false });
    expect(await send(asked.callId)).toMatchObject({ status: 409, body: { code: "ILLEGAL_TRANSITION" } });
    await server.post(`approvals/${asked.approval.id}/reject`);
    expect(await send(asked.callId)).toMatchObject({
      status: 409,
      body: { code: "ILLEGAL_TRANSITION", winner: { status: "REJECTED" } },
    });
    expect(server.scratch.rows().map(({ state }) => state)).toEqual(["rejected", "rejected"]);
  });

  it("of a call that was offered and not acknowledged, and with the token of another", async () => {
    await using server = await openTestServer(withClientTools());
    await using executor = await openExecutor(server);
    const first = server.execute("format", { path: "a.ts" });
    const one = await executor.signal();
    expect(await executor.result(one)).toMatchObject({ status: 409, body: { code: "ILLEGAL_TRANSITION" } });
    await executor.ack(one);
    const second = server.execute("format", { path: "b.ts" });
    const two = await executor.signal();
    expect((await executor.ack({ ...two, dispatch_token: one.dispatch_token })).status).toBe(409);
    await executor.ack(two);
    expect((await executor.result({ ...two, dispatch_token: one.dispatch_token })).status).toBe(403);
    expect((await server.post(`tools/${two.tool_id}/result`, DONE, "eve")).status).toBe(403);
    expect((await executor.result(two)).status).toBe(200);
    expect((await executor.result(one)).status).toBe(200);
    expect((await Promise.all([first, second])).map(({ body }) => body.kind)).toEqual(["completed", "completed"]);
  });
});

describe("what an executor says", () => {
  it.each([
    ["nothing", {}],
    ["no status that is known", { status: "done" }],
    ["more than there is", { ...DONE, approved: true }],
    ["a result that is none", { status: "completed", result: "text" }],
    ["numbers for texts", { status: "completed", result: { stdout: 7 } }],
  ])("is not taken where it is %s", async (_, body) => {
    await using server = await openTestServer(withClientTools());
    await using executor = await openExecutor(server);
    const { called, signal } = await begun(server, executor);
    const sent = { ...body, dispatch_token: signal.dispatch_token };
    expect((await server.post(`tools/${signal.tool_id}/result`, sent, "eve")).status).toBe(400);
    expect((await executor.result(signal)).status).toBe(200);
    expect((await called).body.kind).toBe("completed");
  });

  it("is not taken where it is too long or too deep, and the call goes on", async () => {
    await using server = await openTestServer(withClientTools());
    await using executor = await openExecutor(server);
    const { called, signal } = await begun(server, executor);
    const send = (body: string) =>
      rawRequest(server.url, {
        method: "POST",
        path: `/my/projects/default/tools/${signal.tool_id}/result`,
        headers: { Authorization: "Bearer eve", "Content-Type": "application/json" },
        body,
      });
    const long = JSON.stringify({ status: "failed", error: "x".repeat(LIMITS.executorResultBytes.default) });
    expect(await send(long)).toMatchObject({
      status: 413,
      body: { code: "BODY_TOO_LARGE", detail: `the body may have ${LIMITS.executorResultBytes.default} bytes` },
    });
    const deep = `{"status":"completed","result":{"a":${"[".repeat(5000)}${"]".repeat(5000)}}}`;
    expect(await send(deep)).toMatchObject({ status: 400, body: { code: "JSON_INVALID" } });
    expect((await executor.result(signal)).status).toBe(200);
    expect((await called).body.kind).toBe("completed");
  });

  it("is shown and never obeyed, has no secrets in it, and is cut like any result", async () => {
    const config = { secrets: [{ env: "KEY" }] };
    await using server = await openTestServer(withClientTools({ config, variables: { KEY: SECRET } }));
    await using executor = await openExecutor(server);
    const { called, signal } = await begun(server, executor);
    const stdout = `\u001b[31mred\u001b[0m \u202e ${SECRET} ${"long ".repeat(400_000)}`;
    await executor.result(signal, { status: "completed", result: { stdout, extra: { "\u001bkey": SECRET } } });
    const { body } = await called;
    const shown = JSON.stringify(body);
    expect(shown).not.toContain("\\u001b");
    expect(shown).not.toContain("\u202e");
    expect(shown).not.toContain(SECRET);
    expect(shown).toContain("u{1b}");
    expect(body.truncated.bytes).toBeGreaterThan(LIMITS.resultBytes.default);
    expect(shown.length).toBeLessThan(3 * LIMITS.resultBytes.default);
    expect(JSON.stringify(server.scratch.entries())).not.toContain(SECRET);
  });

  it("of an error is a message, and no more than that", async () => {
    const config = { secrets: [{ env: "KEY" }] };
    await using server = await openTestServer(withClientTools({ config, variables: { KEY: SECRET } }));
    await using executor = await openExecutor(server);
    const { called, signal } = await begun(server, executor);
    await executor.result(signal, { status: "failed", error: `\u001b[2J${SECRET} ${"e".repeat(20_000)}` });
    const { error } = (await called).body;
    expect(error.message).not.toContain("\u001b");
    expect(error.message).not.toContain(SECRET);
    expect(error.message.length).toBeLessThanOrEqual(LIMITS.entryTextBytes.maximum);
  });
});
