import { describe, expect, it } from "vitest";
import { objectSchema } from "../../../src/formats/schema/object-schema.ts";

describe("a schema for every provider", () => {
  it("has an object at its root, without a choice, and items in every array", () => {
    expect(
      objectSchema({
        $schema: "https://json-schema.org/draft/2020-12/schema",
        type: ["object", "null"],
        properties: {
          list: { type: "array" },
          pair: { type: "array", prefixItems: [{ type: ["array", "null"] }] },
          either: { anyOf: [{ type: "array" }, true] },
          enum: { enum: [{ type: "array" }] },
        },
        required: ["list", "unknown", 7],
        anyOf: [{ required: ["list"] }, { required: ["pair"] }],
        additionalProperties: false,
      }),
    ).toEqual({
      type: "object",
      description: '(anyOf: [{"required":["list"]},{"required":["pair"]}])',
      properties: {
        list: { type: "array", items: {} },
        pair: { type: "array", prefixItems: [{ type: ["array", "null"], items: {} }], items: {} },
        either: { anyOf: [{ type: "array", items: {} }, true] },
        enum: { enum: [{ type: "array" }] },
      },
      required: ["list"],
      additionalProperties: false,
    });
  });

  it("is a copy, in which a member called `__proto__` is a member", () => {
    const schema = JSON.parse('{"type":"object","properties":{"__proto__":{"type":"array"}}}');
    const copy = objectSchema(schema);
    expect(Object.keys(copy.properties)).toEqual(["__proto__"]);
    copy.properties["b"] = {};
    expect(Object.keys(schema.properties)).toEqual(["__proto__"]);
  });

  it("cuts what is too long to be told", () => {
    const { description } = objectSchema({ type: "object", description: "d", not: { const: "😀".repeat(500) } });
    expect(description).toMatch(/^d \(not: \{"const":"😀+\ufffd?…\)$/u);
    expect(String(description).length).toBeLessThan(220);
  });
});
