import { describe, expect, it } from "vitest";
import { LIMITS } from "../../../src/domain/limits.ts";
import { ask, call, infoOf, JSON_TYPE, message, rpc, SEND, V1 } from "../../support/a2a-wire.ts";
import { ADMIN, openTestServer, rawRequest, user } from "../../support/test-server.ts";

describe("A2A on the wire", () => {
  it.each([
    ["no version, which means 0.3", {}, "VERSION_NOT_SUPPORTED", -32_009],
    ["an older version", { "A2A-Version": "0.3" }, "VERSION_NOT_SUPPORTED", -32_009],
    ["a later version", { "A2A-Version": "1.1" }, "VERSION_NOT_SUPPORTED", -32_009],
  ])("refuses %s", async (_, headers, reason, code) => {
    await using server = await openTestServer();
    const given = { headers: { ...JSON_TYPE, ...headers } };
    const { status, body } = await ask(server, "/a2a", rpc("ListTasks"), given);
    expect([status, body.id, body.error.code, infoOf(body.error)]).toMatchObject([
      200,
      1,
      code,
      { reason, domain: "a2a-protocol.org", "@type": "type.googleapis.com/google.rpc.ErrorInfo" },
    ]);
    const http = await ask(server, "/a2a/tasks", undefined, { ...given, method: "GET" });
    expect([http.status, http.body.error.status, infoOf(http.body.error)]).toMatchObject([
      400,
      "FAILED_PRECONDITION",
      { reason },
    ]);
    expect(http.headers.get("content-type")).toBe("application/a2a+json");
  });

  it.each(["1.0", "1.0.1"])("takes version %s, also in the address", async (version) => {
    await using server = await openTestServer();
    const path = `/a2a/tasks?A2A-Version=${version}`;
    expect((await ask(server, path, undefined, { method: "GET", headers: {} })).status).toBe(200);
    const inHeader = { headers: { ...JSON_TYPE, "A2A-Version": version } };
    expect((await ask(server, "/a2a", rpc("ListTasks"), inHeader)).body.result.tasks).toEqual([]);
  });

  it.each([
    ["no JSON", "{", -32_700],
    ["a name that stands twice", '{"jsonrpc":"2.0","id":1,"id":2,"method":"ListTasks"}', -32_700],
    ["a list of requests", `[${rpc("ListTasks")}]`, -32_600],
    ["no version of JSON-RPC", '{"id":1,"method":"ListTasks"}', -32_600],
    ["no id", '{"jsonrpc":"2.0","method":"ListTasks"}', -32_600],
    ["an id that is none", '{"jsonrpc":"2.0","id":{},"method":"ListTasks"}', -32_600],
    ["no method", '{"jsonrpc":"2.0","id":1}', -32_600],
    ["a method of 0.3", rpc("message/send"), -32_601],
    ["a name of every object", rpc("constructor"), -32_601],
    ["params that are none", rpc("ListTasks", [1]), -32_602],
    ["no id of a task", rpc("GetTask"), -32_602],
    ["a page that is too large", rpc("ListTasks", { pageSize: 101 }), -32_602],
    ["a page of none", rpc("ListTasks", { pageSize: 0 }), -32_602],
    ["a token of no page", rpc("ListTasks", { pageToken: "x" }), -32_602],
    ["no time", rpc("ListTasks", { statusTimestampAfter: "soon" }), -32_602],
    ["no state", rpc("ListTasks", { status: "TASK_STATE_X" }), -32_602],
    ["a text, which nobody here reads", rpc("SendMessage", message([{ text: "hello" }])), -32_005],
    ["data of another type", rpc("SendMessage", message([{ data: {}, mediaType: "text/xml" }])), -32_005],
    ["a call beside a text", rpc("SendMessage", message([{ data: { tool: "x" } }, { text: "y" }])), -32_005],
    ["two calls", rpc("SendMessage", message([{ data: { tool: "x" } }, { data: { tool: "y" } }])), -32_602],
    [
      "two calls of the seed",
      rpc("SendMessage", message([{ data: { toolCalls: [{ toolId: "a" }, { toolId: "b" }] } }])),
      -32_602,
    ],
    ["a tool and a skill", rpc("SendMessage", message([{ data: { tool: "x", skill: "x" } }])), -32_602],
    ["no tool", rpc("SendMessage", message([{ data: { input: {} } }])), -32_602],
    ["a part that is a list", rpc("SendMessage", message([{ data: [] }])), -32_602],
    [
      "a call of a task that is there",
      rpc("SendMessage", message([{ data: { tool: "x" } }], { taskId: "call_x" })),
      -32_602,
    ],
    ["an answer to no task", rpc("SendMessage", message([{ data: { answer: "approve" } }])), -32_602],
    ["an answer that is none", rpc("SendMessage", message([{ data: { answer: "always" } }], { taskId: "x" })), -32_602],
    ["a message of an agent", rpc("SendMessage", message([{ data: { tool: "x" } }], { role: "ROLE_AGENT" })), -32_602],
    ["no parts", rpc("SendMessage", message([])), -32_602],
    ["an unknown tool", rpc("SendMessage", call("nope", {})), -32_602],
    ["bad arguments, also as a stream", rpc("SendStreamingMessage", call("read_file", { path: 1 })), -32_602],
    [
      "bad arguments of who does not wait",
      rpc("SendMessage", { ...call("read_file", {}), configuration: { returnImmediately: true } }),
      -32_602,
    ],
  ])("refuses %s", async (_, body, code) => {
    await using server = await openTestServer();
    const answer = await ask(server, "/a2a", body);
    expect([answer.status, answer.body.error?.code]).toEqual([200, code]);
    expect(answer.headers.get("content-type")).toBe("application/json");
  });

  it("tells all that is wrong at once, and which call came to nothing", async () => {
    await using server = await openTestServer();
    const params = { message: { messageId: 1, role: "x", parts: [] } };
    const { body } = await ask(server, "/a2a", rpc("SendMessage", params));
    const violations = body.error.data.find((one: object) => "fieldViolations" in one).fieldViolations;
    expect(violations.map(({ field }: { field: string }) => field).toSorted()).toEqual([
      "message.messageId",
      "message.parts",
      "message.role",
    ]);
    const refused = await ask(server, SEND, JSON.stringify(call("read_file", { path: 1, more: 2 })));
    expect([refused.status, refused.body.error.status]).toEqual([400, "INVALID_ARGUMENT"]);
    const { metadata } = infoOf(refused.body.error) as unknown as { metadata: { code: string; taskId: string } };
    expect(metadata.code).toBe("INVALID_ARGUMENTS");
    expect(refused.body.error.details[1].fieldViolations).toHaveLength(2);
    const told = await ask(server, `/a2a/tasks/${metadata.taskId}`, undefined, { method: "GET" });
    expect(told.body.status.state).toBe("TASK_STATE_REJECTED");
  });

  it("takes what is sent as JSON and no more than it may be", async () => {
    await using server = await openTestServer();
    server.scratch.put("a.txt", "hello");
    const body = JSON.stringify(call("read_file", { path: "a.txt" }));
    for (const type of ["application/json; charset=utf-8", "application/a2a+json"]) {
      const { status } = await ask(server, SEND, body, { headers: { ...V1, "Content-Type": type } });
      expect(status).toBe(200);
    }
    for (const headers of [{ "Content-Type": "text/plain" }, { ...JSON_TYPE, "Content-Encoding": "gzip" }, {}]) {
      const refused = await ask(server, SEND, body, { headers: { ...V1, ...headers } });
      expect([refused.status, infoOf(refused.body.error)]).toMatchObject([
        400,
        { reason: "CONTENT_TYPE_NOT_SUPPORTED" },
      ]);
    }
    const length = { ...V1, ...JSON_TYPE, "Content-Length": String(LIMITS.requestBytes.default + 1) };
    for (const path of ["/a2a", SEND]) {
      const large = await ask(server, path, "", { headers: length });
      expect([large.status, infoOf(large.body.error)]).toMatchObject([413, { reason: "BODY_TOO_LARGE" }]);
      expect(large.headers.get("connection")).toBe("close");
    }
  });

  it.each([
    ["GET", "/a2a", 405],
    ["GET", SEND, 405],
    ["DELETE", "/a2a/tasks/call_x", 405],
    ["GET", "/a2a/nothing", 404],
    ["POST", "/a2a/tasks/call_x:approve", 404],
  ])("has no %s %s", async (method, path, status) => {
    await using server = await openTestServer();
    const answer = await ask(server, path, undefined, { method, headers: V1 });
    expect([answer.status, answer.body.error.code]).toEqual([status, status]);
  });

  it.each(["/a2a", SEND, "/a2a/tasks", "/a2a/extendedAgentCard"])("is closed without a token: %s", async (path) => {
    await using server = await openTestServer();
    const headers = { ...V1, ...JSON_TYPE };
    for (const more of [{}, { Authorization: "Bearer nobody" }]) {
      expect((await rawRequest(server.url, { method: "POST", path, headers: { ...headers, ...more } })).status).toBe(
        401,
      );
    }
    const foreign = { ...headers, Authorization: `Bearer ${ADMIN}`, Origin: "https://evil.example" };
    expect((await rawRequest(server.url, { method: "POST", path, headers: foreign })).status).toBe(403);
    const renamed = { ...headers, Authorization: `Bearer ${ADMIN}`, Host: "evil.example" };
    expect((await rawRequest(server.url, { method: "POST", path, headers: renamed })).status).toBe(403);
  });

  it("makes no more calls for one caller than they may start, and none for who may not", async () => {
    const config = { server: { users: [user("cal", "caller"), user("ann", "approver")] } };
    await using server = await openTestServer({ config }, undefined, { callsPerMinute: 1 });
    const body = JSON.stringify(call("list_directory", { path: "." }));
    expect((await ask(server, SEND, body, { token: "cal" })).status).toBe(200);
    const { status, headers } = await ask(server, SEND, body, { token: "cal" });
    expect([status, headers.get("retry-after")]).toEqual([429, expect.stringMatching(/^\d+$/)]);
    const byRpc = await ask(server, "/a2a", rpc("SendMessage", call("list_directory", {})), { token: "cal" });
    expect([byRpc.status, byRpc.body.id]).toEqual([429, 1]);
    const approver = await ask(server, SEND, body, { token: "ann" });
    expect([approver.status, approver.body.error.message]).toEqual([403, "this needs the role `caller`"]);
    expect(server.scratch.rows()).toHaveLength(1);
  });
});
