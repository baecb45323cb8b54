import { describe, expect, it } from "vitest";
import { digestOf } from "../../src/domain/digest.ts";
import { LIMITS } from "../../src/domain/limits.ts";
import type { ToolDefinition } from "../../src/domain/tool.ts";
import { makeTool } from "../../src/tools/make-tool.ts";
import { sampleTool } from "../support/sample-calls.ts";

const made = (more: Partial<ToolDefinition> = {}) => {
  const { definition, plan, run } = sampleTool();
  return makeTool({ definition: { ...definition, ...more }, plan, run });
};

describe("makeTool", () => {
  it("pins the whole definition", () => {
    const tool = made();
    expect(tool.definitionDigest).toBe(digestOf(tool.definition));
    const changes: readonly Partial<ToolDefinition>[] = [
      { name: "n" },
      { description: "d" },
      { source: "mcp" },
      { containment: "sandbox" },
      { inputSchema: { type: "object", additionalProperties: false } },
      { timeoutMs: 7 },
    ];
    const digests = changes.map((change) => made(change).definitionDigest);
    expect(new Set([tool.definitionDigest, ...digests]).size).toBe(changes.length + 1);
  });

  it("checks what the schema says", () => {
    const { check } = made({ inputSchema: { type: "object", required: ["a"] } });
    expect(check({ a: 1 })).toEqual([]);
    expect(check({})).toMatchObject([{ field: "a", rule: "required" }]);
  });

  it("takes no schema that can't be checked", () =>
    expect(() => made({ inputSchema: { type: "objekt" } })).toThrow(
      /^tool `sample`: its input schema can't be used: /,
    ));

  const { minimum, maximum } = LIMITS.toolTimeoutMs;
  it.each([minimum, 30_000, maximum])("takes a timeout of %d ms", (timeoutMs) =>
    expect(made({ timeoutMs }).definition.timeoutMs).toBe(timeoutMs),
  );

  // Beyond 2^31 ms a timer of Node fires at once.
  it.each([minimum - 1, maximum + 1, 2 ** 31, -1, Number.NaN, Number.POSITIVE_INFINITY])(
    "takes no timeout of %d ms",
    (timeoutMs) => expect(() => made({ timeoutMs })).toThrow("its `timeoutMs` has to lie from 1 to 3600000"),
  );
});
