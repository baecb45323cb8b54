import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { LIMITS } from "../../../src/domain/limits.ts";
import { actingTool } from "../../support/acting-tool.ts";
import { DONE, sampleTool } from "../../support/sample-calls.ts";
import { ASK_ALL } from "../../support/scratch-gate.ts";
import { ADMIN, openTestServer, rawRequest, type TestServer, user } from "../../support/test-server.ts";

const V1 = { "A2A-Version": "1.0" };
const JSON_TYPE = { "Content-Type": "application/json" };
const SEND = "/a2a/message:send";

const rpc = (method: string, params: unknown = {}) => JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
const message = (parts: unknown, more: object = {}) => ({
  message: { messageId: "m", role: "ROLE_USER", parts, ...more },
});
const call = (tool: string, input: object) => message([{ data: { tool, input } }]);

interface Given {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly token?: string;
}

const ask = (server: TestServer, path: string, body?: string, given: Given = {}) => {
  const { method = "POST", headers = { ...V1, ...JSON_TYPE }, token = ADMIN } = given;
  const sent = { ...headers, Authorization: `Bearer ${token}` };
  return rawRequest(server.url, { method, path, headers: sent, ...(body !== undefined && { body }) });
};

const infoOf = (error: { details?: object[]; data?: object[] }) =>
  (error.details ?? error.data ?? []).find((one) => "reason" in one);

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

  it("ends a stream with the session that it was opened by", async () => {
    await using server = await openTestServer({ rules: ASK_ALL });
    const { body } = await server.post("sessions", { lease: { tools: "everything", write: ["./**"] } });
    const response = await fetch(`${server.url}/a2a/message:stream`, {
      method: "POST",
      headers: { ...V1, ...JSON_TYPE, Authorization: `Bearer ${body.token}` },
      body: JSON.stringify(call("write_file", { path: "a.txt", content: "x" })),
    });
    expect(response.headers.get("content-type")).toContain("text/event-stream");
    const reader = response.body?.getReader();
    const first = new TextDecoder().decode((await reader?.read())?.value);
    expect(first).toMatch(/^data: \{"task":\{"id":"call_/);
    await server.post(`sessions/${body.session_id}/revoke`);
    const rest = async () => {
      for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) void next.value;
    };
    await expect(rest()).rejects.toThrow();
  });

  it("does not tell what came of a call whose session was taken back meanwhile", async () => {
    const [begun, told] = [Promise.withResolvers<void>(), Promise.withResolvers<string>()];
    const act = () => {
      begun.resolve();
      return told.promise;
    };
    await using server = await openTestServer({ tools: ({ workspace }) => [actingTool(workspace, { act }).tool] });
    const { body } = await server.post("sessions", { lease: { tools: ["act"], write: ["./**"] } });
    const waiting = ask(server, SEND, JSON.stringify(call("act", {})), { token: body.token });
    await begun.promise;
    await server.post(`sessions/${body.session_id}/revoke`);
    told.resolve("what it found");
    const answered = await waiting;
    expect([answered.status, answered.body.code]).toEqual([403, "LEASE_REVOKED"]);
  });

  it("tells of progress on the way", async () => {
    const goOn = Promise.withResolvers<void>();
    const run = async function* () {
      await goOn.promise;
      yield { message: "half" };
      return DONE;
    };
    await using server = await openTestServer({
      tools: ({ workspace }) => [sampleTool({ touches: [{ kind: "read", path: join(workspace, "a") }], run })],
    });
    const headers = { ...V1, ...JSON_TYPE, Authorization: `Bearer ${ADMIN}` };
    const body = JSON.stringify(call("sample", {}));
    const response = await fetch(`${server.url}/a2a/message:stream`, { method: "POST", headers, body });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let heard = (await reader?.read())?.value ?? "";
    expect(heard).toContain("TASK_STATE_WORKING");
    goOn.resolve();
    for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) heard += next.value;
    const items = heard.split("\n\n").flatMap((one) => (one.startsWith("data: ") ? [JSON.parse(one.slice(6))] : []));
    expect(items.map((item) => item.statusUpdate?.status.message?.parts[0].text ?? Object.keys(item)[0])).toEqual([
      "task",
      "half",
      "artifactUpdate",
      "statusUpdate",
    ]);
  });

  it("a stream of HTTP+JSON holds what one of JSON-RPC wraps", async () => {
    await using server = await openTestServer();
    server.scratch.put("a.txt", "hello");
    const heard = async (path: string, body: string) => {
      const headers = { ...V1, ...JSON_TYPE, Authorization: `Bearer ${ADMIN}` };
      const text = await (await fetch(`${server.url}${path}`, { method: "POST", headers, body })).text();
      return text.split("\n\n").flatMap((event) => (event.startsWith("data: ") ? [JSON.parse(event.slice(6))] : []));
    };
    const asked = call("read_file", { path: "a.txt" });
    const items = await heard("/a2a/message:stream", JSON.stringify(asked));
    const wrapped = await heard("/a2a", rpc("SendStreamingMessage", asked));
    expect(wrapped.every(({ jsonrpc, id }) => jsonrpc === "2.0" && id === 1)).toBe(true);
    for (const [first] of [items, wrapped.map(({ result }) => result)]) expect(first).toHaveProperty("task");
    const last = items.at(-1);
    expect((last.task ?? last.statusUpdate).status.state).toBe("TASK_STATE_COMPLETED");
  });
});

describe("a call that is named", () => {
  it.each(["/a2a/message:send", "/a2a/message:stream"])(
    "is made once, however often it is sent to %s",
    async (path) => {
      const { tool, ran } = actingTool("/nowhere", { touches: [{ kind: "unknown", reason: "counts" }] });
      const rules = [{ id: "count", effect: "allow", touch: { unknown: true } }] as const;
      await using server = await openTestServer({ rules, tools: [tool] });
      const send = (key: string, body: object) =>
        fetch(`${server.url}${path}`, {
          method: "POST",
          headers: { ...V1, ...JSON_TYPE, Authorization: `Bearer ${ADMIN}`, "Idempotency-Key": key },
          body: JSON.stringify(body),
        });
      const idIn = async (response: Response) => /call_[\w-]+/.exec(await response.text())?.[0];
      const first = await idIn(await send("k", call("act", {})));
      expect(first).toBeDefined();
      expect(await idIn(await send("k", call("act", {})))).toBe(first);
      expect(ran()).toBe(1);
      const other = (await (await send("k", call("act", { n: 1 }))).json()) as { error: { status: string } };
      expect(other.error.status).toBe("FAILED_PRECONDITION");
      expect((await send("", call("act", {}))).status).toBe(400);
      expect(ran()).toBe(1);
    },
  );
});

it("ends a stream, and tells nothing more, when a person is taken out of the configuration", async () => {
  const config = { server: { users: [user("cal", "caller")] } };
  await using server = await openTestServer({ rules: ASK_ALL, config, settings: "followed" });
  const headers = { ...V1, ...JSON_TYPE, Authorization: "Bearer cal" };
  const body = JSON.stringify(call("write_file", { path: "a.txt", content: "x" }));
  const response = await fetch(`${server.url}/a2a/message:stream`, { method: "POST", headers, body });
  const reader = response.body?.getReader();
  expect(new TextDecoder().decode((await reader?.read())?.value)).toContain("TASK_STATE_AUTH_REQUIRED");
  const without = { workspace: "ws", state: "state", rules: ASK_ALL, server: { users: [] } };
  writeFileSync(join(server.scratch.folder, "toolgate.yaml"), JSON.stringify(without));
  const rest = async () => {
    for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) void next.value;
  };
  await expect(rest()).rejects.toThrow();
});

it("has the address of a proxy in its card as one that encrypts, and no address that is not its own", async () => {
  await using server = await openTestServer({ config: { server: { hosts: ["gate.example"] } } });
  const card = (host: string) =>
    rawRequest(server.url, { path: "/.well-known/agent-card.json", headers: { Host: host } });
  const urls = (await card("gate.example")).body.supportedInterfaces.map(({ url }: { url: string }) => url);
  expect(urls).toEqual(["https://gate.example/a2a", "https://gate.example/a2a"]);
  expect((await card("evil.example")).status).toBe(403);
});

it("shows a plan that is too long to be written out once, and whole", async () => {
  await using server = await openTestServer({ rules: ASK_ALL });
  const content = "x".repeat(100_000);
  const { body } = await ask(server, SEND, JSON.stringify(call("write_file", { path: "a.txt", content })));
  const [words, { data }] = body.task.status.message.parts;
  expect(words.text.length).toBeLessThan(200);
  expect(data.plan.plan.input.content).toBe(content);
});

it.each(["/a2a/message:send", "/a2a/message:stream"])(
  "a call made by %s goes on when its caller is gone",
  async (path) => {
    const [begun, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<string>()];
    const act = () => {
      begun.resolve();
      return goOn.promise;
    };
    await using server = await openTestServer({ tools: ({ workspace }) => [actingTool(workspace, { act }).tool] });
    const gone = new AbortController();
    const headers = { ...V1, ...JSON_TYPE, Authorization: `Bearer ${ADMIN}` };
    const sent = fetch(`${server.url}${path}`, {
      method: "POST",
      headers,
      body: JSON.stringify(call("act", {})),
      signal: gone.signal,
    })
      .then((response) => response.text())
      .catch(() => "gone");
    await begun.promise;
    gone.abort();
    expect(await sent).toBe("gone");
    goOn.resolve("done");
    const listed = async () =>
      (await ask(server, "/a2a/tasks?includeArtifacts=true", undefined, { method: "GET" })).body;
    await expect.poll(async () => (await listed()).tasks[0]?.status.state).toBe("TASK_STATE_COMPLETED");
    await expect.poll(async () => (await listed()).tasks[0]?.artifacts?.[0].parts[0].text).toBe("done");
  },
);
