import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { serveMcpStdio } from "../../../src/doors/mcp/serve-stdio.ts";
import { defineTool } from "../../../src/tools/function/define-tool.ts";
import { call, ENVELOPE } from "../../support/mcp-lines.ts";
import { ALLOW_ALL, openScratchGate, type ScratchGate } from "../../support/scratch-gate.ts";

/*
 * The same lines to two servers: one that has never seen the client, whose SDK answers, and one that knows it. Whatever is
 * odd about a line, both say the same and write the same into the ledger.
 */

const RULES = [...ALLOW_ALL, { id: "any", effect: "allow" as const, touch: { unknown: true as const } }];

const echo = defineTool({
  name: "echo",
  description: "says what it hears",
  inputSchema: { type: "object" },
  touches: () => [{ kind: "unknown", reason: "nobody says" }],
  execute: async (input) => JSON.stringify(input),
});

/** As texts: what is odd about them would not outlive being written by `JSON.stringify`. */
interface Odd {
  readonly id?: string;
  readonly method?: string;
  readonly name?: string;
  readonly input?: string;
  readonly meta?: string;
  readonly more?: string;
  readonly around?: readonly [string, string];
}

const ODD: readonly Odd[] = [
  ...["-0", "1.0", "1e2", "9007199254740991", '"7"', '""', '"__proto__"', '" \\u0000"'].map((id) => ({ id })),
  ...['"ech\\u006f"', '"read_file"', '""', '"Echo"', '"toString"', "1", "null"].map((name) => ({ name })),
  ...[
    "{}",
    "null",
    "[]",
    '"x"',
    '{"__proto__":{"a":1}}',
    '{"a":{"__proto__":1}}',
    '{"constructor":1,"toJSON":2,"":3}',
    '{"a":1,"a":2}',
    '{"a":"\\ud800"}',
    '{"a":1e400}',
    '{"a":12345678901234567890,"b":-0}',
  ].map((input) => ({ input })),
  { meta: '{"x":1}' },
  ...[',"name":"read_file"', ',"arguments":{"b":1}', ',"inputResponses":{}'].map((more) => ({ more })),
  { method: '"tools\\/call"' },
  { around: [" \t", " \r"] },
  { around: ["", "\r"] },
];

function lineOf(
  { id = "5", method = '"tools/call"', name = '"echo"', input, meta, more = "", around }: Odd,
  own: string,
) {
  const said = [
    `"name":${name}`,
    ...(input === undefined ? [] : [`"arguments":${input}`]),
    ...(meta === undefined ? (own === "" ? [] : [`"_meta":${own}`]) : [`"_meta":${meta}`]),
  ];
  const text = `{"jsonrpc":"2.0","id":${id},"method":${method},"params":{${said.join()}${more}}}`;
  return `${around?.[0] ?? ""}${text}${around?.[1] ?? ""}\n`;
}

function openRaw(scratch: ScratchGate) {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const stop = new AbortController();
  const served = serveMcpStdio(scratch.gate, { stdin, stdout, ask: "desk", alarm: () => {} }, stop.signal);
  const lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
  return {
    say: (line: string) => stdin.write(line),
    ask: async (line: string): Promise<unknown> => {
      stdin.write(line);
      return JSON.parse((await lines.next()).value as string);
    },
    [Symbol.asyncDispose]: async () => {
      stop.abort();
      await served;
    },
  };
}

const textOf = (message: object) => `${JSON.stringify(message)}\n`;

/** Without what differs from call to call. */
const alike = (message: unknown): unknown =>
  JSON.parse(JSON.stringify(message), (name, value) => {
    if (name === "callId" || name === "durationMs" || name === "receipt") return typeof value;
    return typeof value === "string" ? value.replaceAll(/call_[0-9a-f]+/g, "call") : value;
  });

/** What the ledger tells of the last call. */
function lastOf(scratch: ScratchGate) {
  const entries = scratch.entries();
  const id = entries.at(-1)?.callId;
  return entries
    .filter(({ callId }) => callId === id)
    .map(({ kind, body }) => [kind, body["inputDigest"], body["code"]]);
}

describe.each([
  ["2026-07-28", JSON.stringify(ENVELOPE)],
  ["2025-11-25", ""],
])("a client of %s", (version, own) => {
  async function openFor(scratch: ScratchGate) {
    const raw = openRaw(scratch);
    // Something else than a call: which era it is of is settled, and no more.
    const params = { protocolVersion: version, capabilities: {}, clientInfo: { name: "a", version: "1" } };
    if (own !== "") await raw.ask(textOf({ jsonrpc: "2.0", id: 0, method: "tools/list", params: { _meta: ENVELOPE } }));
    else {
      await raw.ask(textOf({ jsonrpc: "2.0", id: 0, method: "initialize", params }));
      raw.say(textOf({ jsonrpc: "2.0", method: "notifications/initialized" }));
    }
    return raw;
  }

  it("hears the same of an odd call, whether it is known or not", async () => {
    await using scratch = openScratchGate({
      rules: RULES,
      tools: [echo],
      config: { ledger: { durability: "normal" } },
    });
    await using known = await openFor(scratch);
    const meta = own === "" ? {} : { _meta: ENVELOPE };
    await known.ask(textOf(call(1, "echo", {}, meta)));
    for (const odd of ODD) {
      const line = lineOf(odd, own);
      await turn(); // what comes sooner follows the last one to the SDK
      const quick = { answer: alike(await known.ask(line)), ledger: lastOf(scratch) };
      await using fresh = await openFor(scratch);
      const slow = { answer: alike(await fresh.ask(line)), ledger: lastOf(scratch) };
      expect({ line, ...quick }).toEqual({ line, ...slow });
    }
  });
});
