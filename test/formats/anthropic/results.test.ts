import { expect, it } from "vitest";
import type { Outcome } from "../../../src/domain/outcome.ts";
import { anthropicResults } from "../../../src/formats/anthropic/results.ts";
import { answered } from "../read-as.ts";
import { completed, failed, refused } from "../some-tools.ts";

it("results for Anthropic are one message, with images as images and a flag on what went wrong", () => {
  const image = { type: "image", mediaType: "image/png", data: "aGk=" } as const;
  expect(
    anthropicResults([answered(completed({ type: "text", text: "a" }, image)), answered(refused(), { id: "c2" })]),
  ).toEqual([
    {
      role: "user",
      content: [
        {
          type: "tool_result",
          tool_use_id: "c1",
          content: [
            { type: "text", text: "a" },
            { type: "image", source: { type: "base64", media_type: "image/png", data: "aGk=" } },
          ],
        },
        {
          type: "tool_result",
          tool_use_id: "c2",
          is_error: true,
          content: [{ type: "text", text: expect.stringMatching(/^Refused/) }],
        },
      ],
    },
  ]);
});

it("an error holds nothing but text: the API refuses a request with an image in one", () => {
  const image = { type: "image", mediaType: "image/png", data: "aGk=" } as const;
  const [message] = anthropicResults([answered({ ...failed(), content: [image] } as Outcome)]);
  const [result] = message?.content ?? [];
  expect(result?.is_error).toBe(true);
  expect(result?.content.map(({ type }) => type)).toEqual(["text", "text"]);
  expect(JSON.stringify(result?.content)).toContain("[image, image/png, 2 bytes, can't be shown here]");
});
