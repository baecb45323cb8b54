import { describe, expect, it } from "vitest";
import { shownPlan } from "../../src/approval/shown-plan.ts";
import type { JudgedCall, TouchVerdict } from "../../src/domain/call.ts";
import { digestOf } from "../../src/domain/digest.ts";
import { judgedCall, READ, WRITE } from "../support/sample-calls.ts";

const verdict = (more: Partial<TouchVerdict>): TouchVerdict => ({
  touch: READ,
  effect: "ask",
  ruleId: "r",
  because: null,
  ...more,
});

const judgedWith = (touches: readonly TouchVerdict[], more: Partial<JudgedCall> = {}): JudgedCall => {
  const call = judgedCall("ask", { input: { text: "x".repeat(100_000) } });
  return { ...call, verdict: { ...call.verdict, risk: "HIGH", touches }, ...more };
};

describe("what is shown", () => {
  it("is the whole plan, with its digests, its touches, and who wants it", async () => {
    const touches = [verdict({}), verdict({ touch: WRITE, effect: "allow", ruleId: "other" })];
    const call = judgedWith(touches);
    expect(await shownPlan(call)).toEqual({
      digest: call.seal.digest,
      planDigest: digestOf(call.plan),
      plan: call.plan,
      risk: "HIGH",
      ruleId: "r",
      touches,
      reasons: [],
      actor: "local:ann",
    });
  });

  it("names each reason of the rules that ask, once", async () => {
    const touches = [
      verdict({ because: "it leaves this machine" }),
      verdict({ because: "it leaves this machine", touch: WRITE }),
      verdict({ because: null }),
      verdict({ because: "nobody looked at it" }),
      verdict({ because: "harmless", effect: "allow" }),
    ];
    expect((await shownPlan(judgedWith(touches))).reasons).toEqual(["it leaves this machine", "nobody looked at it"]);
  });

  it("holds the tool's own preview, where it makes one", async () => {
    const call = judgedWith([verdict({})], { preview: async () => "-a\n+b\n" } as never);
    expect((await shownPlan(call)).preview).toBe("-a\n+b\n");
    expect(await shownPlan(judgedWith([verdict({})]))).not.toHaveProperty("preview");
  });

  it("survives being written down and read", async () => {
    const shown = await shownPlan(judgedWith([verdict({})]));
    expect(JSON.parse(JSON.stringify(shown))).toEqual(shown);
  });
});
