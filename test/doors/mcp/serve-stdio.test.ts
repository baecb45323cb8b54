import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { CODES } from "../../../src/domain/codes.ts";
import { OUTCOME_META } from "../../../src/doors/mcp/call-result.ts";
import { WIRE_ERRORS } from "../../../src/doors/mcp/wire-errors.ts";
import { defineTool } from "../../../src/tools/function/define-tool.ts";
import { connectClient, ERAS, textOf } from "../../support/mcp-client.ts";
import { ALLOW_ALL, ASK_ALL, openScratchGate } from "../../support/scratch-gate.ts";

const RUN_ANY = [...ALLOW_ALL, { id: "any", effect: "allow" as const, touch: { unknown: true as const } }];

describe.each(ERAS)("the MCP door on pipes, %s", (era) => {
  it("lists the tools with schemas, and hints that are computed", async () => {
    await using scratch = openScratchGate();
    await using connected = await connectClient(scratch.gate, { era });
    const { tools } = await connected.client.listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual(
      scratch.gate
        .tools()
        .map(({ name }) => name)
        .sort(),
    );
    const [read, write] = ["read_file", "write_file"].map((name) => tools.find((tool) => tool.name === name));
    expect(read?.annotations?.readOnlyHint).toBe(true);
    expect(write?.annotations?.readOnlyHint).toBe(false);
    expect(write?.inputSchema.required).toContain("content");
    expect(connected.client.getNegotiatedProtocolVersion()).toBe(era);
  });

  it("makes a governed call, with its receipt", async () => {
    await using scratch = openScratchGate();
    scratch.put("a.txt", "hello");
    await using connected = await connectClient(scratch.gate, { era });
    const result = await connected.client.callTool({ name: "read_file", arguments: { path: "a.txt" } });
    expect(result.isError).toBeUndefined();
    expect(textOf(result)).toContain("hello");
    const facts = result._meta?.[OUTCOME_META] as { callId: string; kind: string; receipt: { seq: number } };
    expect(facts.kind).toBe("completed");
    expect(scratch.entries(facts.callId).map(({ seq }) => seq)).toContain(facts.receipt.seq);
    expect(scratch.entries(facts.callId)[0]?.actor).toBe(scratch.gate.actor);
  });

  it("tells the model of a refusal, with the rule", async () => {
    await using scratch = openScratchGate({
      rules: [...ALLOW_ALL, { id: "no-secrets", effect: "deny", touch: { read: ["./secret/**"] } }],
    });
    scratch.put("secret/a.txt", "hidden words");
    await using connected = await connectClient(scratch.gate, { era });
    const result = await connected.client.callTool({ name: "read_file", arguments: { path: "secret/a.txt" } });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain("RULE_DENY, rule no-secrets");
    expect(JSON.stringify(result)).not.toContain("hidden words");
    expect(result._meta?.[OUTCOME_META]).toMatchObject({ kind: "refused", code: "RULE_DENY", ruleId: "no-secrets" });
  });

  it("tells what is wrong with arguments as a result, and of an unknown tool as an error", async () => {
    await using scratch = openScratchGate();
    await using connected = await connectClient(scratch.gate, { era });
    const result = await connected.client.callTool({ name: "read_file", arguments: { file: 1 } });
    expect(result).toMatchObject({ isError: true, _meta: { [OUTCOME_META]: { code: "INVALID_ARGUMENTS" } } });
    await expect(connected.client.callTool({ name: "read_fil", arguments: {} })).rejects.toMatchObject({
      code: -32_602,
      data: { code: "TOOL_UNKNOWN" },
    });
    expect(scratch.rows().map(({ state }) => state)).toEqual(["refused", "refused"]);
  });

  it("passes structured content on, and tells of progress that grows", async () => {
    const steps = defineTool({
      name: "steps",
      description: "says what it does",
      inputSchema: { type: "object" },
      execute: () => ({ content: [{ type: "text", text: "done" }], structured: { sum: 3 } }),
    });
    const slow = {
      ...steps,
      definition: { ...steps.definition, outputSchema: { type: "object", properties: { sum: { type: "number" } } } },
      run: async function* () {
        for (const done of [0, 50, 100]) yield { message: `step ${done}`, done, total: 100 };
        return { kind: "completed" as const, content: [], structured: { sum: 3 } };
      },
    };
    await using scratch = openScratchGate({ rules: RUN_ANY, tools: [slow] });
    await using connected = await connectClient(scratch.gate, { era });
    await connected.client.listTools();
    const heard: number[] = [];
    const result = await connected.client.callTool(
      { name: "steps", arguments: {} },
      { onprogress: ({ progress }) => heard.push(progress) },
    );
    expect(result.structuredContent).toEqual({ sum: 3 });
    expect(heard).toEqual([0, 50, 100]);
  });

  it("cancels the call with the request", async () => {
    const begun = Promise.withResolvers<AbortSignal>();
    const waits = defineTool({
      name: "waits",
      description: "waits",
      inputSchema: { type: "object" },
      execute: (_, signal) => {
        begun.resolve(signal);
        return new Promise<string>((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
      },
    });
    await using scratch = openScratchGate({ rules: RUN_ANY, tools: [waits] });
    await using connected = await connectClient(scratch.gate, { era });
    const stop = new AbortController();
    const call = connected.client.callTool({ name: "waits", arguments: {} }, { signal: stop.signal });
    const signal = await begun.promise;
    const stopped = new Promise((resolve) => signal.addEventListener("abort", resolve));
    stop.abort();
    await expect(call).rejects.toThrow();
    await stopped;
    await scratch.gate.close();
    expect(scratch.rows().map(({ state }) => state)).toEqual(["cancelled"]);
  });

  it("cancels what is open when the client goes away", async () => {
    const begun = Promise.withResolvers<void>();
    const waits = defineTool({
      name: "waits",
      description: "waits",
      inputSchema: { type: "object" },
      execute: (_, signal) => {
        begun.resolve();
        return new Promise<string>((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
      },
    });
    await using scratch = openScratchGate({ rules: RUN_ANY, tools: [waits] });
    const connected = await connectClient(scratch.gate, { era });
    const call = connected.client.callTool({ name: "waits", arguments: {} }).catch(() => "gone");
    await begun.promise;
    await connected[Symbol.asyncDispose]();
    expect(await call).toBe("gone");
    await scratch.gate.close();
    expect(scratch.rows().map(({ state }) => state)).toEqual(["cancelled"]);
  });
});

describe("the MCP door on pipes", () => {
  it("gives long lists in pages, and refuses a cursor of another list", async () => {
    const tools = Array.from({ length: 600 }, (_, n) =>
      defineTool({ name: `tool_${n}`, description: "one of many", inputSchema: { type: "object" }, execute: () => "" }),
    );
    await using scratch = openScratchGate({ tools });
    await using connected = await connectClient(scratch.gate);
    const { tools: all } = await connected.client.listTools();
    expect(all).toHaveLength(scratch.gate.tools().length);
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
    const { nextCursor = "" } = await connected.client.request({ method: "tools/list", params: {} });
    const cursors = ["", "x.250", nextCursor.replace("250", "251"), nextCursor.replace("250", "0")];
    for (const cursor of cursors)
      await expect(connected.client.listTools({ cursor })).rejects.toMatchObject({ code: -32_602 });
    expect((await connected.client.listTools({ cursor: nextCursor })).tools.length).toBeGreaterThan(0);
  });

  it("narrows the lease to the client's roots, and not where the workspace lies in one", async () => {
    await using scratch = openScratchGate();
    scratch.put("in/a.txt", "inside");
    scratch.put("b.txt", "outside");
    const root = pathToFileURL(`${scratch.workspace}/in`).href;
    await using narrow = await connectClient(scratch.gate, { era: "2025-11-25", roots: [root] });
    const read = (path: string) => ({ name: "read_file", arguments: { path } });
    expect(textOf(await narrow.client.callTool(read("in/a.txt")))).toContain("inside");
    expect(await narrow.client.callTool(read("b.txt"))).toMatchObject({
      isError: true,
      _meta: { [OUTCOME_META]: { code: "LEASE_SCOPE" } },
    });
    await using wide = await connectClient(scratch.gate, { era: "2025-11-25", roots: ["file:///"] });
    expect(textOf(await wide.client.callTool(read("b.txt")))).toContain("outside");
    await using foreign = await connectClient(scratch.gate, {
      era: "2025-11-25",
      roots: ["file://elsewhere.example/a"],
    });
    expect(await foreign.client.callTool(read("b.txt"))).toMatchObject({ isError: true });
  });

  it("says where it has a person to ask, and has no form to show", async () => {
    await using scratch = openScratchGate({ rules: ASK_ALL });
    scratch.put("a.txt", "hello");
    for (const [era, ask] of [
      ["2026-07-28", "client"],
      ["2025-11-25", "client"],
      ["2025-11-25", "desk"],
    ] as const) {
      const fills = () => ({ action: "accept" as const, content: { answer: "approve" } });
      await using connected = await connectClient(scratch.gate, { era, ask, ...(ask === "desk" && { fills }) });
      const heard = Promise.withResolvers<string>();
      const call = connected.client.callTool(
        { name: "read_file", arguments: { path: "a.txt" } },
        { onprogress: ({ message = "" }) => heard.resolve(message) },
      );
      const [, id = ""] = /toolgate approvals approve (\S+)/.exec(await heard.promise) ?? [];
      expect(await scratch.gate.approvals.answer(id, { kind: "approve", who: "ann" })).toMatchObject({
        kind: "recorded",
      });
      expect(textOf(await call)).toContain("hello");
    }
  });

  it("maps every code", () => {
    expect(Object.keys(WIRE_ERRORS).sort()).toEqual(Object.keys(CODES).sort());
  });
});
