import { describe, expect, it } from "vitest";
import type { JsonValue } from "../../../src/domain/json.ts";
import { LIMITS } from "../../../src/domain/limits.ts";
import { promptResultFrom, readResultFrom, resultFrom, resultProblem } from "../../../src/tools/mcp/upstream-result.ts";

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

describe("resultProblem", () => {
  const RESOURCE = { uri: "a:b", text: "t" };
  it.each<[JsonValue, boolean]>([
    [{}, true],
    [{ content: [] }, true],
    [{ content: [{ type: "text", text: "a" }], isError: true, resultType: "complete" }, true],
    [{ content: [{ type: "image", data: "", mimeType: "a/b" }] }, true],
    [{ content: [{ type: "resource", resource: RESOURCE }] }, true],
    [{ content: [{ type: "resource", resource: { uri: "a:b", blob: "" } }] }, true],
    [{ content: [{ type: "resource_link", uri: "a:b", name: "n" }] }, true],
    ["text", false],
    [null, false],
    [[], false],
    [{ content: "text" }, false],
    [{ content: [{ type: "text" }] }, false],
    [{ content: [{ type: "text", text: { toString: "x" } }] }, false],
    [{ content: [{ type: "image", data: "" }] }, false],
    [{ content: [{ type: "resource", resource: { text: "t" } }] }, false],
    [{ content: [{ type: "resource", resource: null }] }, false],
    [{ content: [{ type: "resource_link", uri: "a:b" }] }, false],
    [{ content: [{ type: "other" }] }, false],
    [{ content: [null] }, false],
    [{ isError: "no" }, false],
    [{ resultType: "input_required", inputRequests: {} }, false],
  ])("takes %j: %s", (result, isTaken) => {
    expect(resultProblem(result) === null).toBe(isTaken);
  });
});
