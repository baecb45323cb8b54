import OpenAI from "openai";
import { describe, expectTypeOf, it } from "vitest";
import type { MessagesFor, ToolsFor } from "../../../src/formats/formats.ts";
import { expectGoverned, type Loop } from "../model-at-work.ts";

const loop: Loop = async (gate, baseURL) => {
  const client = new OpenAI({ baseURL, apiKey: "k", maxRetries: 0 });
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: "work" }];
  while (true) {
    const reply = await client.chat.completions.create({ model: "m", tools: gate.tools("openai"), messages });
    const message = reply.choices[0]?.message;
    if (message === undefined) throw new Error("no choice");
    messages.push(message);
    const results = await gate.answer("openai", reply);
    if (results.length === 0) return message.content ?? "";
    messages.push(...results);
  }
};

describe("OpenAI's own package, chat completions", () => {
  it("takes what we write, and what it gives is governed", async () => {
    await expectGoverned("openai", loop);
  });

  it("has types for what we write", () => {
    expectTypeOf<ToolsFor<"openai">>().toExtend<OpenAI.ChatCompletionTool[]>();
    expectTypeOf<MessagesFor<"openai">>().toExtend<OpenAI.ChatCompletionMessageParam[]>();
  });
});
