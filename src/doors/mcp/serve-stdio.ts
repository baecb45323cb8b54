import type { Readable, Writable } from "node:stream";
import type { Server } from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Session } from "../../domain/lease.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { Gate } from "../../wiring/gate.ts";
import { ClientLines } from "./client-lines.ts";
import type { CallParts } from "./governed-call.ts";
import { mcpServer, tellOfChanges } from "./mcp-server.ts";
import { withOldCodes } from "./old-codes.ts";
import { OpenCalls } from "./open-calls.ts";

export interface StdioDoor {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly ask: CallParts["ask"];
  /** Who is asked in the client's place, beside the desk. Left out = nobody. */
  readonly askElsewhere?: CallParts["askElsewhere"];
  /** Whose lease binds every call. Left out: one of the connection. The client's roots narrow it. */
  readonly session?: Session;
  /** Told what a person should know; the wire is not for that. */
  readonly alarm: (message: string) => void;
}

const ALARM_MAX = 300;

/** Serves one client on a pair of pipes, until it closes its end or the signal says so. Its open calls end with it. */
export async function serveMcpStdio(gate: Gate, door: StdioDoor, signal: AbortSignal): Promise<void> {
  const lines = checkedLines(door);
  const transport = new StdioServerTransport(lines, door.stdout, { maxBufferSize: LIMITS.jsonBytes.default });
  const calls = new OpenCalls(() => "stdio");
  let isOld = false;
  withOldCodes(transport, () => isOld);
  const send = transport.send.bind(transport);
  transport.send = (message, ...rest) => {
    lines.sent(message);
    return send(message, ...rest);
  };
  const factory = ({ era }: { readonly era: CallParts["era"] }): Server => {
    isOld = era === "legacy";
    const { ask, askElsewhere, session } = door;
    const server = mcpServer({
      gate,
      era,
      calls,
      ask,
      askElsewhere,
      rootsBy: "connection",
      ...(session && { session }),
    });
    server.onclose = tellOfChanges(server, gate);
    return server;
  };
  const handle = serveStdio(factory, {
    transport,
    // Some are pages of JSON about one wrong line.
    onerror: ({ message }) => door.alarm(message.replace(/\s+/g, " ").slice(0, ALARM_MAX)),
  });
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const { onclose } = transport;
  transport.onclose = () => {
    onclose?.();
    resolve();
  };
  const stop = () => void handle.close().then(resolve, resolve);
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  await closed;
  signal.removeEventListener("abort", stop);
  door.stdin.unpipe(lines);
  lines.destroy();
  calls.withdrawAll();
}

function checkedLines({ stdin, stdout }: StdioDoor): ClientLines {
  const lines = new ClientLines(stdout);
  // What a client writes after the SDK has closed has no reader.
  lines.on("error", () => {});
  stdin.once("error", (error) => lines.destroy(error));
  stdin.once("close", () => {
    if (!stdin.readableEnded) lines.destroy(); // after its end, the SDK still reads the last lines
  });
  if (stdin.readableEnded || stdin.destroyed) lines.destroy();
  else stdin.pipe(lines);
  return lines;
}
