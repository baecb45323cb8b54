import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { type CallToolResult, Server, type Tool } from "@modelcontextprotocol/server";
import { describe, expect, expectTypeOf, it } from "vitest";
import type { MessagesFor, ToolsFor } from "../../../src/formats/formats.ts";
import type { Gate } from "../../../src/wiring/gate.ts";
import { openScratchGate } from "../../support/scratch-gate.ts";

/** A server as small as it can be, and a client of it. */
async function openServer(gate: Gate): Promise<Client> {
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  const server = new Server({ name: "gate", version: "1.0.0" }, { capabilities: { tools: {} } });
  server.setRequestHandler("tools/list", () => ({ tools: gate.tools("mcp") }));
  server.setRequestHandler("tools/call", async (request) => {
    const [result] = await gate.answer("mcp", request);
    if (result === undefined) throw new Error("no result");
    return result;
  });
  await server.connect(serverSide);
  const client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(clientSide);
  return client;
}

describe("MCP's own package", () => {
  it("takes what we write, and what it gives is governed", async () => {
    await using scratch = openScratchGate();
    const client = await openServer(scratch.gate);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain("write_file");
    const write = { name: "write_file", arguments: { path: "a.txt", content: "x" } };
    expect(await client.callTool(write)).toMatchObject({ content: [{ type: "text" }] });
    expect(scratch.text("a.txt")).toBe("x");
    expect(await client.callTool({ name: "read_file", arguments: { path: "../b" } })).toMatchObject({
      isError: true,
      content: [{ type: "text", text: expect.stringContaining("Refused, nothing was run (DEFAULT_DENY)") }],
    });
    await client.close();
  });

  it("has types for what we write", () => {
    expectTypeOf<ToolsFor<"mcp">>().toExtend<Tool[]>();
    expectTypeOf<MessagesFor<"mcp">>().toExtend<CallToolResult[]>();
  });
});
