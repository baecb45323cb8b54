import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";
import type { JsonObject } from "../../src/domain/json.ts";
import { serveMcpStdio } from "../../src/doors/mcp/serve-stdio.ts";
import type { ScratchGate } from "./scratch-gate.ts";

/** What a client of 2026-07-28 says of itself. */
export const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "a", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": { elicitation: {} },
};

/** A `tools/call`, as it goes over the wire. */
export const call = (id: unknown, name: string, input: JsonObject, more: JsonObject = {}) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name, arguments: input, ...more },
});

/** A client that says what it likes, line by line. */
export function openLines(scratch: ScratchGate) {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const stop = new AbortController();
  const served = serveMcpStdio(scratch.gate, { stdin, stdout, ask: "client", alarm: () => {} }, stop.signal);
  const lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
  const next = async () => JSON.parse((await lines.next()).value as string);
  return {
    stdin,
    served,
    next,
    say: (...messages: readonly object[]) => stdin.write(messages.map((one) => `${JSON.stringify(one)}\n`).join("")),
    ask: async (message: object) => {
      stdin.write(`${JSON.stringify(message)}\n`);
      return await next();
    },
    stop: () => stop.abort(),
    [Symbol.asyncDispose]: async () => {
      stop.abort();
      await served;
    },
  };
}
