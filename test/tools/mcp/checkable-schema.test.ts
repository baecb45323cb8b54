import { expect, it } from "vitest";
import { compileSchema } from "../../../src/schema/compile-schema.ts";
import { checkableSchema } from "../../../src/tools/mcp/checkable-schema.ts";

it("a schema is checked without the words that nobody here knows, wherever they stand", () => {
  const schema = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: "x",
    type: "object",
    "x-mcp-header": "A",
    $defs: { a: { $anchor: "a", type: "string", minLength: 2 } },
    properties: { a: { $ref: "#/$defs/a" }, b: { anyOf: [{ type: "number", "x-y": 1 }, true] } },
    additionalProperties: false,
    required: ["a"],
  };
  const compiled = compileSchema(checkableSchema(schema));
  if ("problem" in compiled) throw new Error(compiled.problem.message);
  expect(compiled.check({ a: "ab", b: 1 })).toEqual([]);
  expect(compiled.check({ a: "a" })).toHaveLength(1);
  expect(compiled.check({ a: "ab", c: 1 })).toHaveLength(1);
  expect(compiled.check({})).toHaveLength(1);
});
