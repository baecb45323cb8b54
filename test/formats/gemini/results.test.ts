import { expect, it } from "vitest";
import { geminiResults } from "../../../src/formats/gemini/results.ts";
import { answered } from "../read-as.ts";
import { completed, refused } from "../some-tools.ts";

it("results for Gemini are one turn, in order, with ids only where the calls have them", () => {
  const image = { type: "image", mediaType: "image/png", data: "aGk=" } as const;
  const answers = [
    answered(completed({ type: "text", text: "a" }, image, { type: "text", text: "b" })),
    answered(refused(), { id: "made", isIdGiven: false }),
  ];
  expect(geminiResults(answers)).toEqual([
    {
      role: "user",
      parts: [
        {
          functionResponse: {
            id: "c1",
            name: "t",
            response: { output: "a\nb" },
            parts: [{ inlineData: { mimeType: "image/png", data: "aGk=" } }],
          },
        },
        { functionResponse: { name: "t", response: { error: expect.stringMatching(/^Refused/) } } },
      ],
    },
  ]);
});
