import OpenAI from "openai";
import { describe, expectTypeOf, it } from "vitest";
import type { MessagesFor, ToolsFor } from "../../../src/formats/formats.ts";
import { expectGoverned, type Loop } from "../model-at-work.ts";

const loop: Loop = async (gate, baseURL) => {
  const client = new OpenAI({ baseURL, apiKey: "k", maxRetries: 0 });
  const input: OpenAI.Responses.ResponseInputItem[] = [{ role: "user", content: "work" }];
  while (true) {
    const reply = await client.responses.create({ model: "m", tools: gate.tools("openai-responses"), input });
    input.push(...(reply.output as OpenAI.Responses.ResponseInput));
    const results = await gate.answer("openai-responses", reply);
    if (results.length === 0) return reply.output_text;
    input.push(...results);
  }
};

describe("OpenAI's own package, responses", () => {
  it("takes what we write, and what it gives is governed", async () => {
    await expectGoverned("openai-responses", loop);
  });

  it("has types for what we write", () => {
    expectTypeOf<ToolsFor<"openai-responses">>().toExtend<OpenAI.Responses.Tool[]>();
    expectTypeOf<MessagesFor<"openai-responses">>().toExtend<OpenAI.Responses.ResponseInputItem[]>();
  });
});
