import { once } from "node:events";
import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../src/domain/json.ts";
import type { Content } from "../../../src/domain/outcome.ts";
import type { HttpCaller } from "../../../src/doors/mcp/http-handler.ts";
import { plainCall } from "../../../src/doors/mcp/plain-call.ts";
import { KnownEnvelopes } from "../../../src/doors/mcp/quick-call.ts";
import { defineTool } from "../../../src/tools/function/define-tool.ts";
import { connectClient, ERAS } from "../../support/mcp-client.ts";
import { McpHttpServer } from "../../support/mcp-http.ts";
import { call, openLines } from "../../support/mcp-lines.ts";
import type { ScratchGate } from "../../support/scratch-gate.ts";
import { MODERN, openQuickGate, readCall, states, waitingTool } from "./quick-set-up.ts";

/** Each is answered in another way: by a result, by a failure, by a no, by errors of the wire. */
const CALLS: readonly (readonly [name: string, input: JsonObject])[] = [
  ["read_file", { path: "a.txt" }],
  ["list_directory", { path: "." }],
  ["read_file", { path: "gone.txt" }],
  ["read_file", { path: "secret/a.txt" }],
  ["read_file", { file: 1 }],
  ["read_fil", {}],
  ["", {}],
];

/** Without what differs from call to call. */
function alike(message: unknown): unknown {
  return JSON.parse(JSON.stringify(message), (name, value) => {
    if (name === "callId" || name === "durationMs" || name === "receipt") return typeof value;
    return name === "id" ? "id" : typeof value === "string" ? value.replaceAll(/call_[0-9a-f]+/g, "call") : value;
  });
}

/** What tools may say, whether it is a result or not: not all of them are written in TypeScript. */
const SAID: readonly unknown[] = [
  [],
  [{ type: "text", text: "words" }],
  [{ type: "text", text: 5 }],
  [{ type: "text" }],
  [{ type: "image", mediaType: "image/png", data: "AAAA" }],
  [{ type: "image", mediaType: "image/png", data: "no Base64!" }],
  [{ type: "image", mediaType: "audio/ogg", data: "AAA" }],
  [{ type: "resource", uri: "a:b", text: "words" }],
  [{ type: "resource", uri: "a:b", blob: "!" }],
  [{ type: "resource", uri: "a:b" }],
  [{ type: "strange", a: 1 }],
];
const STRUCTURED: readonly unknown[] = [undefined, { a: [1] }, JSON.parse('{"__proto__":{"a":1},"b":2}')];

const saying = defineTool({
  name: "say",
  description: "says what it is told to",
  inputSchema: { type: "object" },
  touches: () => [{ kind: "unknown", reason: "nobody says" }],
  execute: async ({ nth, more }) =>
    ({ content: SAID[Number(nth)], structured: STRUCTURED[Number(more)] }) as { content: readonly Content[] },
});

describe("a plain call on pipes", () => {
  it("is answered beside the SDK as by it", async () => {
    await using scratch = openQuickGate();
    for (const [name, input] of CALLS) {
      await using lines = openLines(scratch);
      const first = await lines.ask(call(1, name, input, MODERN)); // by the SDK, which has to see one
      await lines.ask(readCall(2));
      const second = await lines.ask(call("3", name, input, MODERN));
      expect(second.id).toBe("3");
      expect(alike(second)).toEqual(alike(first));
    }
  });

  it.each([
    ["2026-07-28", MODERN],
    ["2025-11-25", {}],
  ])("is answered as by it whatever its tool says, to a client of %s", async (version, more) => {
    await using scratch = openQuickGate(saying);
    const said = [...SAID.keys()].map((nth) => ({ nth, more: 0 }));
    for (const input of [...said, { nth: 1, more: 1 }, { nth: 1, more: 2 }]) {
      await using lines = openLines(scratch);
      const params = { protocolVersion: version, capabilities: {}, clientInfo: { name: "a", version: "1" } };
      if (more !== MODERN) await lines.ask({ jsonrpc: "2.0", id: 0, method: "initialize", params });
      const first = await lines.ask(call(1, "say", input, more));
      await turn(); // what comes sooner follows it to the SDK
      expect(alike(await lines.ask(call(2, "say", input, more)))).toEqual(alike(first));
    }
    expect(scratch.rows()).toHaveLength(2 * (SAID.length + 2));
  });

  it.each(ERAS)("of a client of %s is answered like its first", async (era) => {
    await using scratch = openQuickGate();
    await using connected = await connectClient(scratch.gate, { era });
    const results = [];
    for (let n = 0; n < 3; n++)
      results.push(await connected.client.callTool({ name: "read_file", arguments: { path: "a.txt" } }));
    expect(alike(results[1])).toEqual(alike(results[0]));
    expect(alike(results[2])).toEqual(alike(results[0]));
    expect(states(scratch)).toEqual(["completed", "completed", "completed"]);
  });

  it("that is asked about is made once, and asked about by the SDK", async () => {
    await using scratch = openQuickGate();
    await using lines = openLines(scratch);
    await lines.ask(readCall(1));
    const asked = await lines.ask(call(2, "read_file", { path: "asked/a.txt" }, MODERN));
    expect(asked.result.resultType).toBe("input_required");
    const { requestState } = asked.result;
    const inputResponses = { approval: { action: "accept", content: { answer: "approve" } } };
    const more = { ...MODERN, requestState, inputResponses };
    const done = await lines.ask(call(3, "read_file", { path: "asked/a.txt" }, more));
    expect(done.result.content).toEqual([{ type: "text", text: "more words" }]);
    expect(states(scratch)).toEqual(["completed", "completed"]);
  });

  it("may come in pieces, or several at once", async () => {
    await using scratch = openQuickGate();
    await using lines = openLines(scratch);
    await lines.ask(readCall(1));
    const text = `${JSON.stringify(readCall(2))}\n`;
    lines.stdin.write(text.slice(0, 30));
    lines.stdin.write(text.slice(30, 60));
    lines.stdin.write(text.slice(60) + JSON.stringify(readCall(3)));
    expect((await lines.next()).id).toBe(2);
    lines.stdin.write("\n");
    expect((await lines.next()).id).toBe(3);
    lines.say(...[4, 5, 6].map((id) => readCall(id)));
    expect([await lines.next(), await lines.next(), await lines.next()].map(({ id }) => id).sort()).toEqual([4, 5, 6]);
  });

  it("that is taken back ends, and is not answered", async () => {
    const { tool, begun } = waitingTool();
    await using scratch = openQuickGate(tool);
    await using lines = openLines(scratch);
    await lines.ask(readCall(1));
    lines.say(call(2, "waits", {}, MODERN));
    await begun;
    lines.say({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 2 } });
    expect((await lines.ask(readCall(3))).id).toBe(3); // and not 2
    await expect.poll(() => states(scratch)).toEqual(["completed", "cancelled", "completed"]);
  });

  it("is not confused with another under the same id", async () => {
    const go = Promise.withResolvers<void>();
    const { tool } = waitingTool(async () => {
      await go.promise;
      return "slow";
    });
    await using scratch = openQuickGate(tool);
    await using lines = openLines(scratch);
    await lines.ask(readCall(1));
    lines.say(call(2, "waits", {}, MODERN));
    const other = await lines.ask(readCall(2));
    expect(other).toMatchObject({ id: 2, error: { code: -32_600 } });
    go.resolve();
    expect(await lines.next()).toMatchObject({ id: 2, result: { content: [{ text: "slow" }] } });
    expect(scratch.rows()).toHaveLength(2);
  });

  it("ends with the connection", async () => {
    const { tool, begun } = waitingTool();
    await using scratch = openQuickGate(tool);
    await using lines = openLines(scratch);
    await lines.ask(readCall(1));
    lines.say(call(2, "waits", {}, MODERN));
    const signal = await begun;
    const aborted = once(signal, "abort");
    lines.stdin.end();
    await aborted;
  });
});

describe("a plain call over HTTP", () => {
  const headers = { "Content-Type": "application/json", Accept: "application/json, text/event-stream" };

  function open(scratch: ScratchGate) {
    const server = new McpHttpServer(scratch.gate);
    const session = scratch.gate.session();
    const caller: HttpCaller = { actor: "ann", roles: ["caller", "approver"], session, ask: "client" };
    const send = async (
      body: ReturnType<typeof call>,
      said: string = String(body.params["name"]),
      signal?: AbortSignal,
    ) => {
      const named = { "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": said };
      const request = new Request("http://127.0.0.1/mcp", {
        method: "POST",
        headers: { ...headers, ...named },
        body: JSON.stringify(body),
      });
      const response = await server.fetch(request, caller, signal);
      const type = response.headers.get("content-type");
      return { status: response.status, type, body: JSON.parse(await response.text()) };
    };
    return { send, stop: () => server.stop(), [Symbol.asyncDispose]: () => server.close() };
  }

  it("is answered beside the SDK as by it", async () => {
    await using scratch = openQuickGate();
    for (const [name, input] of CALLS) {
      await using http = open(scratch);
      const first = await http.send(call(1, name, input, MODERN));
      await http.send(readCall(2));
      const second = await http.send(call(3, name, input, MODERN));
      expect(alike(second)).toEqual(alike(first));
    }
  });

  it("that is asked about is made once", async () => {
    await using scratch = openQuickGate();
    await using http = open(scratch);
    await http.send(readCall(1));
    const asked = await http.send(call(2, "read_file", { path: "asked/a.txt" }, MODERN));
    expect(asked.body.result.resultType).toBe("input_required");
    expect(states(scratch)).toEqual(["completed", "awaiting_approval"]);
  });

  it("is not begun any more when the server stops", async () => {
    await using scratch = openQuickGate();
    await using http = open(scratch);
    await http.send(readCall(1));
    expect((await http.send(readCall(2))).status).toBe(200);
    await http.stop();
    const late = await http.send(readCall(3));
    expect(late).toMatchObject({ status: 503, body: { code: "BUSY" } });
    expect(scratch.rows()).toHaveLength(2);
  });

  it.each([
    ["by the SDK", false],
    ["beside it", true],
  ])("ends when its client goes, made %s", async (_, isKnown) => {
    const { tool, begun } = waitingTool();
    await using scratch = openQuickGate(tool);
    await using http = open(scratch);
    if (isKnown) await http.send(readCall(1));
    const client = new AbortController();
    const gone = http.send(call(2, "waits", {}, MODERN), "waits", client.signal).catch(() => "gone");
    const signal = await begun;
    const aborted = once(signal, "abort");
    client.abort();
    expect(await gone).toBe("gone");
    await aborted;
    await expect.poll(() => scratch.rows().at(-1)?.state).toBe("cancelled");
  });

  it("whose header names another tool is refused, however well its client is known", async () => {
    await using scratch = openQuickGate();
    await using http = open(scratch);
    await http.send(readCall(1));
    const refused = await http.send(readCall(2), "list_directory");
    expect(refused).toMatchObject({ status: 400, body: { error: { code: -32_020 } } });
    expect(scratch.rows()).toHaveLength(1);
  });
});

describe("what clients say of themselves", () => {
  it.each([
    ["is known where it is short", 4096, true],
    ["is not kept where it is long, for anybody could send a thousand", 4097, false],
  ])("%s", (_, length, isKnown) => {
    const long = "x".repeat(length - JSON.stringify({ long: "" }).length);
    const message = call(1, "a", {}, { _meta: { long } });
    const known = new KnownEnvelopes("settled");
    expect(known.plain(message as JsonObject)).toBeNull();
    known.accepted(message as JsonObject);
    expect(known.plain(message as JsonObject) !== null).toBe(isKnown);
  });
});

/** As it comes over the wire: written down here it would be another thing. */
const PROTO = '{"name":"a","arguments":{"__proto__":1}}';

describe("what is no plain call", () => {
  it.each([
    ["another method", { ...call(1, "a", {}), method: "tools/list" }],
    ["a notification", call(undefined, "a", {})],
    ["a broken id", call(1.5, "a", {})],
    ["an empty id", call(null, "a", {})],
    ["a batch", [call(1, "a", {})]],
    ["no JSON-RPC", { ...call(1, "a", {}), jsonrpc: "1.0" }],
    ["something more in the message", { ...call(1, "a", {}), more: 1 }],
    ["no name", { ...call(1, "a", {}), params: { arguments: {} } }],
    ["arguments that are a list", { ...call(1, "a", {}), params: { name: "a", arguments: [] } }],
    ["arguments whose `__proto__` the SDK leaves out", { ...call(1, "a", {}), params: JSON.parse(PROTO) }],
    ["a round of questions", call(1, "a", {}, { requestState: "s" })],
    ["a task", call(1, "a", {}, { task: {} })],
    ["progress", call(1, "a", {}, { _meta: { progressToken: 1 } })],
    ["a broken envelope", call(1, "a", {}, { _meta: 1 })],
    ["nothing", undefined],
  ])("%s", (_, message) => {
    expect(plainCall(message === undefined ? undefined : JSON.parse(JSON.stringify(message)))).toBeNull();
  });
});
