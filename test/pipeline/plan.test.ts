import { describe, expect, it } from "vitest";
import type { Tool } from "../../src/domain/call.ts";
import { plan } from "../../src/pipeline/plan.ts";
import { NEVER, READ, sampleTool, validCall, WORKSPACE, WRITE } from "../support/sample-calls.ts";

const PORTS = { workspace: WORKSPACE };

describe("plan", () => {
  it("holds what the tool says, and all that a sealed plan needs", async () => {
    const tool = sampleTool({ touches: [READ, WRITE], timeoutMs: 7 });
    const step = await plan(validCall({ tool, input: { a: 1 } }), PORTS, NEVER);
    expect(step.kind === "pass" && step.call.plan).toEqual({
      containment: "process",
      definitionDigest: tool.definitionDigest,
      host: "host",
      input: { a: 1 },
      operands: [],
      timeoutMs: 7,
      tool: "sample",
      touches: [READ, WRITE],
      workspace: WORKSPACE,
    });
  });

  it("holds nothing that differs per attempt", async () => {
    const one = await plan(validCall(), PORTS, NEVER);
    const two = await plan(validCall({ callId: "call_2", receivedAtMs: 9, owner: "owner_2" }), PORTS, NEVER);
    if (one.kind === "refuse" || two.kind === "refuse") throw new Error("refused");
    expect(two.call.plan).toEqual(one.call.plan);
  });

  it("passes the tool's refusal on", async () => {
    const refusal = { code: "PATH_INVALID", stage: "plan", message: "no" } as const;
    const tool = { ...sampleTool(), plan: () => ({ kind: "refuse", refusal }) as const };
    expect(await plan(validCall({ tool }), PORTS, NEVER)).toEqual({ kind: "refuse", refusal });
  });

  it("gives the tool its signal", async () => {
    let given: AbortSignal | undefined;
    const base = sampleTool();
    const tool: Tool = {
      ...base,
      plan: (call, signal) => {
        given = signal;
        return base.plan(call, signal);
      },
    };
    await plan(validCall({ tool }), PORTS, NEVER);
    expect(given).toBe(NEVER);
  });
});
