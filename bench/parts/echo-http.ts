// The same echo by HTTP, on the SDK's own handler. Prints its address.
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { createMcpHandler, fromJsonSchema, McpServer } from "@modelcontextprotocol/server";

const inputSchema = fromJsonSchema<{ text: string }>({
  type: "object",
  properties: { text: { type: "string" } },
  required: ["text"],
  additionalProperties: false,
});

const handler = createMcpHandler(() => {
  const server = new McpServer({ name: "echo", version: "1.0.0" });
  server.registerTool("echo", { description: "Gives back its text.", inputSchema }, ({ text }) => ({
    content: [{ type: "text", text }],
  }));
  return server;
});
const server = createAdaptorServer({ fetch: (request) => handler.fetch(request), overrideGlobalObjects: false });
server.listen(0, "127.0.0.1", () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp\n`);
});
