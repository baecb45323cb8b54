import { describe, expect, it } from "vitest";
import { LIMITS } from "../../../src/domain/limits.ts";
import { promptResultFrom, readResultFrom, resultFrom } from "../../../src/tools/mcp/upstream-result.ts";

const MOST = LIMITS.upstreamItems.default;
const TEXT = { type: "text", text: "" } as const;

const KINDS = {
  "a tool's result": (count: number) => resultFrom({ content: Array(count).fill(TEXT) }),
  "a prompt": (count: number) => promptResultFrom({ messages: Array(count).fill({ role: "user", content: TEXT }) }),
  "a resource": (count: number) => readResultFrom({ contents: Array(count).fill({ uri: "a:b", text: "" }) }, "a:b"),
};

describe("what an upstream answered", () => {
  it.each(Object.entries(KINDS))("has so many items at most: %s", (_, answered) => {
    expect(answered(MOST)).toMatchObject({ kind: "completed" });
    expect(answered(MOST + 1)).toMatchObject({ kind: "failed", error: { code: "BAD_RESPONSE" }, content: [] });
  });
});
