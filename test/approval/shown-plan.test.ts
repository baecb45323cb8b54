import { describe, expect, it } from "vitest";
import { shownPlan } from "../../src/approval/shown-plan.ts";
import type { JudgedCall, TouchVerdict } from "../../src/domain/call.ts";
import { digestOf } from "../../src/domain/digest.ts";
import { redactorFor } from "../support/redaction.ts";
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
  it("is the whole plan, with its digests, its touches (the most hazardous first), and who wants it", async () => {
    const [read, write] = [verdict({}), verdict({ touch: WRITE, effect: "allow", ruleId: "other" })];
    const call = judgedWith([read, write]);
    expect(await shownPlan(call, redactorFor())).toEqual({
      digest: call.seal.digest,
      planDigest: digestOf(call.plan),
      plan: call.plan,
      risk: "HIGH",
      ruleId: "r",
      touches: [write, read],
      reasons: [],
      actor: "local:ann",
    });
  });

  it("is put together with others in between: a plan may hold megabytes", async () => {
    const seen: string[] = [];
    setImmediate(() => {
      seen.push("other");
      setImmediate(() => void seen.push("another"));
    });
    await shownPlan(judgedWith([verdict({})]), redactorFor());
    expect(seen).toEqual(["other", "another"]);
  });

  it("tells what programs may do by themselves, and of no grant where there is no program", async () => {
    const call = judgedWith([verdict({})]);
    const grant = { read: ["./**"], write: [], connect: ["a.example:443"], hide: ["./x"], noConnect: [], readOnly: [] };
    const shown = await shownPlan({ ...call, seal: { ...call.seal, grant } }, redactorFor());
    expect(shown.grant).toEqual({ read: ["./**"], write: [], connect: ["a.example:443"] });
    expect(await shownPlan(call, redactorFor())).not.toHaveProperty("grant");
  });

  it("names each reason of the rules that ask, once", async () => {
    const touches = [
      verdict({ because: "it leaves this machine" }),
      verdict({ because: "it leaves this machine", touch: WRITE }),
      verdict({ because: null }),
      verdict({ because: "nobody looked at it" }),
      verdict({ because: "harmless", effect: "allow" }),
    ];
    expect((await shownPlan(judgedWith(touches), redactorFor())).reasons).toEqual([
      "it leaves this machine",
      "nobody looked at it",
    ]);
  });

  it("holds the tool's own preview, where it makes one", async () => {
    const call = judgedWith([verdict({})], { preview: async () => "-a\n+b\n" } as never);
    expect((await shownPlan(call, redactorFor())).preview).toBe("-a\n+b\n");
    expect(await shownPlan(judgedWith([verdict({})]), redactorFor())).not.toHaveProperty("preview");
  });

  it("survives being written down and read", async () => {
    const shown = await shownPlan(judgedWith([verdict({})]), redactorFor());
    expect(JSON.parse(JSON.stringify(shown))).toEqual(shown);
  });

  const SECRET = "hush-hush-4711";

  it("has known secrets by name, and the digests of what will run", async () => {
    const input = { content: `a ${SECRET} b`, list: [SECRET], [SECRET]: 1 };
    const call = judgedCall("ask", { input, actor: SECRET });
    const shown = await shownPlan({ ...call, plan: { ...call.plan, input } }, redactorFor({ KEY: SECRET }));
    expect(shown.plan.input).toEqual({ content: "a [REDACTED:KEY] b", list: ["[REDACTED:KEY]"], "[REDACTED:KEY]": 1 });
    expect(JSON.stringify(shown)).not.toContain(SECRET);
    expect([shown.digest, shown.planDigest]).toEqual([call.seal.digest, digestOf({ ...call.plan, input })]);
    expect(call.input).toBe(input); // what will run is untouched
  });

  it("A26: keeps what only looks like a secret, or something could be approved unseen", async () => {
    const input = { command: `password='x1; rm -rf ~' ghp_${"aB3dE6gH9".repeat(4)}`, token: "abcDEF0123456789abcDEF" };
    const call = judgedCall("ask", { input });
    expect((await shownPlan({ ...call, plan: { ...call.plan, input } }, redactorFor())).plan.input).toEqual(input);
  });
});
