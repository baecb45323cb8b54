import { expect, it } from "vitest";
import type { Tool } from "../../src/domain/call.ts";
import { makeTool } from "../../src/tools/make-tool.ts";
import { sampleTool } from "../support/sample-calls.ts";
import { codeOf, openScratchGate } from "../support/scratch-gate.ts";

/** A tool that is given other definitions while its calls are being planned; `times` = how often. */
function changing(times: number) {
  const ran: string[] = [];
  let version = 1;
  let left = times;
  const made = (): Tool => {
    const own = String(version);
    const tool = sampleTool({
      run: () => {
        ran.push(own);
        return { kind: "completed", content: [] };
      },
    });
    return makeTool({
      ...tool,
      definition: { ...tool.definition, description: `version ${own}` },
      plan: async (...asked) => {
        if (left-- > 0) {
          version++;
          current = made();
        }
        return tool.plan(...asked);
      },
    });
  };
  let current = made();
  return { ran, catalog: { find: () => current, names: () => ["sample"], all: () => [current] } };
}

it.each<[string, number, string, readonly string[]]>([
  ["stays as it is", 0, "completed", ["1"]],
  ["is changed once: planned with the one that is there now", 1, "completed", ["2"]],
  ["is changed again and again: nothing runs", 9, "CONFLICT", []],
])("a tool that %s, while its call is being planned", async (_, times, code, versions) => {
  const { catalog, ran } = changing(times);
  await using scratch = openScratchGate({
    rules: [{ id: "all", effect: "allow", tools: ["sample"] }],
    inner: { catalog },
  });
  expect(codeOf(await scratch.gate.call({ tool: "sample", input: {} }))).toBe(code);
  expect(ran).toEqual(versions);
});

it("a tool that is gone by the time its call is planned is unknown", async () => {
  const tool = sampleTool();
  let isThere = true;
  const leaving = makeTool({
    ...tool,
    plan: async (...asked) => {
      isThere = false;
      return tool.plan(...asked);
    },
  });
  const catalog = { find: () => (isThere ? leaving : undefined), names: () => [], all: () => [] };
  await using scratch = openScratchGate({
    rules: [{ id: "all", effect: "allow", tools: ["sample"] }],
    inner: { catalog },
  });
  expect(codeOf(await scratch.gate.call({ tool: "sample", input: {} }))).toBe("TOOL_UNKNOWN");
});
