import { Buffer } from "node:buffer";
import { describe, expect, it } from "vitest";
import { LIMITS } from "../../../src/domain/limits.ts";
import type { HttpCaller } from "../../../src/doors/mcp/http-handler.ts";
import { McpHttpServer } from "../../support/mcp-http.ts";
import { openScratchGate } from "../../support/scratch-gate.ts";

const HEADERS = { "Content-Type": "application/json", Accept: "application/json, text/event-stream" };
const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};
const MODERN = { "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "read_file" };
const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "a", version: "1" } },
};

function open() {
  const scratch = openScratchGate();
  scratch.put("a.txt", "the words");
  const http = new McpHttpServer(scratch.gate);
  const sessions = new Map<string, HttpCaller>();
  const callerOf = (actor: string): HttpCaller => {
    const known = sessions.get(actor);
    const caller = known ?? { actor, roles: ["caller"], session: scratch.gate.session(), ask: "desk" as const };
    sessions.set(actor, caller);
    return caller;
  };
  const send = async (body: string, more: Record<string, string> = {}, actor = "ann") => {
    const request = new Request("http://127.0.0.1/mcp", { method: "POST", headers: { ...HEADERS, ...more }, body });
    const response = await http.fetch(request, callerOf(actor));
    const text = await response.text();
    const [, data = text] = /^data: (\{.*\})$/m.exec(text) ?? [];
    return { status: response.status, id: response.headers.get("mcp-session-id"), body: JSON.parse(data || "null") };
  };
  const close = async () => {
    await http.close();
    await scratch[Symbol.asyncDispose]();
  };
  return { send, rows: scratch.rows, [Symbol.asyncDispose]: close };
}

const read = (path: string, more = "") =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_file","arguments":{"path":"${path}"${more}},"_meta":${JSON.stringify(META)}}}`;

describe("a body over HTTP", () => {
  it("is read as everywhere else: what says a name twice says nothing", async () => {
    await using opened = open();
    const twice = await opened.send(read("b.txt", ',"path":"a.txt"'), MODERN);
    expect(twice).toMatchObject({ status: 400, body: { error: { code: -32_700 } } });
    expect(twice.body.error.message).toContain("the name `path` stands twice");
    const once = await opened.send(read("a.txt"), MODERN);
    expect(once).toMatchObject({ status: 200, body: { result: { content: [{ type: "text", text: "the words" }] } } });
  });

  it("has no more values than one over REST", async () => {
    await using opened = open();
    const many = await opened.send(read("a.txt", `,"more":[${"1,".repeat(LIMITS.requestValues.default)}1]`), MODERN);
    expect(many).toMatchObject({ status: 400, body: { error: { code: -32_700 } } });
    const fewer = await opened.send(read("a.txt", `,"more":[${"1,".repeat(1000)}1]`), MODERN);
    expect(fewer.status).toBe(200);
  });

  it("of clients of 2025 too", async () => {
    await using opened = open();
    const { id } = await opened.send(JSON.stringify(INITIALIZE));
    const session = { "mcp-session-id": id ?? "" };
    const twice = await opened.send('{"jsonrpc":"2.0","id":2,"id":3,"method":"tools/list"}', session);
    expect(twice).toMatchObject({ status: 400, body: { error: { code: -32_700 } } });
    expect((await opened.send('{"jsonrpc":"2.0","id":2,"method":"tools/list"}', session)).status).toBe(200);
  });

  it("of clients of 2025 brings no id twice, and nothing of it is run", async () => {
    await using opened = open();
    const { id } = await opened.send(JSON.stringify(INITIALIZE));
    const session = { "mcp-session-id": id ?? "" };
    const call = {
      jsonrpc: "2.0",
      id: 2,
      method: "tools/call",
      params: { name: "read_file", arguments: { path: "a.txt" } },
    };
    const twice = await opened.send(JSON.stringify([call, call]), session);
    expect(twice).toMatchObject({ status: 400, body: { id: 2, error: { code: -32_600 } } });
    // What the SDK refuses leaves nothing behind either.
    expect((await opened.send(JSON.stringify(call), { ...session, Accept: "text/plain" })).status).toBe(406);
    for (const _ of [1, 2])
      expect(await opened.send(JSON.stringify(call), session)).toMatchObject({ status: 200, body: { id: 2 } });
    expect(opened.rows()).toHaveLength(2);
  });

  it.each<[string, string, Record<string, string>, number]>([
    ["nothing", "", {}, 400],
    ["half of it", "{", {}, 400],
    ["too much", `"${"x".repeat(LIMITS.requestBytes.default)}"`, {}, 413],
    ["another type", "{}", { "Content-Type": "text/plain" }, 415],
  ])("is refused where it is %s", async (_, body, more, status) => {
    await using opened = open();
    expect((await opened.send(body, more)).status).toBe(status);
  });

  it("may name its tool in Base64, which is compared as what it says", async () => {
    await using opened = open();
    const named = (name: string) => ({ ...MODERN, "Mcp-Name": `=?base64?${Buffer.from(name).toString("base64")}?=` });
    expect((await opened.send(read("a.txt"), named("read_file"))).status).toBe(200);
    expect(await opened.send(read("a.txt"), named("write_file"))).toMatchObject({
      status: 400,
      body: { error: { code: -32_020 } },
    });
    expect((await opened.send(read("a.txt"), { ...MODERN, "Mcp-Name": "=?base64?no!?=" })).status).toBe(400);
  });
});

it("who begins too many sessions of 2025 loses their own oldest, and nobody else's", async () => {
  await using opened = open();
  const { send } = opened;
  const begin = async (actor: string) => (await send(JSON.stringify(INITIALIZE), {}, actor)).id ?? "";
  const isThere = async (actor: string, id: string) =>
    (await send('{"jsonrpc":"2.0","id":2,"method":"tools/list"}', { "mcp-session-id": id }, actor)).status === 200;
  const others = await begin("bob");
  const first = await begin("eve");
  const ids: string[] = [];
  for (let n = 0; n < LIMITS.mcpSessionsPerCaller.default; n++) ids.push(await begin("eve"));
  expect(await isThere("bob", others)).toBe(true);
  expect(await isThere("eve", first)).toBe(false);
  expect([await isThere("eve", ids[0] ?? ""), await isThere("eve", ids.at(-1) ?? "")]).toEqual([true, true]);
});
