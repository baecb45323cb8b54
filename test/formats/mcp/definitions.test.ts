import { describe, expect, it } from "vitest";
import { mcpDefinition } from "../../../src/formats/mcp/definitions.ts";
import { tool } from "../some-tools.ts";

const HARMLESS = {
  effects: { network: false, destructive: false, idempotent: true, filesystem: { write: false } },
} as const;
const WORST = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true };

describe("definitions for MCP", () => {
  it("keep any schema, with an object at its root", () => {
    const inputSchema = { anyOf: [{ required: ["a"] }], properties: { a: { type: "array" } } };
    expect(mcpDefinition({ name: "n", tool: tool("t", { inputSchema }) }).definition.inputSchema).toEqual({
      ...inputSchema,
      type: "object",
    });
  });

  it.each([
    ["nothing is said", tool("t"), WORST],
    ["anybody says that it is harmless", tool("t", { ...HARMLESS, trust: "user" }), WORST],
    [
      "the operator's vendor says it",
      tool("t", { ...HARMLESS, trust: "vendor" }),
      { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    ],
  ])("hint at what is believed: %s", (_, definition, annotations) => {
    expect(mcpDefinition({ name: "n", tool: definition }).definition.annotations).toEqual(annotations);
  });
});
