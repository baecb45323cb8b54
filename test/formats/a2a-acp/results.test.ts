import { expect, it } from "vitest";
import { seedResults } from "../../../src/formats/a2a-acp/results.ts";
import { answered, shortly } from "../read-as.ts";
import { completed, failed, pending, refused, unknown } from "../some-tools.ts";

it("the seed's calls are read", () => {
  const call = { id: "call_123", toolId: "web_request", parameters: { method: "GET" } };
  expect(shortly("a2a-acp", { toolCalls: [call, { toolId: "t" }] })).toEqual([
    'call_123 web_request {"method":"GET"}',
    "made1 t {}",
  ]);
  expect(shortly("a2a-acp", { toolCalls: {} })).toContain("toolCalls: ");
});

it("results in the seed's way have `isError` beside their content, and the gate's code", () => {
  const results = seedResults([completed(), failed(), refused(), pending, unknown(true)].map((each) => answered(each)));
  expect(results.map(({ id, toolId, isError, error }) => [id, toolId, isError, error?.code, error?.retryable])).toEqual(
    [
      ["c1", "t", false, undefined, undefined],
      ["c1", "t", true, "TOOL_FAILED", false],
      ["c1", "t", true, "RULE_DENY", false],
      ["c1", "t", true, undefined, undefined],
      ["c1", "t", true, "OUTCOME_UNKNOWN", true],
    ],
  );
});
