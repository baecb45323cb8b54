import { describe, expect, it } from "vitest";
import { openAiDefinition } from "../../../src/formats/openai/definitions.ts";
import { responsesDefinition } from "../../../src/formats/openai-responses/definitions.ts";
import { tool } from "../some-tools.ts";

const strict = tool("t", {
  inputSchema: { type: "object", properties: { a: { type: "string" } }, additionalProperties: false },
});
const free = tool("t", { inputSchema: { type: "object", additionalProperties: { type: "string" } } });

describe("definitions for OpenAI", () => {
  it("are strict where there is a strict form", () => {
    expect(openAiDefinition({ name: "n", tool: strict }).definition).toEqual({
      type: "function",
      function: {
        name: "n",
        description: "Does t.",
        strict: true,
        parameters: {
          type: "object",
          properties: { a: { type: ["string", "null"] } },
          required: ["a"],
          additionalProperties: false,
        },
      },
    });
  });

  it("are not strict elsewhere, and nothing is restored then", () => {
    const { definition, restore } = responsesDefinition({ name: "n", tool: free });
    expect(definition).toEqual({
      type: "function",
      name: "n",
      description: "Does t.",
      strict: false,
      parameters: { type: "object", properties: {}, additionalProperties: { type: "string" } },
    });
    expect(restore).toBe(null);
  });
});
