import Anthropic from "@anthropic-ai/sdk";
import { describe, expect, expectTypeOf, it } from "vitest";
import type { MessagesFor, ToolsFor } from "../../../src/formats/formats.ts";
import { expectGoverned, type Loop } from "../model-at-work.ts";

const loop: Loop = async (gate, baseURL) => {
  const client = new Anthropic({ baseURL, apiKey: "k", maxRetries: 0 });
  const messages: Anthropic.MessageParam[] = [{ role: "user", content: "work" }];
  while (true) {
    const reply = await client.messages.create({ model: "m", max_tokens: 1, tools: gate.tools("anthropic"), messages });
    messages.push({ role: "assistant", content: reply.content });
    const results = await gate.answer("anthropic", reply);
    if (results.length === 0) return reply.content.map((block) => (block.type === "text" ? block.text : "")).join("");
    messages.push(...results);
  }
};

describe("Anthropic's own package", () => {
  it("takes what we write, and what it gives is governed", async () => {
    const requests = await expectGoverned("anthropic", loop);
    expect(JSON.stringify(requests.at(-1))).toContain('"is_error":true');
  });

  it("has types for what we write", () => {
    expectTypeOf<ToolsFor<"anthropic">>().toExtend<Anthropic.ToolUnion[]>();
    expectTypeOf<MessagesFor<"anthropic">>().toExtend<Anthropic.MessageParam[]>();
  });
});
