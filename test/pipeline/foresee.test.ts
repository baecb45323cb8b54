import { describe, expect, it } from "vitest";
import type { Tool } from "../../src/domain/call.ts";
import type { Touch } from "../../src/domain/touch.ts";
import { foresee } from "../../src/pipeline/foresee.ts";
import { catalogOf } from "../../src/wiring/catalog-of.ts";
import { NEVER, READ, rawCall, sampleTool, WORKSPACE, WRITE } from "../support/sample-calls.ts";

const seen = (tool: Tool, op: "call" | "explain" = "call", more = {}) =>
  foresee(rawCall(more), op, { catalog: catalogOf([tool]), faults: { report: () => {} }, workspace: WORKSPACE }, NEVER);

const UNKNOWN = expect.objectContaining({ kind: "unknown" });
const ROOT: Touch = { kind: "read", path: "/", tree: true };

describe("what is seen of a call beforehand", () => {
  it("is what its plan touches", async () => {
    expect(await seen(sampleTool({ touches: [READ, WRITE] }))).toEqual([READ, WRITE]);
  });

  it("is nothing for a call that is refused in any case", async () => {
    expect(await seen(sampleTool(), "call", { toolName: "other" })).toEqual([]);
    expect(await seen(sampleTool(), "call", { rawInput: 7 })).toEqual([]);
  });

  it("may be anything for a call that can't be planned now", async () => {
    const refuses: Tool = {
      ...sampleTool(),
      plan: () => ({ kind: "refuse", refusal: { code: "FILE_NOT_FOUND", stage: "plan", message: "none" } }),
    };
    const throws: Tool = {
      ...sampleTool(),
      plan: () => {
        throw new Error("ours");
      },
    };
    for (const tool of [refuses, throws]) {
      expect(await seen(tool)).toEqual([UNKNOWN]);
      expect(await seen(tool, "explain")).toEqual([ROOT]);
    }
  });

  it("is read and no more by an explanation", async () => {
    const connect: Touch = { kind: "connect", host: "a.example", port: 443, scheme: "https" };
    const touches = [WRITE, { kind: "delete", path: "/w/b" }, connect] as const;
    expect(await seen(sampleTool({ touches: [...touches] }), "explain")).toEqual([
      READ,
      { kind: "read", path: "/w/b" },
      ROOT,
    ]);
  });
});
