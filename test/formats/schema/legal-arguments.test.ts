import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject, JsonValue } from "../../../src/domain/json.ts";
import { GEMINI_ARGUMENTS, legalArguments, MOST_ARGUMENTS } from "../../../src/formats/schema/legal-arguments.ts";

const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({ type: "object", properties, ...more });

describe("names of arguments", () => {
  it("stay where they are legal, and the schema is the same", () => {
    const schema = object({
      path: { type: "string" },
      "dry-run": {},
      list: { type: "array", items: object({ a: true }) },
    });
    expect(legalArguments(schema, MOST_ARGUMENTS)).toEqual({ schema, restore: null });
    expect(legalArguments(schema, MOST_ARGUMENTS).schema).toBe(schema);
  });

  it("are made legal, at every depth, and told", () => {
    const schema = object(
      {
        "@type": { type: "string" },
        list: { type: "array", items: object({ "a b": { description: "d" } }), description: "l" },
        "c d": true,
      },
      { required: ["@type", "list", "other"] },
    );
    const legal = legalArguments(schema, MOST_ARGUMENTS);
    const [type = "", , open = ""] = Object.keys(legal.schema["properties"] as JsonObject);
    expect([type, open]).toEqual([
      expect.stringMatching(/^_type_[0-9a-f]{8}$/),
      expect.stringMatching(/^c_d_[0-9a-f]{8}$/),
    ]);
    expect(legal.schema).toEqual(
      object(
        {
          [type]: { type: "string", description: "the tool calls it `@type`" },
          list: {
            type: "array",
            description: "l",
            items: object({ [inner(legal.schema)]: { description: "d (the tool calls it `a b`)" } }),
          },
          [open]: true,
        },
        { required: [type, "list", "other"] },
      ),
    );
    expect(legal.restore?.({ [type]: "x", list: [{ [inner(legal.schema)]: 1 }, 7], more: 2 })).toEqual({
      "@type": "x",
      list: [{ "a b": 1 }, 7],
      more: 2,
    });
    expect(legal.restore?.("no object")).toBe("no object");
  });

  it("given twice, under both names, keep both values", () => {
    const { schema, restore } = legalArguments(object({ "@type": {} }), MOST_ARGUMENTS);
    const [offered = ""] = Object.keys(schema["properties"] as JsonObject);
    expect(restore?.({ [offered]: 1, "@type": 2 })).toEqual({ [offered]: 1, "@type": 2 });
  });

  it.each([
    ["most", MOST_ARGUMENTS],
    ["gemini", GEMINI_ARGUMENTS],
  ])("come back as they were, whatever they are: %s", (_, rule) => {
    const members = fc.uniqueArray(fc.string({ unit: "binary", maxLength: 70 }), { maxLength: 8 });
    void fc.assert(
      fc.property(members, (own) => {
        const { schema, restore } = legalArguments(object(Object.fromEntries(own.map((name) => [name, {}]))), rule);
        const offered = Object.keys(schema["properties"] as JsonObject);
        expect(offered.every((name) => rule.legal.test(name))).toBe(true);
        const sent: JsonObject = Object.fromEntries(offered.map((name, n) => [name, n]));
        const back: JsonValue = restore?.(sent) ?? sent;
        expect(Object.keys(back as JsonObject).toSorted()).toEqual(own.toSorted());
      }),
    );
  });
});

const inner = (schema: JsonObject): string => {
  const { list } = schema["properties"] as { list: { items: { properties: JsonObject } } };
  return Object.keys(list.items.properties)[0] ?? "";
};
