import { type Content, GoogleGenAI, type ToolListUnion } from "@google/genai";
import { describe, expectTypeOf, it } from "vitest";
import type { MessagesFor, ToolsFor } from "../../../src/formats/formats.ts";
import { expectGoverned, type Loop } from "../model-at-work.ts";

const loop: Loop = async (gate, baseUrl) => {
  const client = new GoogleGenAI({ apiKey: "k", httpOptions: { baseUrl } });
  const contents: Content[] = [{ role: "user", parts: [{ text: "work" }] }];
  while (true) {
    const reply = await client.models.generateContent({
      model: "m",
      contents,
      config: { tools: gate.tools("gemini") },
    });
    const content = reply.candidates?.[0]?.content;
    if (content === undefined) throw new Error("no candidate");
    contents.push(content);
    const results = await gate.answer("gemini", reply);
    if (results.length === 0) return content.parts?.map(({ text = "" }) => text).join("") ?? "";
    contents.push(...results);
  }
};

describe("Google's own package", () => {
  it("takes what we write, and what it gives is governed", async () => {
    await expectGoverned("gemini", loop);
  });

  it("has types for what we write", () => {
    expectTypeOf<ToolsFor<"gemini">>().toExtend<ToolListUnion>();
    expectTypeOf<MessagesFor<"gemini">>().toExtend<Content[]>();
  });
});
