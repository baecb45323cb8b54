import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ask, call, JSON_TYPE, rpc, SEND, V1 } from "../../support/a2a-wire.ts";
import { actingTool } from "../../support/acting-tool.ts";
import { DONE, sampleTool } from "../../support/sample-calls.ts";
import { ASK_ALL } from "../../support/scratch-gate.ts";
import { ADMIN, openTestServer, rawRequest, user } from "../../support/test-server.ts";

describe("A2A turn by turn", () => {
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
