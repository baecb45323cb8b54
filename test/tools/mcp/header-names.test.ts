import { expect, it } from "vitest";
import { headerProblem } from "../../../src/tools/mcp/header-names.ts";

const asks = (name: string | number | null | object) => ({
  type: "object",
  properties: { a: { type: "string", "x-mcp-header": name } },
});

it.each([["Region"], ["x-a_b.c"], ["a".repeat(64)]])("a tool may ask for the header %j", (name) => {
  expect(headerProblem(asks(name) as never)).toBeNull();
});

it.each([["bad name"], ["a:b"], ["a\r\nb"], [""], ["ä"], ["a".repeat(65)], [1], [null], [{}]])(
  "%j is no header, and the message says where",
  (name) => {
    expect(headerProblem(asks(name) as never)).toBe("`x-mcp-header` at `/properties/a` is no name of a header");
  },
);

it("no two parameters share a header", () => {
  const twice = {
    properties: {
      a: { "x-mcp-header": "Region" },
      b: { properties: { c: { "x-mcp-header": "REGION" } } },
    },
  };
  expect(headerProblem(twice)).toBe(
    "`x-mcp-header` at `/properties/b/properties/c` names a header that another one names",
  );
});

it.each([[{}], [null], [{ properties: [] }], [{ properties: { a: true } }]])("%j asks for none", (schema) => {
  expect(headerProblem(schema as never)).toBeNull();
});
