import { expect, it } from "vitest";
import { responsesResults } from "../../../src/formats/openai-responses/results.ts";
import { answered } from "../read-as.ts";
import { completed } from "../some-tools.ts";

it("results for OpenAI's responses are texts, and lists where there is an image", () => {
  const image = { type: "image", mediaType: "image/png", data: "aGk=" } as const;
  expect(
    responsesResults([
      answered(completed({ type: "text", text: "a" })),
      answered(completed({ type: "text", text: "b" }, image)),
    ]),
  ).toEqual([
    { type: "function_call_output", call_id: "c1", output: "a" },
    {
      type: "function_call_output",
      call_id: "c1",
      output: [
        { type: "input_text", text: "b" },
        { type: "input_image", image_url: "data:image/png;base64,aGk=" },
      ],
    },
  ]);
});
