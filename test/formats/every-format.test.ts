import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject, JsonValue } from "../../src/domain/json.ts";
import { FORMAT_NAMES } from "../../src/formats/formats.ts";
import { Offer } from "../../src/formats/offer.ts";
import type { ReadCall, ReadResponse } from "../../src/formats/read-calls.ts";
import { readJson } from "../../src/schema/json/read-json.ts";
import { EASY_NAMES, someValue } from "../schema/arbitrary-schema.ts";
import { expectGoodDefinitions } from "./good-definitions.ts";
import { completed, failed, pending, refused, tool, unknown } from "./some-tools.ts";
import { RESPONSES } from "./wire.ts";

let ids = 0;
const PARTS = { readJson, newId: () => `made_${++ids}` };

function callsIn(read: ReadResponse): readonly ReadCall[] {
  if (!read.ok) throw new Error(read.problem.message);
  return read.calls;
}

const someInput = someValue(EASY_NAMES)
  // Half a surrogate pair is refused wherever it is read, see `readJson`.
  .filter((value) => !/\\ud[89a-f]/.test(JSON.stringify(value)))
  .map((value): JsonObject => ({ value: JSON.parse(JSON.stringify(value)) as JsonValue }));

const BY_ID = { selector: ({ id }: { readonly id: string }) => id };

describe.each(FORMAT_NAMES)("the format %s", (format) => {
  it("writes definitions that are good by the provider's own rules, for any catalog", () => {
    expectGoodDefinitions(format, 60);
  });

  it("reads what it would write: the same id, tool and arguments", () => {
    const call = fc.record({ id: fc.stringMatching(/^[a-z0-9_]{1,12}$/), n: fc.nat(3), input: someInput });
    const count = format === "mcp" ? 1 : 4;
    const catalog = ["read_file", "reаd_file", "a.b", "x".repeat(99)].map((name) =>
      tool(name, { inputSchema: { type: "object", additionalProperties: true } }),
    );
    const offer = new Offer(format, catalog);
    const names = namesIn(offer.tools());
    void fc.assert(
      fc.property(
        fc.uniqueArray(call, { ...BY_ID, minLength: format === "mcp" ? 1 : 0, maxLength: count }),
        (calls) => {
          const response = RESPONSES[format](calls.map(({ id, n, input }) => ({ id, name: names[n] ?? "", input })));
          for (const given of [response, JSON.stringify(response)]) {
            const read = callsIn(offer.read(given, PARTS));
            expect(read.map(({ id }) => id)).toEqual(calls.map(({ id }) => id));
            expect(read.map((each) => offer.meant(each))).toEqual(
              calls.map(({ n, input }) => ({ kind: "call", tool: catalog[n]?.name, input })),
            );
          }
        },
      ),
    );
  });

  it.each([
    [null],
    [7],
    [[]],
    ["{"],
    ['{"a":1,"a":2}'],
    [{}],
    [{ content: "x", choices: 1, output: [1], candidates: {} }],
  ])("finds %j to be no response, and says where", (response) => {
    const read = new Offer(format, []).read(response, PARTS);
    expect(read).toMatchObject({ ok: false, problem: { format, at: expect.any(String), message: expect.any(String) } });
  });

  it("answers every call, whatever became of it", () => {
    const offer = new Offer(format, [tool("t")]);
    const [call] = callsIn(offer.read(RESPONSES[format]([{ id: "c1", name: "t", input: {} }]), PARTS));
    if (call === undefined) throw new Error("no call");
    for (const outcome of [completed(), failed(), refused(), pending, unknown(false)]) {
      const text = JSON.stringify(offer.results([{ call, outcome }]));
      const word = outcome.kind === "completed" ? "" : /fail|Refused|Not run|nobody knows/;
      expect(text).toMatch(word);
      if (format !== "mcp") expect(text).toContain('"c1"');
    }
    expect(offer.results([])).toEqual([]);
  });

  it("gives a new list each time", () => {
    const offer = new Offer(format, [tool("t")]);
    (offer.tools() as unknown[]).push("mine");
    expect(offer.tools()).toHaveLength(1);
  });
});

/** In the order of the catalog. */
function namesIn(tools: unknown): readonly string[] {
  return [...JSON.stringify(tools).matchAll(/"(?:name|id)":"([^"]*)"/g)].map(([, name]) => name ?? "");
}
