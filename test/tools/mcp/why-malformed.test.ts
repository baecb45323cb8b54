import { describe, expect, it } from "vitest";
import type { JsonValue } from "../../../src/domain/json.ts";
import { LIMITS } from "../../../src/domain/limits.ts";
import { nameIn, whyMalformed } from "../../../src/tools/mcp/why-malformed.ts";

const TOOL = { name: "a", inputSchema: { type: "object" } };
const roomFor = (length: number) => ({ ...TOOL, description: "x".repeat(length) });
const room = LIMITS.upstreamDefinitionBytes.default - JSON.stringify(roomFor(0)).length;

function deep(): JsonValue {
  const levels = 50_000;
  return JSON.parse(`${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`);
}

describe("what an upstream lists", () => {
  it.each<[string, JsonValue, string | null]>([
    ["a tool", TOOL, null],
    ["a tool with all there is", { ...TOOL, title: "A", description: "a", outputSchema: { type: "object" } }, null],
    ["a tool of just the size", roomFor(room), null],
    ["a tool that is larger", roomFor(room + 1), "too large"],
    ["a tool that is nested deep", { ...TOOL, annotations: deep() }, "nested too deep"],
    ["half a character", { ...TOOL, description: "a\ud800" }, "half a character"],
    ["half a character in a name", { ...TOOL, inputSchema: { type: "object", "\udc00": {} } }, "half a character"],
    ["a whole one", { ...TOOL, description: "😀" }, null],
    [
      "a number that is none",
      { ...TOOL, annotations: { title: "a", x: JSON.parse("1e999") } },
      "a number that is none",
    ],
    ["a text", "a", "it is no object"],
    ["nothing", null, "it is no object"],
    ["a list", [], "it is no object"],
    ["no name", { inputSchema: { type: "object" } }, "it has no `name`"],
    ["an empty name", { ...TOOL, name: "" }, "it has no `name`"],
    ["a number for a name", { ...TOOL, name: 1 }, "it has no `name`"],
    ["no schema", { name: "a" }, "it has no input schema"],
    ["a schema that is none", { ...TOOL, inputSchema: "object" }, "its input schema is no object"],
    ["a schema of a list", { ...TOOL, inputSchema: { type: "array" } }, "its input schema is not that of an object"],
    ["an output schema that is none", { ...TOOL, outputSchema: 1 }, "its output schema is no object"],
    ["a description that is none", { ...TOOL, description: 1 }, "its `description` is no text"],
    ["hints that are none", { ...TOOL, annotations: { readOnlyHint: "yes" } }, "not one that MCP has"],
  ])("%s", (_, item, why) => {
    const said = whyMalformed("tools", item);
    if (why === null) expect(said).toBeNull();
    else expect(said).toContain(why);
  });

  it.each([
    ["prompts", { name: "p" }, { name: "p", arguments: [{ name: 1 }] }],
    ["resources", { uri: "a://b", name: "b" }, { uri: "a://b" }],
    ["templates", { uriTemplate: "a://{b}", name: "b" }, { uriTemplate: "a://{b}" }],
  ] as const)("%s have a shape of their own", (kind, good, bad) => {
    expect(whyMalformed(kind, good)).toBeNull();
    expect(whyMalformed(kind, bad)).toContain("not one that MCP has");
    expect(nameIn(kind, good)).not.toBeNull();
    expect(nameIn(kind, {})).toBeNull();
  });
});
