// A small MCP server without a library. The gate starts it as an upstream in test/doors/contract.
import { createInterface } from "node:readline";

interface Params {
  readonly protocolVersion?: string;
  readonly name?: string;
  readonly arguments?: { readonly text?: string };
}

const inputSchema = { type: "object", properties: { text: { type: "string" } } };
const send = (message: object) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const answers: Readonly<Record<string, (params: Params) => object>> = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "up", version: "1" },
  }),
  "tools/list": () => ({
    tools: ["echo", "fail", "crash"].map((name) => ({ name, description: `does ${name}`, inputSchema })),
  }),
  "tools/call": ({ name, arguments: { text = "" } = {} }) => {
    if (name === "crash") process.exit(1);
    return { content: [{ type: "text", text: name === "fail" ? "it went wrong" : text }], isError: name === "fail" };
  },
};
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line) as { id?: number; method: string; params: Params };
  if (id === undefined) return;
  const answer = answers[method];
  send(answer ? { id, result: answer(params) } : { id, error: { code: -32601, message: "no such method" } });
});
