import type { ToolDefinition } from "../../src/domain/tool.ts";
import { Offer } from "../../src/formats/offer.ts";
import { readJson } from "../../src/schema/json/read-json.ts";
import type { Aim, Suite } from "../harness.ts";

const CALLS = 20_000;
const FORMATS = ["anthropic", "openai", "gemini"] as const;
const FLAT = { atMost: 1.5 };

const flat = (format: string): Aim => ({
  says: `${format}: 10,000 tools / 10 tools`,
  value: (usOf) => usOf(`${format}, 10,000 tools`) / usOf(`${format}, 10 tools`),
  unit: "ratio",
  bound: FLAT,
});

/** Finding the call in a model's response, and the tool that it means, costs the same however many tools there are. */
export const formats: Suite = {
  name: "formats",
  rounds: 60,
  warmUpRounds: 15,
  aims: FORMATS.map(flat),
  open: async () => ({
    cases: FORMATS.flatMap((format) =>
      [10, 10_000].map((tools) => {
        const turns = turnsOf(format, tools);
        const name = `${format}, ${tools.toLocaleString("en")} tools`;
        return { name, unitsPerRound: CALLS, round: () => turns(CALLS) };
      }),
    ),
  }),
};

/** Every other tool has a name that had to be changed. */
const definition = (n: number): ToolDefinition => ({
  name: n % 2 === 0 ? `server_tool_${n}` : `server.tool.${n}`,
  description: "Does something.",
  source: "function",
  containment: "process",
  inputSchema: {
    type: "object",
    properties: { path: { type: "string" }, limit: { type: "integer" } },
    required: ["path"],
    additionalProperties: false,
  },
  timeoutMs: 1000,
});

/** Responses with a call each: a few tools, so that what is measured is the map and not the memory. */
function turnsOf(format: (typeof FORMATS)[number], tools: number): (count: number) => void {
  const catalog = Array.from({ length: tools }, (_, n) => definition(n));
  const offer = new Offer(format, catalog);
  const names = [...JSON.stringify(offer.tools()).matchAll(/"name":"([^"]+)"/g)].map(([, name]) => name ?? "");
  const step = Math.floor(names.length / 10);
  const responses = Array.from({ length: 10 }, (_, n) => RESPONSES[format](names[n * step] ?? ""));
  const parts = { readJson, newId: () => "id" };
  return (count) => {
    for (let n = 0; n < count; n++) {
      const read = offer.read(responses[n % responses.length], parts);
      if (!read.ok) throw new Error(read.problem.message);
      for (const call of read.calls) if (offer.meant(call).kind !== "call") throw new Error("it means no tool");
    }
  };
}

const INPUT = { path: "a.txt", limit: null };

const RESPONSES: Readonly<Record<(typeof FORMATS)[number], (name: string) => unknown>> = {
  anthropic: (name) => ({ content: [{ type: "tool_use", id: "a", name, input: INPUT }] }),
  openai: (name) => ({
    choices: [{ message: { tool_calls: [{ id: "a", function: { name, arguments: JSON.stringify(INPUT) } }] } }],
  }),
  gemini: (name) => ({ candidates: [{ content: { parts: [{ functionCall: { name, args: INPUT } }] } }] }),
};
