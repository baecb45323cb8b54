import { describe, expect, it } from "vitest";
import { shortly } from "../read-as.ts";

describe("calls of MCP", () => {
  it.each<[string, unknown, unknown]>([
    [
      "a request",
      { jsonrpc: "2.0", id: 7, method: "tools/call", params: { name: "t", arguments: { x: 1 } } },
      ['7 t {"x":1}'],
    ],
    ["its parameters alone", { name: "t" }, ["made1 t {}"]],
    ["another request", { method: "tools/list" }, "method: `method` has to be `tools/call` and is of the type string"],
    ["no parameters", { method: "tools/call" }, "params: `params` has to be an object and is missing"],
    ["no name", { arguments: {} }, "name: `name` has to be a text and is missing"],
  ])("%s", (_, request, found) => {
    expect(shortly("mcp", request)).toEqual(found);
  });
});
