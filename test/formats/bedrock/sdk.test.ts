import { BedrockRuntimeClient, ConverseCommand, type Message, type Tool } from "@aws-sdk/client-bedrock-runtime";
import { describe, expect, expectTypeOf, it } from "vitest";
import type { MessagesFor, ToolsFor } from "../../../src/formats/formats.ts";
import { expectGoverned, type Loop } from "../model-at-work.ts";

const loop: Loop = async (gate, endpoint) => {
  const client = new BedrockRuntimeClient({
    endpoint,
    region: "eu-central-1",
    credentials: { accessKeyId: "k", secretAccessKey: "s" },
    maxAttempts: 1,
  });
  const messages: Message[] = [{ role: "user", content: [{ text: "work" }] }];
  while (true) {
    const toolConfig = { tools: gate.tools("bedrock") };
    const reply = await client.send(new ConverseCommand({ modelId: "m", messages, toolConfig }));
    const message = reply.output?.message;
    if (message === undefined) throw new Error("no message");
    messages.push(message);
    const results = await gate.answer("bedrock", reply);
    if (results.length === 0) return message.content?.map(({ text = "" }) => text).join("") ?? "";
    messages.push(...results);
  }
};

describe("Amazon's own package for Bedrock", () => {
  it("takes what we write, and what it gives is governed", async () => {
    const requests = await expectGoverned("bedrock", loop);
    expect(JSON.stringify(requests.at(-1))).toContain('"status":"error"');
  });

  it("has types for what we write", () => {
    expectTypeOf<ToolsFor<"bedrock">>().toExtend<Tool[]>();
    expectTypeOf<MessagesFor<"bedrock">>().toExtend<Message[]>();
  });
});
