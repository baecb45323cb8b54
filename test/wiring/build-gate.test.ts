import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { buildGate } from "../../src/wiring/build-gate.ts";
import { openScratchGate } from "../support/scratch-gate.ts";

describe("buildGate", () => {
  it("opens nothing before the first call", async () => {
    await using scratch = openScratchGate();
    expect(existsSync(scratch.stateDir)).toBe(false);
    await scratch.gate.call({ tool: "x", input: {} });
    expect(existsSync(scratch.stateDir)).toBe(true);
  });

  it("has the tools that the config names, and no others", async () => {
    await using scratch = openScratchGate();
    const gate = buildGate({ config: { ...scratch.config, builtin: [] } });
    expect(gate.tools()).toEqual([]);
    await gate.close();
  });
});
