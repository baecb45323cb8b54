import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { fromJsonSchema, McpServer } from "@modelcontextprotocol/server";

/** What an agent does without a gate: a call of a tool that does nothing, over MCP, within one process. */
export interface McpEcho {
  readonly call: () => Promise<unknown>;
  readonly close: () => Promise<void>;
}

const INPUT = fromJsonSchema<{ text: string }>({
  type: "object",
  properties: { text: { type: "string" } },
  required: ["text"],
  additionalProperties: false,
});

export async function openMcpEcho(): Promise<McpEcho> {
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  const server = new McpServer({ name: "echo", version: "1.0.0" });
  server.registerTool("echo", { description: "Gives back its text.", inputSchema: INPUT }, ({ text }) => ({
    content: [{ type: "text", text }],
  }));
  await server.connect(serverSide);
  const client = new Client({ name: "bench", version: "1.0.0" });
  await client.connect(clientSide);
  return {
    call: () => client.callTool({ name: "echo", arguments: { text: "hello" } }),
    close: () => client.close(),
  };
}
