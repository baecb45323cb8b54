import { request as httpRequest } from "node:http";
import { describe, expect, it, vi } from "vitest";
import type { Outcome } from "../../../src/domain/outcome.ts";
import { decodeToolResponse, encodeToolRequest, encodeToolResponse } from "../../../src/doors/rpc/index.ts";
import { responseFromOutcome } from "../../../src/doors/rpc/response-from-outcome.ts";
import { request, tool } from "../../formats/apm2/requests.ts";
import { actingTool } from "../../support/acting-tool.ts";
import { ALLOW_ALL, ASK_ALL } from "../../support/scratch-gate.ts";
import { ADMIN, openTestServer, type TestServer, user } from "../../support/test-server.ts";

const PATH = "/toolgate.kernel.v1.ToolKernel/Execute";

async function tokenOf({ gate }: TestServer): Promise<string> {
  const opened = await gate.sessions.open({ tools: "everything", read: ["./**"], write: ["./**"] });
  if (opened.kind === "refused") throw new Error(opened.refusal.message);
  return opened.token;
}

const post = (
  server: TestServer,
  bytes: Uint8Array,
  bearer: string,
  type = "application/proto",
  signal: AbortSignal | null = null,
): Promise<Response> =>
  fetch(`${server.url}${PATH}`, {
    method: "POST",
    signal,
    headers: { Authorization: `Bearer ${bearer}`, "Content-Type": type, "Connect-Protocol-Version": "1" },
    body: new Uint8Array(bytes),
  });

/** What is said to a body of this length, before any of it is sent. */
async function statusOfLength(server: TestServer, length: number): Promise<number | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
  const headers = { Authorization: `Bearer ${ADMIN}`, "Content-Type": "application/proto", "Content-Length": length };
  const sent = httpRequest(`${server.url}${PATH}`, { method: "POST", headers }, (response) => {
    resolve(response.statusCode);
    sent.destroy();
  });
  sent.on("error", reject).flushHeaders();
  return await promise;
}

const answerOf = async (response: Response) => decodeToolResponse(new Uint8Array(await response.arrayBuffer()));

describe("ToolKernel/Execute", () => {
  it("answers a request of the session whose token it holds, for its agent and for people who call", async () => {
    await using server = await openTestServer({ rules: ALLOW_ALL });
    server.scratch.put("a.txt", "x");
    const token = await tokenOf(server);
    const bytes = encodeToolRequest(request(tool("file_read"), { session_token: token }));
    for (const bearer of [token, ADMIN]) {
      const response = await post(server, bytes, bearer);
      expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/proto"]);
      const { request_id, result } = await answerOf(response);
      expect([request_id, result?.kind]).toEqual(["req-001", "success"]);
    }
    const executed = server.scratch.entries().filter(({ kind }) => kind === "tool.executed");
    const [agents, theirs] = executed.map(({ actor, sessionId }) => ({ actor, sessionId }));
    expect(agents).toEqual({ actor: `session:${agents?.sessionId}`, sessionId: expect.stringMatching(/^session_/) });
    // Whoever has its token as well is still who they are.
    expect(theirs).toEqual({ actor: "admin", sessionId: agents?.sessionId });
  });

  it("does not let a person approve what they asked for in an agent's session, where a rule wants somebody else", async () => {
    await using server = await openTestServer({
      rules: [{ id: "ask", effect: "ask", touch: { write: ["./**"] }, approvers: { requester: "never" } }],
      config: { server: { users: [user("cal", "caller", "approver"), user("ann", "approver")] } },
    });
    const bytes = encodeToolRequest(request(tool("file_write"), { session_token: await tokenOf(server) }));
    const sent = post(server, bytes, "cal");
    await expect.poll(async () => (await server.get("approvals?status=pending")).body.approvals.length).toBe(1);
    const [asked] = (await server.get("approvals?status=pending")).body.approvals;
    expect(asked.requested_by).toBe("user:cal");
    const approve = (token: string) => server.post(`approvals/${asked.approval_id}/approve`, {}, token);
    expect((await approve("cal")).body.code).toBe("APPROVER_NOT_ELIGIBLE");
    expect((await approve("ann")).status).toBe(200);
    expect((await answerOf(await sent)).result?.kind).toBe("success");
  });

  it("does not let an agent act in another session", async () => {
    await using server = await openTestServer({ rules: ALLOW_ALL });
    const [own, other] = [await tokenOf(server), await tokenOf(server)];
    const bytes = encodeToolRequest(request(tool("file_read"), { session_token: other }));
    const { result } = await answerOf(await post(server, bytes, own));
    expect(result).toMatchObject({ kind: "denied", value: { rule_id: "LEASE_SCOPE" } });
  });

  it("waits for a person's answer", async () => {
    await using server = await openTestServer({ rules: ASK_ALL });
    const token = await tokenOf(server);
    const sent = post(server, encodeToolRequest(request(tool("file_write"), { session_token: token })), token);
    await expect.poll(async () => (await server.get("approvals?status=pending")).body.approvals.length).toBe(1);
    const { approvals } = (await server.get("approvals?status=pending")).body;
    await server.post(`approvals/${approvals[0].approval_id}/approve`, {});
    expect((await answerOf(await sent)).result?.kind).toBe("success");
  });

  it.each(["its own", "a person's"])(
    "does not tell what came of a call whose session was taken back meanwhile, by %s token",
    async (whose) => {
      const [begun, told] = [Promise.withResolvers<void>(), Promise.withResolvers<string>()];
      const act = () => {
        begun.resolve();
        return told.promise;
      };
      await using server = await openTestServer({
        tools: ({ workspace }) => [actingTool(workspace, { name: "run_command", act }).tool],
        config: { server: { users: [user("cal", "caller")] } },
      });
      const { body } = await server.post("sessions", { lease: { tools: ["run_command"], write: ["./**"] } });
      const bytes = encodeToolRequest(request(tool("shell_exec"), { session_token: body.token }));
      const waiting = post(server, bytes, whose === "its own" ? body.token : "cal");
      await begun.promise;
      await server.post(`sessions/${body.session_id}/revoke`);
      told.resolve("what it found");
      const answered = await waiting;
      expect([answered.status, await answered.json()]).toEqual([
        403,
        expect.objectContaining({ code: "LEASE_REVOKED" }),
      ]);
    },
  );

  it("goes on without its caller, who comes again with its key and hears what became of it", async () => {
    await using server = await openTestServer({ rules: ASK_ALL });
    const [token, other] = [await tokenOf(server), await tokenOf(server)];
    const write = tool("file_write", { content: Buffer.from("x"), append: true });
    const bytesFor = (session_token: string, asked = write) =>
      encodeToolRequest(request(asked, { session_token, dedupe_key: "k" }));
    const gone = new AbortController();
    const lost = post(server, bytesFor(token), token, undefined, gone.signal).catch(() => "gone");
    await expect.poll(async () => (await server.get("approvals?status=pending")).body.approvals.length).toBe(1);
    gone.abort();
    expect(await lost).toBe("gone");
    const { approvals } = (await server.get("approvals?status=pending")).body;
    await server.post(`approvals/${approvals[0].approval_id}/approve`, {});
    const again = await answerOf(await post(server, bytesFor(token), token));
    expect(again.result?.kind).toBe("success");
    expect(server.scratch.text("a.txt")).toBe("x");
    const mismatched = await answerOf(await post(server, bytesFor(token, tool("file_read")), token));
    expect(mismatched.result).toMatchObject({ kind: "denied", value: { rule_id: "DEDUPE_MISMATCH" } });
    // The key is its session's own: another one asks a question of its own.
    const theirs = post(server, bytesFor(other), other);
    await expect.poll(async () => (await server.get("approvals?status=pending")).body.approvals.length).toBe(1);
    const [second] = (await server.get("approvals?status=pending")).body.approvals;
    await server.post(`approvals/${second.approval_id}/reject`, {});
    expect((await answerOf(await theirs)).result?.kind).toBe("denied");
  });

  it("is for callers, with protobuf in the body and not too much of it", async () => {
    await using server = await openTestServer({ config: { server: { users: [user("ann", "approver")] } } });
    const none = new Uint8Array();
    expect((await post(server, none, "nobody")).status).toBe(401);
    expect((await post(server, none, "ann")).status).toBe(403);
    expect((await post(server, none, ADMIN, "application/json")).status).toBe(415);
    expect(await statusOfLength(server, 16 * 1024 * 1024 + 1)).toBe(413);
    const { result } = await answerOf(await post(server, none, ADMIN));
    expect(result).toMatchObject({ kind: "denied", value: { rationale_code: "INVALID_ARGUMENTS" } });
    expect((await fetch(`${server.url}${PATH}`, { headers: { Authorization: `Bearer ${ADMIN}` } })).status).toBe(404);
  });

  it("counts calls of a session", async () => {
    await using server = await openTestServer({ rules: ALLOW_ALL }, undefined, { callsPerMinute: 1 });
    const token = await tokenOf(server);
    const bytes = encodeToolRequest(request(tool("file_read"), { session_token: token }));
    await post(server, bytes, token);
    const { result } = await answerOf(await post(server, bytes, token));
    expect(result).toMatchObject({ kind: "denied", value: { rule_id: "RATE_LIMITED" } });
  });

  it("counts calls of a person in several sessions together", async () => {
    await using server = await openTestServer({ rules: ALLOW_ALL }, undefined, { callsPerMinute: 1 });
    // A minute may end in between: of three calls at least one is too many either way.
    const rules: unknown[] = [];
    for (let n = 0; n < 3; n++) {
      const bytes = encodeToolRequest(request(tool("file_read"), { session_token: await tokenOf(server) }));
      const { result } = await answerOf(await post(server, bytes, ADMIN));
      rules.push(result?.kind === "denied" ? result.value.rule_id : null);
    }
    expect(rules).toContain("RATE_LIMITED");
  });

  it("counts no call of a session that the person who calls in it may not start", async () => {
    // All of it in one minute.
    using _stopped = vi.spyOn(Date, "now").mockReturnValue(Date.now());
    await using server = await openTestServer({ rules: ALLOW_ALL }, undefined, { callsPerMinute: 2 });
    const [one, other] = [await tokenOf(server), await tokenOf(server)];
    const isTooMany = async (session_token: string, by: string) => {
      const bytes = encodeToolRequest(request(tool("file_read"), { session_token }));
      const { result } = await answerOf(await post(server, bytes, by));
      return result?.kind === "denied" && result.value.rule_id === "RATE_LIMITED";
    };
    const said: boolean[] = [];
    for (const token of [one, one, other, other, other]) said.push(await isTooMany(token, ADMIN));
    expect(said).toEqual([false, false, true, true, true]);
    expect([await isTooMany(one, one), await isTooMany(other, other)]).toEqual([true, false]);
  });
});

describe("outcomes as responses", () => {
  const ended = { callId: "c", tool: "t", durationMs: 1.6 };
  const parts = { becauseOf: () => undefined, hasKey: true };
  const resultOf = async (outcome: Outcome) => (await responseFromOutcome("r", outcome, parts)).result;

  it("says of an open question and of an end that is not known what to do", async () => {
    const approval = { id: "approval_1", risk: "LOW" as const, reasons: [], deadline: "" };
    expect(await resultOf({ kind: "pending", ...ended, approval })).toMatchObject({
      kind: "error",
      value: { error_code: "APPROVAL_PENDING", retryable: true },
    });
    // Tried again without a key it would be another call, and both could be approved.
    const keyless = await responseFromOutcome(
      "r",
      { kind: "pending", ...ended, approval },
      { ...parts, hasKey: false },
    );
    expect(keyless.result).toMatchObject({ value: { retryable: false, retry_after_ms: 0n } });
    const error = { code: "OUTCOME_UNKNOWN" as const, message: "m", retryable: false };
    expect(await resultOf({ kind: "unknown", ...ended, error })).toMatchObject({
      kind: "error",
      value: { error_code: "OUTCOME_UNKNOWN", message: "m", retryable: false, retry_after_ms: 0n },
    });
  });

  it("can be written whatever a tool or a rule says", async () => {
    const error = { code: "TOOL_FAILED" as const, message: "a\ud800", retryable: false };
    const refusal = { code: "RULE_DENY" as const, stage: "judge" as const, message: "\udc00b", ruleId: "\ud800" };
    const outcomes: readonly Outcome[] = [
      { kind: "failed", ...ended, error, content: [{ type: "text", text: "\ud800" }] },
      { kind: "refused", ...ended, refusal },
    ];
    for (const outcome of outcomes) {
      const response = await responseFromOutcome("r", outcome, parts);
      expect(decodeToolResponse(encodeToolResponse(response))).toEqual(response);
    }
  });

  it("says how long to wait where something may pass (CTR-0030)", async () => {
    const failed = (error: Extract<Outcome, { kind: "failed" }>["error"]) =>
      resultOf({ kind: "failed", ...ended, error, content: [{ type: "text", text: "partly" }] });
    expect(await failed({ code: "IO_ERROR", message: "m", retryable: true })).toMatchObject({
      value: { retryable: true, retry_after_ms: 500n, message: "m\npartly" },
    });
    expect(await failed({ code: "SPAWN_FAILED", message: "m", retryable: true, retryAfterMs: 7 })).toMatchObject({
      value: { error_code: "EXEC_FAILED", retry_after_ms: 7n },
    });
  });

  it("never takes a part for the whole: what was cut and could not be kept is no success", async () => {
    const cut = { type: "resource", uri: "u", blob: "[TRUNCATED: 2000000 bytes in all]" } as const;
    const completed = { ...ended, content: [cut], attempts: 1, cached: false, containment: "process" } as const;
    const truncated = { bytes: 2_000_000, blob: null };
    expect(await resultOf({ kind: "completed", ...completed, truncated })).toMatchObject({
      kind: "error",
      value: {
        error_code: "RESULT_NOT_KEPT",
        retryable: false,
        message: expect.stringContaining("the call completed"),
      },
    });
  });

  it("has the bytes of each kind of content", async () => {
    const content = [
      { type: "diff", path: "p", diff: "d", newText: "n" },
      { type: "image", mediaType: "image/png", data: "aW1n" },
      { type: "resource", uri: "u", text: "t" },
      { type: "resource", uri: "u", blob: "YmxvYg==" },
    ] as const;
    const result = await resultOf({
      kind: "completed",
      ...ended,
      content,
      attempts: 1,
      cached: false,
      containment: "process",
    });
    if (result?.kind !== "success") throw new Error("it is no success");
    expect(Buffer.from(result.value.inline_result).toString()).toBe("dimgtblob");
    expect(result.value.duration_ms).toBe(2n);
  });
});
