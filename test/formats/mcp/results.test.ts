import { expect, it } from "vitest";
import type { Outcome } from "../../../src/domain/outcome.ts";
import { mcpResults } from "../../../src/formats/mcp/results.ts";
import { answered } from "../read-as.ts";
import { completed, failed } from "../some-tools.ts";

it("results for MCP hold content as it is, what is structured, and a flag on what went wrong", () => {
  const outcome = {
    ...completed(
      { type: "text", text: "" },
      { type: "diff", path: "a", diff: "-a", newText: "" },
      { type: "image", mediaType: "image/svg+xml", data: "aGk=" },
      { type: "resource", uri: "u", mediaType: "text/plain", text: "t" },
      { type: "resource", uri: "b", blob: "aGk=" },
      { type: "resource", uri: "u", mediaType: "text/plain" },
      { type: "image", mediaType: "audio/wav", data: "aGk=" },
    ),
    structured: { n: 1 },
  } as Outcome;
  expect(mcpResults([answered(outcome), answered(failed())])).toEqual([
    {
      content: [
        { type: "text", text: "" },
        { type: "text", text: "-a" },
        { type: "image", data: "aGk=", mimeType: "image/svg+xml" },
        { type: "resource", resource: { uri: "u", mimeType: "text/plain", text: "t" } },
        { type: "resource", resource: { uri: "b", blob: "aGk=" } },
        { type: "resource_link", uri: "u", name: "u", mimeType: "text/plain" },
        { type: "audio", data: "aGk=", mimeType: "audio/wav" },
      ],
      structuredContent: { n: 1 },
    },
    {
      content: [
        { type: "text", text: "half of it" },
        { type: "text", text: expect.stringMatching(/^The tool ran and failed/) },
      ],
      isError: true,
    },
  ]);
});
