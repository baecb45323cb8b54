import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { digestOfText } from "../../../src/domain/digest.ts";
import { LIMITS } from "../../../src/domain/limits.ts";
import { OUTCOME_META } from "../../../src/doors/mcp/call-result.ts";
import { Tokens } from "../../../src/doors/wire/tokens.ts";
import { ADMIN } from "../../support/admin-token.ts";
import { openEvents } from "../../support/event-reader.ts";
import { connectHttp } from "../../support/mcp-client.ts";
import { ASK_ALL } from "../../support/scratch-gate.ts";
import { openTestServer, type TestServer, user } from "../../support/test-server.ts";

async function agent(server: TestServer) {
  const lease = { tools: ["read_file", "write_file"], read: ["./**"], write: ["./**"] };
  const opened = await server.gate.sessions.open(lease);
  if (opened.kind !== "opened") throw new Error(JSON.stringify(opened));
  return { id: opened.session.id, token: opened.token };
}

const NOBODY = { code: "SESSION_UNKNOWN", stage: "resolve", message: "nobody has this token" } as const;
const READ = { tool_name: "read_file", tool_params: { path: "a.txt" } };

describe("a body that breaks off in the middle", () => {
  it("is no mistake of the server's", async () => {
    await using server = await openTestServer();
    const { host, port } = new URL(server.url);
    const socket = connect(Number(port), "127.0.0.1");
    const head = `Host: ${host}\r\nAuthorization: Bearer ${ADMIN}\r\nTransfer-Encoding: chunked`;
    socket.write(`POST /my/projects/default/tools/execute HTTP/1.1\r\n${head}\r\n\r\n5\r\n{"too\r\nno number\r\n`);
    await once(socket.resume(), "close");
    await expect.poll(() => server.logged.find((line) => line.includes("tools/execute"))).toContain('"status":400');
    expect(server.logged.join()).not.toContain("fault");
  });
});

describe("requests that come in one piece", () => {
  it("are answered with others in between", async () => {
    await using server = await openTestServer();
    const { host, port } = new URL(server.url);
    const head = `Host: ${host}\r\nAuthorization: Bearer ${ADMIN}`;
    const one = `GET /my/projects/default/executions?limit=1 HTTP/1.1\r\n${head}\r\n\r\n`;
    const socket = connect(Number(port), "127.0.0.1");
    const answered = () => server.logged.filter((line) => line.includes("/executions")).length;
    let turnsBetween = 0;
    const count = () => {
      if (answered() > 0) turnsBetween++;
      if (answered() < 200) setImmediate(count);
    };
    setImmediate(count);
    socket.resume().write(one.repeat(200));
    await expect.poll(answered).toBe(200);
    expect(turnsBetween).toBeGreaterThan(100);
    socket.destroy();
  });
});

describe("one agent", () => {
  it("starts so many calls a minute, over REST and MCP together, and others are not held up", async () => {
    await using server = await openTestServer({ config: { server: { callsPerMinute: 3 } } });
    server.scratch.put("a.txt");
    const [one, other] = [await agent(server), await agent(server)];
    const call = ({ token }: { token: string }) => server.post("tools/execute", READ, token);
    const client = await connectHttp(server.url, one.token, { era: "2026-07-28" });
    const overMcp = async () => {
      const { _meta } = await client.callTool({ name: "read_file", arguments: { path: "a.txt" } });
      return _meta?.[OUTCOME_META];
    };
    expect((await call(one)).status).toBe(200);
    expect(await overMcp()).toMatchObject({ kind: "completed" });
    // A minute may end in between: then the next calls fill the one that has begun.
    for (let n = 0; n < 6; n++) await call(one);
    const full = await call(one);
    expect(full).toMatchObject({ status: 429, body: { code: "TOO_MANY_REQUESTS" } });
    expect(Number(full.headers.get("retry-after"))).toBe(full.body.retry_after);
    expect(await overMcp()).toMatchObject({ kind: "refused", code: "RATE_LIMITED" });
    expect((await call(other)).status).toBe(200);
    await client.close();
  });

  it("asks so many times a minute what would happen, which uses up none of its calls", async () => {
    await using server = await openTestServer({ config: { server: { callsPerMinute: 3 } } });
    server.scratch.put("a.txt");
    const [one, other] = [await agent(server), await agent(server)];
    const explain = ({ token }: { token: string }) => server.post("rules/explain", READ, token);
    // A minute may end in between: then the next ones fill the one that has begun.
    for (let n = 0; n < 6; n++) await explain(one);
    expect(await explain(one)).toMatchObject({ status: 429, body: { code: "TOO_MANY_REQUESTS" } });
    expect((await explain(other)).status).toBe(200);
    expect((await server.post("tools/execute", READ, one.token)).status).toBe(200);
  });

  it("holds so many requests and streams at a time, and others come in", async () => {
    await using server = await openTestServer({ config: { server: { users: [user("ann")] } } }, undefined, {
      requestsPerCaller: 3,
    });
    const one = await agent(server);
    const streams = await Promise.all([1, 2, 3].map(() => openEvents(server.url, { token: one.token })));
    await Promise.all(streams.map((stream) => stream.until("ready")));
    expect(await server.get("tools/available", one.token)).toMatchObject({
      status: 429,
      body: { code: "TOO_MANY_REQUESTS", retry_after: 1 },
    });
    expect((await server.get("tools/available", "ann")).status).toBe(200);
    await streams[0]?.close();
    await expect.poll(async () => (await server.get("tools/available", one.token)).status).toBe(200);
    await Promise.all(streams.map((stream) => stream.close()));
  });

  it("has so many bytes of requests under way at a time, on every door that takes some, and others come in", async () => {
    await using server = await openTestServer({ config: { server: { users: [user("ann", "caller")] } } }, undefined, {
      bodyBytesPerCaller: 1000,
    });
    const one = await agent(server);
    const long = { tool_name: "read_file", tool_params: { path: "x".repeat(1000) } };
    expect(await server.post("tools/execute", long, one.token)).toMatchObject({
      status: 429,
      body: { code: "TOO_MANY_REQUESTS", retry_after: 1 },
    });
    const sent = (path: string, type: string) =>
      fetch(`${server.url}${path}`, {
        method: "POST",
        headers: { Authorization: `Bearer ${one.token}`, "Content-Type": type },
        body: "x".repeat(1001),
      });
    expect((await sent("/mcp", "application/json")).status).toBe(429);
    expect((await sent("/toolgate.kernel.v1.ToolKernel/Execute", "application/proto")).status).toBe(429);
    server.scratch.put("a.txt");
    // What was turned away is not held.
    await expect.poll(async () => (await server.post("tools/execute", READ, one.token)).status).toBe(200);
  });

  it("has nothing held against it for requests that it gave up", async () => {
    await using server = await openTestServer({}, undefined, { requestsPerCaller: 2 });
    const one = await agent(server);
    const { host } = new URL(server.url);
    const head = `GET /events HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${one.token}\r\n\r\n`;
    // Each is answered, and so counted, before it is given up: a share that stayed taken would turn the third away for ever.
    const heard = async () => {
      const socket = connect({ host: "127.0.0.1", port: Number(host.split(":")[1]) });
      socket.on("error", () => {});
      socket.write(head);
      const [first] = await once(socket, "data");
      socket.resetAndDestroy();
      return String(first).split(" ")[1];
    };
    for (let n = 0; n < 6; n++) await expect.poll(heard).toBe("200");
    await expect.poll(async () => (await server.get("tools/available", one.token)).status).toBe(200);
  });

  it("does not use up what another has, by the name of its session", async () => {
    const users = [user("ann", "caller"), user("bob", "caller")];
    await using server = await openTestServer({ config: { server: { users, callsPerMinute: 2 } } });
    server.scratch.put("a.txt");
    const one = await agent(server);
    const call = (token: string, session?: string) =>
      server.post("tools/execute", { ...READ, ...(session !== undefined && { session_id: session }) }, token);
    const statuses = async (token: string, session?: string) => {
      const all = [];
      for (let n = 0; n < 6; n++) all.push((await call(token, session)).status);
      return all;
    };
    // A minute may end in between; six calls fill it either way.
    expect(await statuses("bob", "talk")).toContain(429);
    expect((await call(one.token)).status).toBe(200);
    expect((await call("ann", "talk")).status).toBe(200);
  });

  it("starts no more by naming other sessions, to call or to ask what would happen", async () => {
    const config = { server: { users: [user("ann", "caller"), user("bob", "caller")], callsPerMinute: 3 } };
    await using server = await openTestServer({ config });
    server.scratch.put("a.txt");
    for (const route of ["tools/execute", "rules/explain"]) {
      const post = (session: string) => server.post(route, { ...READ, session_id: session }, "bob");
      // A minute may end in between: then the next ones fill the one that has begun.
      for (let n = 0; n < 6; n++) await post(`talk-${n}`);
      expect(await post("another")).toMatchObject({ status: 429, body: { code: "TOO_MANY_REQUESTS" } });
      expect((await server.post(route, { ...READ, session_id: "talk-0" }, "ann")).status).toBe(200);
    }
  });

  it("nor by going from REST to MCP", async () => {
    const config = { server: { users: [user("bob", "caller")], callsPerMinute: 3 } };
    await using server = await openTestServer({ config });
    server.scratch.put("a.txt");
    for (let n = 0; n < 7; n++) await server.post("tools/execute", READ, "bob");
    const client = await connectHttp(server.url, "bob", { era: "2026-07-28" });
    const { _meta } = await client.callTool({ name: "read_file", arguments: { path: "a.txt" } });
    expect(_meta?.[OUTCOME_META]).toMatchObject({ kind: "refused", code: "RATE_LIMITED" });
    await client.close();
  });

  it("asks so much at a time, also all at once, and others can ask", async () => {
    await using server = await openTestServer({ rules: ASK_ALL });
    const one = await agent(server);
    const ask = (path: string, token: string) =>
      server.post(
        "tools/execute",
        { tool_name: "write_file", tool_params: { path, content: "x" }, wait: false },
        token,
      );
    const max = LIMITS.openQuestionsOfSession.default;
    const all = await Promise.all(Array.from({ length: max + 10 }, (_, n) => ask(`${n}.txt`, one.token)));
    expect(all.filter(({ status }) => status === 202)).toHaveLength(max);
    expect(all.find(({ status }) => status !== 202)).toMatchObject({ body: { refusal: { code: "RATE_LIMITED" } } });
    expect((await ask("other.txt", (await agent(server)).token)).status).toBe(202);
  });

  it("asks no more by naming other sessions", async () => {
    const config = { server: { users: [user("ann", "caller"), user("bob", "caller")] } };
    await using server = await openTestServer({ rules: ASK_ALL, config });
    const ask = (n: number, token: string) => {
      const call = { tool_name: "write_file", tool_params: { path: `${n}.txt`, content: "x" } };
      return server.post("tools/execute", { ...call, session_id: `talk-${n}`, wait: false }, token);
    };
    const max = LIMITS.openQuestionsOfSession.default;
    const all = await Promise.all(Array.from({ length: max + 10 }, (_, n) => ask(n, "bob")));
    expect(all.filter(({ status }) => status === 202)).toHaveLength(max);
    expect(all.find(({ status }) => status !== 202)).toMatchObject({ body: { refusal: { code: "RATE_LIMITED" } } });
    expect((await ask(0, "ann")).status).toBe(202);
  });
});

describe("a stream", () => {
  const TIMES = { heartbeatMs: 20 };

  it("ends with the session whose token opened it", async () => {
    await using server = await openTestServer({}, undefined, TIMES);
    const { id, token } = await agent(server);
    await using events = await openEvents(server.url, { token });
    await using kept = await openEvents(server.url);
    await Promise.all([events.until("ready"), kept.until("ready")]);
    await server.post(`sessions/${id}/revoke`, {});
    while ((await events.next()) !== null);
    expect((await openEvents(server.url, { token })).status).toBe(403);
    server.gate.events.tell("tool.progress", { message: "still here" });
    expect(await kept.until("tool.progress")).toMatchObject({ data: { message: "still here" } });
  });

  it("ends with the login that opened it, and leaves other logins alone", async () => {
    await using server = await openTestServer({ config: { server: { users: [user("ann", "approver")] } } });
    const login = async () => {
      const { headers, body } = await server.post("/login", {}, "ann");
      const cookie = headers.get("set-cookie")?.split(";")[0] ?? "";
      const stream = await fetch(`${server.url}/events`, { headers: { Cookie: cookie } });
      const chunks = stream.body?.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]();
      await chunks?.next();
      return { token: body.token as string, chunks };
    };
    const [gone, kept] = [await login(), await login()];
    expect((await server.post("/logout", {}, gone.token)).status).toBe(200);
    await expect.poll(() => server.gate.events.listeners).toBe(1);
    const rest = async () => {
      for (;;) if ((await gone.chunks?.next())?.done !== false) return "ended";
    };
    expect(await rest().catch(() => "ended")).toBe("ended");
    server.gate.events.tell("tool.progress", { message: "still here" });
    let heard = "";
    while (!heard.includes("still here")) heard += (await kept.chunks?.next())?.value ?? "";
    await kept.chunks?.return?.();
  });

  it("ends when its session is closed by another process", async () => {
    await using server = await openTestServer();
    const { id, token } = await agent(server);
    await using events = await openEvents(server.url, { token });
    await events.until("ready");
    const other = server.scratch.again();
    expect((await other.sessions.revoke(id, { actor: "local:ann" })).kind).not.toBe("refused");
    while ((await events.next()) !== null);
  });

  it("of MCP ends too", async () => {
    await using server = await openTestServer();
    const { id, token } = await agent(server);
    const headers = {
      Authorization: `Bearer ${token}`,
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
    };
    const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "a", version: "1" } };
    const begun = await fetch(`${server.url}/mcp`, {
      method: "POST",
      headers,
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params }),
    });
    await begun.text();
    const session = { "Mcp-Session-Id": begun.headers.get("mcp-session-id") ?? "" };
    const stream = await fetch(`${server.url}/mcp`, { headers: { ...headers, ...session } });
    expect(stream.headers.get("content-type")).toContain("text/event-stream");
    await server.post(`sessions/${id}/revoke`, {});
    await stream.text().catch(() => "cut off");
  });

  it("ends with the token of the user who opened it", async () => {
    const users: { name: string; roles: string[]; tokenHash: string }[] = [];
    const tokens = new Tokens({
      adminToken: "admin's",
      users: () => users,
      sessions: { check: async () => ({ kind: "refused", refusal: NOBODY }), find: async () => null },
      nowMs: () => 0,
    });
    users.push({ name: "bob", roles: [], tokenHash: digestOfText("bob's") });
    const bob = await tokens.identify("bob's", "");
    const admin = await tokens.identify("admin's", "");
    if ("refusal" in bob || "refusal" in admin) throw new Error("they are not known");
    expect([await tokens.isStill(bob), await tokens.isStill(admin)]).toEqual([true, true]);
    users[0] = { name: "bob", roles: [], tokenHash: digestOfText("his new one") };
    expect(await tokens.isStill(bob)).toBe(false);
    users.splice(0);
    expect(await tokens.isStill(bob)).toBe(false);
  });
});
