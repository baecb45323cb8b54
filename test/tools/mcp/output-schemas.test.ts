import { expect, it } from "vitest";
import { OutputSchemas } from "../../../src/tools/mcp/output-schemas.ts";

it("compares a result with the output schema of its tool", () => {
  const outputs = new OutputSchemas();
  const outputSchema = { type: "object", properties: { sum: { type: "number" } }, required: ["sum"] };
  outputs.know([
    { name: "sum", inputSchema: {}, outputSchema },
    { name: "free", inputSchema: {} },
  ]);
  expect(outputs.mismatch("sum", { content: [], structuredContent: { sum: 3 } })).toBeNull();
  expect(outputs.mismatch("sum", { content: [], structuredContent: { sum: "3" } })).toContain("promises");
  expect(outputs.mismatch("sum", { content: [] })).toContain("no structured content");
  expect(outputs.mismatch("sum", { content: [], isError: true })).toBeNull();
  expect(outputs.mismatch("free", { content: [] })).toBeNull();
});
