import { Mistral } from "@mistralai/mistralai";
import type { ChatCompletionRequestMessage, Tool } from "@mistralai/mistralai/models/components";
import { describe, expectTypeOf, it } from "vitest";
import type { MessagesFor, ToolsFor } from "../../../src/formats/formats.ts";
import { expectGoverned, type Loop } from "../model-at-work.ts";

const loop: Loop = async (gate, serverURL) => {
  const client = new Mistral({ serverURL, apiKey: "k" });
  const messages: ChatCompletionRequestMessage[] = [{ role: "user", content: "work" }];
  while (true) {
    const reply = await client.chat.complete({ model: "m", tools: gate.tools("mistral"), messages });
    const message = reply.choices[0]?.message;
    if (message === undefined) throw new Error("no choice");
    messages.push({ ...message, role: "assistant" });
    const results = await gate.answer("mistral", reply);
    if (results.length === 0) return String(message.content);
    messages.push(...results);
  }
};

describe("Mistral's own package", () => {
  it("takes what we write, and what it gives is governed", async () => {
    await expectGoverned("mistral", loop);
  });

  it("has types for what we write", () => {
    expectTypeOf<ToolsFor<"mistral">>().toExtend<Tool[]>();
    expectTypeOf<MessagesFor<"mistral">>().toExtend<ChatCompletionRequestMessage[]>();
  });
});
