import { expect, it } from "vitest";
import { bedrockResults } from "../../../src/formats/bedrock/results.ts";
import { answered } from "../read-as.ts";
import { completed, refused } from "../some-tools.ts";

it("results for Bedrock are one message, with bytes for images and a status", () => {
  const image = { type: "image", mediaType: "image/jpeg", data: "aGk=" } as const;
  const [message] = bedrockResults([answered(completed(image)), answered(refused())]);
  expect(message?.content.map(({ toolResult }) => toolResult.status)).toEqual(["success", "error"]);
  expect(message?.content[0]?.toolResult.content).toEqual([
    { image: { format: "jpeg", source: { bytes: Buffer.from("hi") } } },
  ]);
});
