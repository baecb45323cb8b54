import { PassThrough } from "node:stream";
import { Client } from "@modelcontextprotocol/client";
import { expect, it } from "vitest";
import type { OutputChunk, SandboxEnd, SandboxedProgram } from "../../../src/ports/sandbox.ts";
import { ProgramTransport } from "../../../src/tools/mcp/program-transport.ts";

/** A program of before 2026-07-28, which says nothing to what comes before its handshake. */
function silentProgram(): SandboxedProgram {
  const out = new PassThrough({ objectMode: true });
  const { promise: ended, resolve } = Promise.withResolvers<SandboxEnd>();
  const answer = (line: string) => {
    const { id, method } = JSON.parse(line) as { readonly id?: unknown; readonly method: string };
    if (method !== "initialize") return;
    const result = { protocolVersion: "2024-11-05", capabilities: {}, serverInfo: { name: "old", version: "1" } };
    const bytes = Buffer.from(`${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`);
    out.write({ from: "stdout", bytes } satisfies OutputChunk);
  };
  const stop = () => {
    out.end();
    resolve({ kind: "stopped" } as unknown as SandboxEnd);
  };
  return {
    input: { write: async (lines) => answer(String(lines)), end: () => {} },
    output: [] as unknown as AsyncIterable<Uint8Array>,
    chunks: out,
    ended,
    stop,
  };
}

it("a program that says nothing when asked for its era is greeted as those of before", async () => {
  const versionNegotiation = { mode: "auto", probe: { timeoutMs: 20 } } as const;
  const client = new Client({ name: "test", version: "1" }, { capabilities: {}, versionNegotiation });
  await client.connect(new ProgramTransport(silentProgram(), 1024 * 1024));
  expect(client.getNegotiatedProtocolVersion()).toBe("2024-11-05");
  await client.close();
});

it("gives the event loop a turn after each message, and loses no progress that comes in one write with the answer", async () => {
  const program = silentProgram();
  const transport = new ProgramTransport(program, 1024 * 1024);
  const heard: unknown[] = [];
  transport.onmessage = (message) => void heard.push(message);
  const step = (progress: number) => ({
    jsonrpc: "2.0",
    method: "notifications/progress",
    params: { progressToken: 1, progress },
  });
  const messages = [...Array.from({ length: 1000 }, (_, at) => step(at)), { jsonrpc: "2.0", id: 1, result: {} }];
  await transport.start();
  const bytes = Buffer.from(messages.map((message) => `${JSON.stringify(message)}\n`).join(""));
  (program.chunks as unknown as PassThrough).write({ from: "stdout", bytes } satisfies OutputChunk);
  while (heard.length < messages.length) {
    const before = heard.length;
    await new Promise((resolve) => setImmediate(resolve));
    expect(heard.length - before).toBeLessThan(3);
  }
  expect(heard).toEqual(messages);
  await transport.close();
});
