import { type AcpWire, openAcpWire } from "./acp-pair.ts";

/** An agent without any SDK: says what it is told to, answers `initialize` and `session/new`, and echoes the rest to stderr. */
const RAW_AGENT = `
import { spawn } from "node:child_process";
import { connect } from "node:net";
import { createInterface } from "node:readline";
let server;
const say = (text) => process.stdout.write(text + "\\n");
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (method === "initialize") say(JSON.stringify({ jsonrpc: "2.0", id, result: { protocolVersion: 1 } }));
  else if (method === "session/new") (server = params.mcpServers[0]), say(JSON.stringify({ jsonrpc: "2.0", id, result: { sessionId: "s" } }));
  else if (method === "_say") for (const one of params.lines) say(typeof one === "string" ? one : JSON.stringify(one));
  else if (method === "_flood") { for (let n = 0; n < params.times; n++) say(JSON.stringify({ ...params.line, id: n })); }
  else if (method === "_long") process.stdout.write("x".repeat(params.bytes) + "\\n");
  else if (method === "_connect") {
    const child = spawn(server.command, server.args, { stdio: ["pipe", "pipe", "inherit"] });
    child.stdout.on("data", (data) => process.stderr.write("connected " + data));
    child.on("exit", () => process.stderr.write("connection over\\n"));
    const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "raw", version: "1" } };
    child.stdin.write(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params }) + "\\n");
  } else if (method === "_dial") {
    const socket = connect(params.path);
    socket.on("connect", () => process.stderr.write("dialled " + params.path + "\\n"));
    socket.on("error", (error) => process.stderr.write("not dialled " + error.code + "\\n"));
  } else if (method === "_deaf") Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  else if (method === "_die") process.exit(7);
  else process.stderr.write("heard " + line + "\\n");
}
`;

export async function openRaw(
  parts: Parameters<typeof openAcpWire>[0] = {},
): Promise<AcpWire & { readonly say: (message: unknown) => void }> {
  const wire = await openAcpWire({ ...parts, agent: { program: RAW_AGENT } });
  const say = (message: unknown) =>
    void wire.toDoor.write(`${typeof message === "string" ? message : JSON.stringify(message)}\n`);
  say({ jsonrpc: "2.0", id: "i", method: "initialize", params: { protocolVersion: 1 } });
  say({ jsonrpc: "2.0", id: "n", method: "session/new", params: { cwd: wire.scratch.workspace, mcpServers: [] } });
  await until(() => wire.sent.some((line) => line.includes('"sessionId":"s"')));
  return { ...wire, say };
}

export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 10));
}

export const says = (...lines: readonly unknown[]) => ({ jsonrpc: "2.0", method: "_say", params: { lines } });
export const PING = {
  jsonrpc: "2.0",
  method: "session/update",
  params: { sessionId: "s", update: { sessionUpdate: "ping" } },
};
export const pinged = (wire: AcpWire) => wire.sent.some((line) => line.includes('"ping"'));
