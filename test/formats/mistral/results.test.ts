import { expect, it } from "vitest";
import { mistralResults } from "../../../src/formats/mistral/results.ts";
import { answered } from "../read-as.ts";
import { completed } from "../some-tools.ts";

it("results for Mistral are spelt as the response was", () => {
  const outcome = completed({ type: "text", text: "a" });
  const answers = [answered(outcome, { spelling: "camelCase" }), answered(outcome, { spelling: "snake_case" })];
  expect(mistralResults(answers)).toEqual([
    { role: "tool", name: "t", content: "a", toolCallId: "c1" },
    { role: "tool", name: "t", content: "a", tool_call_id: "c1" },
  ]);
});
