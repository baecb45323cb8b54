import { describe, expect, it } from "vitest";
import { FORMAT_NAMES, type FormatName } from "../../src/formats/formats.ts";
import { ResponseError } from "../../src/wiring/model-turns.ts";
import { RESPONSES, type WrittenCall } from "../formats/wire.ts";
import { actingTool } from "../support/acting-tool.ts";
import { ASK_ALL, openScratchGate } from "../support/scratch-gate.ts";

const call = (n: number, name: string, input: WrittenCall["input"]): WrittenCall => ({ id: `c${n}`, name, input });
const anthropic = (...calls: readonly WrittenCall[]) => RESPONSES.anthropic(calls);

/** A chat completion with these argument texts, all for `read_file`. */
const chat = (...texts: readonly string[]) => ({
  choices: [
    {
      message: {
        tool_calls: texts.map((text, n) => ({ id: `c${n}`, function: { name: "read_file", arguments: text } })),
      },
    },
  ],
});

describe("a model's turn", () => {
  it("runs conflicting calls in their order, and answers in the order of the calls", async () => {
    await using scratch = openScratchGate();
    const writes = Array.from({ length: 20 }, (_, n) =>
      call(n, "write_file", { path: n % 2 ? "a" : "./a", content: `${n}\n`, append: true }),
    );
    const [message] = await scratch.gate.answer("anthropic", anthropic(...writes));
    expect(scratch.text("a")).toBe(writes.map((_, n) => `${n}\n`).join(""));
    expect(message?.content.map(({ tool_use_id }) => tool_use_id)).toEqual(writes.map(({ id }) => id));
  });

  it("without a call has no answer", async () => {
    await using scratch = openScratchGate();
    for (const format of ["anthropic", "openai", "gemini", "mistral", "bedrock", "openai-responses"] as const)
      expect(await scratch.gate.answer(format, RESPONSES[format]([]))).toEqual([]);
  });

  it("goes on after a call that is none", async () => {
    await using scratch = openScratchGate();
    scratch.put("a", "text of a");
    const messages = await scratch.gate.answer(
      "openai",
      chat("{", '{"path":"a"}', '{"path":"a","path":"b"}', '{"__proto__":{},"path":"a"}', "[]", '{"path":null}'),
    );
    expect(messages.map(({ content }) => content.split("\n")[0])).toEqual([
      expect.stringContaining("(INVALID_ARGUMENTS): the arguments are not JSON: line 1, column 2"),
      "text of a",
      expect.stringContaining("stands twice"),
      expect.stringContaining("`__proto__` is not allowed"),
      expect.stringContaining("the arguments have to be an object"),
      expect.stringContaining("(INVALID_ARGUMENTS)"),
    ]);
    // What never became a call is in the ledger, too: an attempt that nobody knows of would be hidden.
    expect(
      scratch
        .rows()
        .map(({ state }) => state)
        .toSorted(),
    ).toEqual(["completed", "refused", "refused", "refused", "refused", "refused"]);
  });

  it("goes on after a call whose arguments are no text", async () => {
    await using scratch = openScratchGate();
    scratch.put("a", "text of a");
    const response = chat('{"path":"a"}', '{"path":"a"}');
    const [broken] = response.choices[0]?.message.tool_calls ?? [];
    Object.assign(broken?.function ?? {}, { arguments: { path: "a" } });
    expect(await scratch.gate.answer("openai", response)).toMatchObject([
      { tool_call_id: "c0", content: expect.stringContaining("have to be a text that holds JSON") },
      { tool_call_id: "c1", content: "text of a" },
    ]);
  });

  it.each(FORMAT_NAMES.filter((name) => name !== "mcp"))(
    "makes the first of two calls with one id, and answers both: %s",
    async (format) => {
      await using scratch = openScratchGate();
      const append = (content: string) => ({ path: "a", content, append: true });
      const calls = [
        call(1, "write_file", append("one")),
        call(1, "write_file", append("one")),
        call(1, "write_file", append("two")),
        call(2, "write_file", append("three")),
      ];
      const answer = JSON.stringify(await scratch.gate.answer(format, RESPONSES[format](calls)));
      expect(scratch.text("a")).toBe("onethree");
      expect(answer.match(/another call with the same id before this one/g)).toHaveLength(format === "a2a-acp" ? 4 : 2);
      expect(answer.match(/"c1"/g)).toHaveLength(3);
      expect(answer.match(/"c2"/g)).toHaveLength(1);
    },
  );

  it("takes null for absent where the function is strict: the gate sees no null", async () => {
    await using scratch = openScratchGate();
    scratch.put("a", "text");
    const [message] = await scratch.gate.answer("openai", chat('{"path":"a","offset":null,"limit":null}'));
    expect(message?.content).toBe("text");
    const [refused] = await scratch.gate.answer("mistral", chat('{"path":"a","offset":null}'));
    expect(refused?.content).toContain("(INVALID_ARGUMENTS)");
  });

  it("that is no response runs nothing, and says where it goes wrong", async () => {
    await using scratch = openScratchGate();
    const good = { type: "tool_use", id: "a", name: "write_file", input: { path: "a", content: "x" } };
    const answer = scratch.gate.answer("anthropic", { content: [good, { ...good, name: null }] });
    const error = await answer.then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(ResponseError);
    expect(error).toMatchObject({
      code: "RESPONSE_INVALID",
      format: "anthropic",
      at: "content[1].name",
      message: "this is no response of the format `anthropic`: `content[1].name` has to be a text and is missing",
    });
    expect(() => scratch.text("a")).toThrow();
  });

  it("is not cut short by an answer of an unknown format", async () => {
    await using scratch = openScratchGate();
    await expect(scratch.gate.answer("cohere" as FormatName, {})).rejects.toThrow(
      "`cohere` is none of the formats anthropic",
    );
    expect(() => scratch.gate.tools("__proto__" as FormatName)).toThrow("none of the formats");
  });

  it("waits for a person, or says that one is waited for", async () => {
    await using scratch = openScratchGate({ rules: ASK_ALL });
    const write = anthropic(call(1, "write_file", { path: "a", content: "x" }));
    const [message] = await scratch.gate.answer("anthropic", write, { whenAsked: "return" });
    expect(message?.content[0]).toMatchObject({
      is_error: true,
      content: [{ text: expect.stringMatching(/^Not run yet: a person has to approve this call first \(approval /) }],
    });
    expect(scratch.rows().map(({ state }) => state)).toEqual(["awaiting_approval"]);
  });

  it("can be cancelled, and made for somebody", async () => {
    await using scratch = openScratchGate();
    const read = anthropic(call(1, "read_file", { path: "a" }));
    const [message] = await scratch.gate.answer("anthropic", read, { signal: AbortSignal.abort(), actor: "agent:7" });
    expect(message?.content[0]).toMatchObject({
      is_error: true,
      content: [{ text: expect.stringContaining("CANCELLED") }],
    });
    expect(scratch.entries().map(({ actor }) => actor)).toContain("agent:7");
  });

  it("reaches a tool by the name that was offered only", async () => {
    await using scratch = openScratchGate();
    const { tool, ran } = actingTool(scratch.workspace, { name: "my.tool" });
    const gate = scratch.again({ tools: [tool] });
    const offered = gate.tools("anthropic").find(({ name }) => name.startsWith("my_tool_"))?.name ?? "";
    const [message] = await gate.answer("anthropic", anthropic(call(1, offered, {}), call(2, "my.tool", {})));
    expect(ran()).toBe(1);
    expect(message?.content.map(({ is_error = false }) => is_error)).toEqual([false, true]);
    expect(JSON.stringify(message)).toContain(`here the tool is called \`${offered}\``);
  });
});

describe("gate.tools", () => {
  it("gives definitions as they are, or for a provider", async () => {
    await using scratch = openScratchGate();
    expect(scratch.gate.tools()).toContainEqual(expect.objectContaining({ name: "read_file", source: "builtin" }));
    expect(scratch.gate.tools("openai")).toContainEqual(
      expect.objectContaining({
        type: "function",
        function: expect.objectContaining({ name: "read_file", strict: true }),
      }),
    );
    expect(scratch.gate.tools("anthropic").find(({ name }) => name === "read_file")?.description).toMatch(
      / \[READ-ONLY\]$/,
    );
  });
});
