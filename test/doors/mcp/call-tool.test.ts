import { once } from "node:events";
import { describe, expect, it } from "vitest";
import type { HttpCaller } from "../../../src/doors/mcp/http-handler.ts";
import { connectClient, ERAS } from "../../support/mcp-client.ts";
import { McpHttpServer } from "../../support/mcp-http.ts";
import { call, openLines } from "../../support/mcp-lines.ts";
import type { ScratchGate } from "../../support/scratch-gate.ts";
import { MODERN, openReadingGate, readCall, states, waitingTool } from "./set-up.ts";

/** Without what differs from call to call. */
function alike(message: unknown): unknown {
  return JSON.parse(JSON.stringify(message), (name, value) => {
    if (name === "callId" || name === "durationMs" || name === "receipt") return typeof value;
    return name === "id" ? "id" : typeof value === "string" ? value.replaceAll(/call_[0-9a-f]+/g, "call") : value;
  });
}

describe("tools/call on pipes", () => {
  it.each(ERAS)("gives a client of %s the same answer each time", async (era) => {
    await using scratch = openReadingGate();
    await using connected = await connectClient(scratch.gate, { era });
    const results = [];
    for (let n = 0; n < 3; n++)
      results.push(await connected.client.callTool({ name: "read_file", arguments: { path: "a.txt" } }));
    expect(alike(results[1])).toEqual(alike(results[0]));
    expect(alike(results[2])).toEqual(alike(results[0]));
    expect(states(scratch)).toEqual(["completed", "completed", "completed"]);
  });

  it("makes one call when a person is asked in a second round", async () => {
    await using scratch = openReadingGate();
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

  it("is read in pieces and several in one write", async () => {
    await using scratch = openReadingGate();
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

  it("ends without an answer when the client cancels it", async () => {
    const { tool, begun } = waitingTool();
    await using scratch = openReadingGate(tool);
    await using lines = openLines(scratch);
    await lines.ask(readCall(1));
    lines.say(call(2, "waits", {}, MODERN));
    await begun;
    lines.say({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 2 } });
    expect((await lines.ask(readCall(3))).id).toBe(3); // and not 2
    await expect.poll(() => states(scratch)).toEqual(["completed", "cancelled", "completed"]);
  });

  it("refuses a second call under the id of a running one", async () => {
    const go = Promise.withResolvers<void>();
    const { tool } = waitingTool(async () => {
      await go.promise;
      return "slow";
    });
    await using scratch = openReadingGate(tool);
    await using lines = openLines(scratch);
    await lines.ask(readCall(1));
    lines.say(call(2, "waits", {}, MODERN));
    const other = await lines.ask(readCall(2));
    expect(other).toMatchObject({ id: 2, error: { code: -32_600 } });
    go.resolve();
    expect(await lines.next()).toMatchObject({ id: 2, result: { content: [{ text: "slow" }] } });
    expect(scratch.rows()).toHaveLength(2);
  });

  it("ends when the client closes its pipe", async () => {
    const { tool, begun } = waitingTool();
    await using scratch = openReadingGate(tool);
    await using lines = openLines(scratch);
    await lines.ask(readCall(1));
    lines.say(call(2, "waits", {}, MODERN));
    const signal = await begun;
    const aborted = once(signal, "abort");
    lines.stdin.end();
    await aborted;
  });
});

describe("tools/call over HTTP", () => {
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

  it("returns the question of a call that needs a person, and makes one call", async () => {
    await using scratch = openReadingGate();
    await using http = open(scratch);
    await http.send(readCall(1));
    const asked = await http.send(call(2, "read_file", { path: "asked/a.txt" }, MODERN));
    expect(asked.body.result.resultType).toBe("input_required");
    expect(states(scratch)).toEqual(["completed", "awaiting_approval"]);
  });

  it("starts no call once the server stops", async () => {
    await using scratch = openReadingGate();
    await using http = open(scratch);
    await http.send(readCall(1));
    expect((await http.send(readCall(2))).status).toBe(200);
    await http.stop();
    const late = await http.send(readCall(3));
    expect(late).toMatchObject({ status: 503, body: { code: "BUSY" } });
    expect(scratch.rows()).toHaveLength(2);
  });

  it("is cancelled when the client disconnects", async () => {
    const { tool, begun } = waitingTool();
    await using scratch = openReadingGate(tool);
    await using http = open(scratch);
    const client = new AbortController();
    const gone = http.send(call(2, "waits", {}, MODERN), "waits", client.signal).catch(() => "gone");
    const signal = await begun;
    const aborted = once(signal, "abort");
    client.abort();
    expect(await gone).toBe("gone");
    await aborted;
    await expect.poll(() => scratch.rows().at(-1)?.state).toBe("cancelled");
  });

  it("refuses a call whose header names another tool", async () => {
    await using scratch = openReadingGate();
    await using http = open(scratch);
    await http.send(readCall(1));
    const refused = await http.send(readCall(2), "list_directory");
    expect(refused).toMatchObject({ status: 400, body: { error: { code: -32_020 } } });
    expect(scratch.rows()).toHaveLength(1);
  });
});
