import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../src/domain/json.ts";
import { LegacyDoor } from "../../../src/doors/legacy/legacy-door.ts";
import { defineTool } from "../../../src/tools/function/define-tool.ts";
import { actingTool } from "../../support/acting-tool.ts";
import { ALLOW_ALL, ASK_ALL, type GateParts, openScratchGate } from "../../support/scratch-gate.ts";

const lineOf = (message: unknown): Buffer => Buffer.from(JSON.stringify(message));

const open = (parts: GateParts = {}) => {
  const scratch = openScratchGate(parts);
  const sent: JsonObject[] = [];
  const used: JsonObject[] = [];
  const door = new LegacyDoor({
    gate: scratch.gate,
    send: (message) => sent.push(message),
    used: (event) => used.push(event),
    signal: new AbortController().signal,
  });
  const say = async (message: unknown) => {
    door.take(typeof message === "string" || message instanceof Buffer ? Buffer.from(message) : lineOf(message));
    await door.idle();
    return sent.at(-1);
  };
  return { scratch, door, sent, used, say };
};

const use = (toolName: string, input: object, more: object = { id: 7 }) => ({
  jsonrpc: "2.0",
  method: "tools/use",
  params: { sessionId: "sess_123", toolCallId: "call_001", toolName, input },
  ...more,
});

describe("the tool system of the Zed seed", () => {
  it("gives definitions in its capabilities and by tools/list", async () => {
    const { scratch, say } = open();
    await using _ = scratch;
    const hello = await say({ jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: "2024-11-05" } });
    expect(hello).toMatchObject({
      id: 1,
      result: { protocolVersion: "2024-11-05", capabilities: { tools: { definitions: expect.any(Array) } } },
    });
    const { result } = (await say({ jsonrpc: "2.0", id: 2, method: "tools/list" })) as {
      result: { tools: { name: string }[] };
    };
    const names = ["read_file", "write_file", "list_directory", "search_files", "edit_file"];
    expect(result.tools.map(({ name }) => name)).toEqual(expect.arrayContaining(names));
  });

  it("takes no line that is no UTF-8: what it would name, nobody has written", async () => {
    const { scratch, door, sent, say } = open();
    await using _ = scratch;
    scratch.put("a\ufffd.txt", "another file");
    const [before = "", after = ""] = JSON.stringify(use("read_file", { path: "a|.txt" })).split("|");
    await say(Buffer.concat([Buffer.from(before), Buffer.from([0xff]), Buffer.from(after)]));
    expect(sent).toMatchObject([{ id: null, error: { code: -32_700, message: expect.stringContaining("not UTF-8") } }]);
    door.take(null);
    await door.idle();
    expect(sent.at(-1)).toMatchObject({ id: null, error: { code: -32_700, message: "the line is too long" } });
  });

  it("answers a use with an id, and sends a result for one without", async () => {
    const { scratch, say, used } = open();
    await using _ = scratch;
    scratch.put("package.json", "{}");
    const told = {
      sessionId: "sess_123",
      toolCallId: "call_001",
      content: [{ type: "text", text: "{}" }],
      isError: false,
    };
    expect(await say(use("read_file", { path: "package.json" }))).toEqual({ jsonrpc: "2.0", id: 7, result: told });
    expect(await say(use("read_file", { path: "package.json" }, {}))).toEqual({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/result",
      params: told,
    });
    expect(used).toEqual([
      { event: "tool_used", tool: "read_file", duration_ms: expect.any(Number), success: true },
      { event: "tool_used", tool: "read_file", duration_ms: expect.any(Number), success: true },
    ]);
  });

  it("has the seed's words and result types", async () => {
    const picture = defineTool({
      name: "picture",
      description: "draws",
      inputSchema: { type: "object" },
      touches: () => [{ kind: "tool", name: "picture", definitionDigest: "" as never }],
      execute: () => ({ content: [{ type: "image", mediaType: "image/png", data: "aGk=" }] }),
    });
    const { scratch, say } = open({
      tools: [picture],
      rules: [...ALLOW_ALL, { id: "picture", effect: "allow", touch: { tool: ["picture"] } }],
    });
    await using _ = scratch;
    expect(JSON.stringify(await say(use("write_file", { path: "a.txt", content: "old\n" })))).toContain(
      "File written successfully to a.txt (4 bytes)",
    );
    const edits = [{ type: "replace", oldText: "old", newText: "new" }];
    expect(await say(use("edit_file", { path: "a.txt", edits }))).toMatchObject({
      result: {
        content: [
          { type: "diff", path: "a.txt", diff: expect.stringContaining("+new") },
          { type: "text", text: expect.stringContaining("a.txt") },
        ],
      },
    });
    expect(await say(use("picture", {}))).toMatchObject({
      result: { content: [{ type: "image", source: { type: "base64", mediaType: "image/png", data: "aGk=" } }] },
    });
    expect(await say(use("list_directory", { path: "." }))).toMatchObject({ result: { isError: false } });
  });

  it.each([
    ["an unknown tool", use("read_fil", {}), -32_601],
    ["bad arguments", use("read_file", {}), -32_602],
    ["what no rule allows", use("read_file", { path: "/etc/passwd" }), -32_600],
    ["no tool", { jsonrpc: "2.0", id: 1, method: "tools/use", params: {} }, -32_602],
    ["an unknown method", { jsonrpc: "2.0", id: 1, method: "tools/eat" }, -32_601],
    ["no method", { jsonrpc: "2.0", id: 1 }, -32_600],
    ["no message", [], -32_600],
    ["no JSON", "{", -32_700],
    ["a name twice", '{"method": "a", "method": "b"}', -32_700],
  ])("refuses %s", async (_name, message, code) => {
    const { scratch, say } = open();
    await using _ = scratch;
    expect(await say(message)).toMatchObject({ error: { code } });
  });

  it("tells of a refusal by a result where there is no id, and of nothing by nothing", async () => {
    const { scratch, sent, say } = open();
    await using _ = scratch;
    expect(await say(use("read_file", { path: "/etc/passwd" }, {}))).toMatchObject({
      method: "tools/result",
      params: { isError: true, content: [{ type: "text", text: expect.stringContaining("DEFAULT_DENY") }] },
    });
    expect(await say({ jsonrpc: "2.0", method: "tools/use", params: { toolCallId: "call_002" } })).toMatchObject({
      method: "tools/result",
      params: {
        toolCallId: "call_002",
        isError: true,
        content: [{ type: "text", text: "Error: `toolName` is missing" }],
      },
    });
    await say({ jsonrpc: "2.0", method: "initialized" });
    await say({ jsonrpc: "2.0", id: 1, result: {} });
    expect(sent).toHaveLength(2);
  });
});

describe("a client that closes its end", () => {
  const asks = JSON.stringify(use("write_file", { path: "a.txt", content: "x" }));

  it("takes back what is asked about, and what comes to be asked about after", async () => {
    const { scratch, door, sent } = open({ rules: ASK_ALL });
    await using _ = scratch;
    door.take(Buffer.from(asks));
    await expect.poll(() => scratch.gate.approvals.list()).toHaveLength(1);
    door.take(Buffer.from(asks));
    await door.end();
    expect(sent.map((message) => JSON.stringify(message))).toEqual([
      expect.stringContaining("CANCELLED"),
      expect.stringContaining("CANCELLED"),
    ]);
    expect(scratch.rows().map(({ state }) => state)).toEqual(["cancelled", "cancelled"]);
  });

  it("is still told of what ends soon", async () => {
    const { scratch, door, sent } = open();
    await using _ = scratch;
    scratch.put("a.txt", "hello");
    door.take(lineOf(use("read_file", { path: "a.txt" })));
    await door.end();
    expect(sent).toMatchObject([{ id: 7, result: { content: [{ type: "text", text: "hello" }] } }]);
  });

  it("is told of what was asked about, approved, and ends soon", async () => {
    const started = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<string>();
    const act = (_input: JsonObject, signal: AbortSignal) => {
      signal.addEventListener("abort", () => goOn.reject(signal.reason), { once: true });
      started.resolve();
      return goOn.promise;
    };
    const tools: GateParts["tools"] = ({ workspace }) => [actingTool(workspace, { act }).tool];
    const { scratch, door, sent } = open({ tools, rules: ASK_ALL });
    await using _ = scratch;
    door.take(lineOf(use("act", {})));
    await expect.poll(() => scratch.gate.approvals.list()).toHaveLength(1);
    const [question] = await scratch.gate.approvals.list();
    await scratch.gate.approvals.answer(question?.approvalId ?? "", { kind: "approve", who: "ann" });
    await started.promise;
    const ended = door.end();
    goOn.resolve("done");
    await ended;
    expect(sent).toMatchObject([{ id: 7, result: { content: [{ type: "text", text: "done" }] } }]);
  });

  it("takes back what runs on and on", async () => {
    const started = Promise.withResolvers<void>();
    const act = (_input: JsonObject, signal: AbortSignal) =>
      new Promise<string>((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason), { once: true });
        started.resolve();
      });
    const { scratch, door, used } = open({ tools: ({ workspace }) => [actingTool(workspace, { act }).tool] });
    await using _ = scratch;
    door.take(lineOf(use("act", {})));
    await started.promise;
    await door.end(0);
    expect(used).toMatchObject([{ tool: "act", success: false }]);
    expect(scratch.rows().map(({ state }) => state)).not.toContain("completed");
  });
});
