import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import { ListFilter } from "../../../src/tools/mcp/list-filter.ts";
import { compared, whyHeldBack } from "../../../src/tools/mcp/pinned.ts";
import { needs } from "../../support/parts.ts";
import { codeOf } from "../../support/scratch-gate.ts";
import { openUpstreamGate } from "../../support/upstream-gate.ts";

const OBJECT = { type: "object" };
const GOOD = { name: "good", description: "good", inputSchema: OBJECT };
const AT = { at: "2026-11-17T00:00:00.000Z", otherNames: [] };
const BAD = [
  { name: "no-schema", description: "bad" },
  { name: "odd-schema", inputSchema: "anything" },
  { name: "list-schema", inputSchema: { type: "array" } },
  { name: "odd-text", description: 1, inputSchema: OBJECT },
  { name: "promises", inputSchema: OBJECT, outputSchema: { type: "string" } },
  { name: "large", description: "x".repeat(70_000), inputSchema: OBJECT },
  { name: 7, inputSchema: OBJECT },
  "no object",
  null,
];

describe("what was pinned and comes malformed", () => {
  const { pins } = compared([GOOD], {}, AT);
  const malformed = [{ name: "good", because: "it has no input schema" }];
  const broken = compared([], pins, { ...AT, malformed });

  it("is held back with its pin, and told of once", () => {
    expect(broken.broken).toEqual({ good: "it has no input schema" });
    expect(broken.pins["good"]).toMatchObject({ definition: GOOD, digest: pins["good"]?.digest });
    expect(whyHeldBack(broken.pins["good"] ?? raise())).toContain("can't be used: it has no input schema");
    expect(compared([], broken.pins, { ...AT, malformed }).broken).toEqual({});
  });

  it("is what it was once it comes so again, and changed if it comes otherwise", () => {
    const again = compared([GOOD], broken.pins, AT);
    expect(again.restored).toEqual(["good"]);
    expect(whyHeldBack(again.pins["good"] ?? raise())).toBeNull();
    const other = compared([{ ...GOOD, description: "other" }], broken.pins, AT);
    expect(other.changed).toEqual(["good"]);
    expect(whyHeldBack(other.pins["good"] ?? raise())).toContain("no longer the one");
  });

  it("is held back beside a sound one of the same name", () => {
    const both = compared([GOOD], pins, { ...AT, malformed });
    expect(whyHeldBack(both.pins["good"] ?? raise())).toContain("can't be used");
  });

  it("leaves no mark where it was never pinned", () => {
    const first = compared([], {}, { ...AT, malformed });
    expect(first).toMatchObject({ pins: {}, broken: {}, added: [] });
  });
});

describe("what is malformed in a list", () => {
  const asked = async () => {
    const transport: Transport = { start: async () => {}, send: async () => {}, close: async () => {} };
    const filter = new ListFilter(transport, () => false);
    await transport.send({ jsonrpc: "2.0", id: 5, method: "tools/list" });
    const listed = (id: string | number, tools: unknown[]) => {
      const result = { tools };
      transport.onmessage?.({ jsonrpc: "2.0", id, result } as JSONRPCMessage);
      return result.tools;
    };
    return { filter, listed };
  };

  it.each([5, "5", "5.0"])("is left out of the answer to %j, which the SDK takes for one to 5", async (id) => {
    const { filter, listed } = await asked();
    const large = { ...GOOD, description: "x".repeat(70_000) };
    expect(listed(id, [GOOD, large])).toEqual([GOOD]);
    expect(filter.taken("tools")).toMatchObject([{ name: "good" }]);
  });

  it("is left as it is in an answer to something else", async () => {
    const { filter, listed } = await asked();
    expect(listed(6, [null])).toEqual([null]);
    expect(filter.taken("tools")).toEqual([]);
  });

  it("holds nobody up, however many there are", async () => {
    const { filter, listed } = await asked();
    expect(listed(5, new Array(1000).fill(null))).toEqual([]);
    expect(filter.taken("tools")).toHaveLength(1000);
    const more = await asked();
    expect(more.listed(5, new Array(200_000).fill(null))).toEqual([]);
    expect(() => more.filter.taken("tools")).toThrow("it offers more than 1000 tools");
    expect(more.filter.taken("tools")).toEqual([]);
  });
});

describe("a list of several pages", () => {
  /** Each page is asked for as the SDK does: while the last one has a cursor. */
  async function pages(of: (page: number) => readonly object[]) {
    const transport: Transport = { start: async () => {}, send: async () => {}, close: async () => {} };
    const filter = new ListFilter(transport, () => false);
    const kept: unknown[] = [];
    for (let page = 0; page < 64; page++) {
      await transport.send({ jsonrpc: "2.0", id: page, method: "tools/list" });
      const result: { tools: readonly unknown[]; nextCursor?: string } = { tools: of(page), nextCursor: "more" };
      transport.onmessage?.({ jsonrpc: "2.0", id: page, result } as unknown as JSONRPCMessage);
      kept.push(...result.tools);
      if (result.nextCursor === undefined) return { filter, asked: page + 1, kept: kept.length };
    }
    return { filter, asked: 64, kept: kept.length };
  }
  const page = (count: number, length: number) => (at: number) =>
    Array.from({ length: count }, (_, n) => ({ ...GOOD, name: `t${at}-${n}`, description: "x".repeat(length) }));

  it("has no end of tools, and is not asked on once there are too many", async () => {
    const { filter, asked, kept } = await pages(page(100, 1));
    expect([asked, kept]).toEqual([11, 1000]);
    expect(() => filter.taken("tools")).toThrow("it offers more than 1000 tools");
  });

  it("holds more than anybody would keep, and no more of it is kept", async () => {
    const { filter, asked } = await pages(page(10, 60_000));
    expect(asked).toBe(7);
    expect(() => filter.taken("tools")).toThrow("have more than 4194304 characters together");
  });

  it("is whole where it is just as long as it may be, each time anew", async () => {
    const { filter, kept } = await pages((at) => (at < 10 ? page(100, 1)(at) : []));
    expect(kept).toBe(1000);
    expect(filter.taken("tools")).toEqual([]);
    filter.forget();
    expect(filter.taken("tools")).toEqual([]);
  });
});

const raise = (): never => {
  throw new Error("no pin");
};

needs("bwrap", "node")("an upstream with malformed tools in its list", () => {
  it("keeps all others, and says of each why it is left out", async () => {
    await using scratch = openUpstreamGate({ extra: [...BAD, GOOD] });
    const { gate } = scratch;
    await gate.upstreams.ready();
    expect(gate.tools().map(({ name }) => name)).toContain("up_good");
    expect(codeOf(await gate.call({ tool: "up_echo", input: { text: "x" } }))).toBe("completed");
    expect(codeOf(await gate.call({ tool: "up_no-schema", input: {} }))).toBe("TOOL_UNKNOWN");
    const leftOut = Object.fromEntries(gate.upstreams.list()[0]?.leftOut.map((one) => [one.tool, one.because]) ?? []);
    expect(leftOut).toEqual({
      "no-schema": "it has no input schema",
      "odd-schema": "its input schema is no object",
      "list-schema": expect.stringContaining("type: object"),
      "odd-text": "its `description` is no text",
      promises: expect.stringContaining("its output schema"),
      large: expect.stringContaining("too large"),
      "(no name)": expect.any(String),
    });
    const [entry, ...more] = scratch.entries().filter(({ body }) => body["malformed"] !== undefined);
    expect(entry).toMatchObject({
      kind: "upstream.pinned",
      body: { upstream: "up", malformed: { large: expect.anything() } },
    });
    expect(more).toEqual([]);
  });

  it("does not forget what was pinned: it is changed, and can be neither called nor accepted", async () => {
    await using scratch = openUpstreamGate({ extra: [GOOD] });
    await scratch.gate.upstreams.ready();
    await scratch.gate.close();
    scratch.put("extra.json", JSON.stringify([{ ...GOOD, inputSchema: null }]));
    const second = scratch.again();
    const call = { tool: "up_good", input: {} };
    expect(codeOf(await second.call(call))).toBe("TOOL_CHANGED");
    const seen = () => second.upstreams.list()[0]?.tools.filter(({ name }) => name === "up_good") ?? [];
    expect(seen()[0]?.heldBack).toContain("can't be used: its input schema is no object");
    expect(await second.upstreams.accept("up", seen())).toEqual([]);
    expect(codeOf(await second.call({ tool: "up_echo", input: { text: "x" } }))).toBe("completed");
    const changed = scratch.entries().filter(({ kind }) => kind === "upstream.changed");
    expect(changed.map(({ body }) => body["malformed"])).toEqual([{ good: "its input schema is no object" }]);
    await second.close();
    // Nor does a gate that only knows what is pinned.
    expect(codeOf(await scratch.again().call(call))).toBe("TOOL_CHANGED");
    scratch.put("extra.json", JSON.stringify([GOOD]));
    const third = scratch.again();
    await third.upstreams.look("up");
    expect(third.upstreams.list()[0]?.tools.flatMap(({ heldBack }) => heldBack ?? [])).toEqual([]);
  });

  it("is out as a whole where it sends no list", async () => {
    await using scratch = openUpstreamGate();
    expect(codeOf(await scratch.gate.call({ tool: "up_sulk", input: {} }))).toBe("completed");
    await expect.poll(() => scratch.gate.upstreams.list()[0]?.health.last ?? "").toContain("can't be listed");
  });
});
