import { describe, expect, it } from "vitest";
import type { JsonValue } from "../../../src/domain/json.ts";
import type { Progress } from "../../../src/domain/tool.ts";
import { DirectCalls, wrongWith } from "../../../src/tools/mcp/direct-calls.ts";
import { eventsFrom } from "../../../src/tools/mcp/events-from.ts";
import { OutputSchemas } from "../../../src/tools/mcp/output-schemas.ts";

// biome-ignore lint/suspicious/noExplicitAny: messages of any kind
type Message = any;

const nextTick = () => new Promise<void>((resolve) => process.nextTick(resolve));

function open() {
  const writes: string[] = [];
  const sent: Message[] = [];
  const take = async (lines: string) => {
    writes.push(lines);
    for (const line of lines.split("\n").filter((each) => each !== "")) sent.push(JSON.parse(line));
  };
  const calls = new DirectCalls(take, { era: "now" });
  const stop = new AbortController();
  const heard: Progress[] = [];
  const options = { signal: stop.signal, timeoutMs: 60_000, onProgress: (step: Progress) => void heard.push(step) };
  const ask = () => calls.ask("tools/call", { name: "a" }, options);
  const hear = (message: object) => calls.hear(JSON.stringify({ jsonrpc: "2.0", ...message }));
  return { writes, sent, calls, stop, heard, ask, hear };
}

describe("a call beside the SDK", () => {
  it("is answered by its own id, and hears its own progress", async () => {
    const { sent, heard, ask, hear } = open();
    const [first, second] = [ask(), ask()];
    await nextTick();
    expect(sent[0]).toMatchObject({ method: "tools/call", params: { name: "a", _meta: { era: "now" } } });
    const [{ id: one }, { id: other }] = sent as [Message, Message];
    expect(hear({ method: "notifications/progress", params: { progressToken: other, progress: 1, total: 2 } })).toBe(
      true,
    );
    expect(hear({ id: other, result: { content: [] } })).toBe(true);
    expect(hear({ id: one, error: { code: -1, message: "no" } })).toBe(true);
    expect(await first).toEqual({ error: { code: -1, message: "no" } });
    expect(await second).toEqual({ result: { content: [] } });
    expect(heard).toEqual([{ message: "", done: 1, total: 2 }]);
    // A second answer is nobody's.
    expect(hear({ id: one, result: {} })).toBe(false);
  });

  it.each([
    [{ id: 1, result: { text: "gate-1" } }],
    [{ id: "gate-99", result: {} }],
    [{ id: "gate-1", method: "sampling/createMessage", params: {} }],
    [{ method: "notifications/progress", params: { progressToken: "gate-99", progress: 1 } }],
    [{ method: "notifications/message", params: { data: "gate-1" } }],
  ])("does not take %j for its answer", async (message) => {
    const { calls, ask, hear } = open();
    const call = ask();
    expect(hear(message)).toBe(false);
    calls.close();
    expect(await call).toBeNull();
  });

  it("that is taken back tells the upstream, and waits for nothing", async () => {
    const { sent, stop, ask } = open();
    const call = ask();
    stop.abort();
    expect(await call).toBeNull();
    expect(sent[1]).toMatchObject({ method: "notifications/cancelled", params: { requestId: sent[0].id } });
    expect(await ask()).toBeNull();
  });

  it("goes out with those of its turn, and never after it was taken back", async () => {
    const { writes, sent, stop, ask } = open();
    const all = Promise.all([ask(), ask(), ask()]);
    await nextTick();
    expect(writes.map((lines) => lines.split("\n").length - 1)).toEqual([1, 2]);
    const late = ask();
    stop.abort();
    expect(await late).toBeNull();
    expect(await all).toEqual([null, null, null]);
    const [, , , call, ...cancels] = sent;
    expect(call).toMatchObject({ method: "tools/call" });
    expect(cancels.map(({ method }) => method)).toEqual(Array(4).fill("notifications/cancelled"));
  });

  it("that can't be sent is not waited for", async () => {
    const broken = new DirectCalls(() => Promise.reject(new Error("gone")), {});
    const options = { signal: new AbortController().signal, timeoutMs: 60_000, onProgress: () => {} };
    expect(await broken.ask("tools/call", {}, options)).toBeNull();
  });
});

describe("a result of a tool", () => {
  const RESOURCE = { uri: "a:b", text: "t" };
  it.each<[JsonValue, boolean]>([
    [{}, true],
    [{ content: [] }, true],
    [{ content: [{ type: "text", text: "a" }], isError: true, resultType: "complete" }, true],
    [{ content: [{ type: "image", data: "", mimeType: "a/b" }] }, true],
    [{ content: [{ type: "resource", resource: RESOURCE }] }, true],
    [{ content: [{ type: "resource", resource: { uri: "a:b", blob: "" } }] }, true],
    [{ content: [{ type: "resource_link", uri: "a:b", name: "n" }] }, true],
    ["text", false],
    [null, false],
    [[], false],
    [{ content: "text" }, false],
    [{ content: [{ type: "text" }] }, false],
    [{ content: [{ type: "text", text: { toString: "x" } }] }, false],
    [{ content: [{ type: "image", data: "" }] }, false],
    [{ content: [{ type: "resource", resource: { text: "t" } }] }, false],
    [{ content: [{ type: "resource", resource: null }] }, false],
    [{ content: [{ type: "resource_link", uri: "a:b" }] }, false],
    [{ content: [{ type: "other" }] }, false],
    [{ content: [null] }, false],
    [{ isError: "no" }, false],
    [{ resultType: "input_required", inputRequests: {} }, false],
  ])("%j is one: %s", (result, isOne) => {
    expect(wrongWith(result) === null).toBe(isOne);
  });

  it("is held against what the tool promises of it", () => {
    const outputs = new OutputSchemas();
    const outputSchema = { type: "object", properties: { sum: { type: "number" } }, required: ["sum"] };
    outputs.know([
      { name: "sum", inputSchema: {}, outputSchema },
      { name: "free", inputSchema: {} },
    ]);
    expect(outputs.mismatch("sum", { content: [], structuredContent: { sum: 3 } })).toBeNull();
    expect(outputs.mismatch("sum", { content: [], structuredContent: { sum: "3" } })).toContain("promises");
    expect(outputs.mismatch("sum", { content: [] })).toContain("no structured content");
    expect(outputs.mismatch("sum", { content: [], isError: true })).toBeNull();
    expect(outputs.mismatch("free", { content: [] })).toBeNull();
  });
});

describe("a stream of events", () => {
  const text = async (chunks: readonly string[], id: number | null, max = 100) => {
    const bytes = (async function* () {
      for (const chunk of chunks) yield new TextEncoder().encode(chunk);
    })();
    const { body, ended } = eventsFrom(bytes, id, max);
    const all = await new Response(body).text();
    await ended;
    return all;
  };

  it.each([
    ["without an answer", ["data: a\n\n"], 7, true],
    ["with ids, which may be taken up again", ["id", ": 1\r\ndata: a\r\n\r\n"], 7, false],
    ["that speaks of ids", ["data: id: 1\n\n"], 7, true],
    ["of nobody's request", ["data: a\n\n"], null, false],
    ["with an event that is too long", ["id: 1\n\n", "x".repeat(101)], 7, true],
    ["with many events, none of them too long", ["x".repeat(60), "\n\n", "x".repeat(60), "\n\n"], null, false],
  ] as const)("%s", async (_, chunks, id, isAnswered) => {
    const all = await text(chunks, id);
    expect(all.includes('"id":7,"error"')).toBe(isAnswered);
    if (!isAnswered) expect(all).toBe(chunks.join(""));
  });
});
