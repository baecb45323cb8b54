import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Digest, digestOf } from "../../src/domain/digest.ts";
import { EVERYTHING, type Lease } from "../../src/domain/lease.ts";
import type { Plan } from "../../src/domain/plan.ts";
import type { Touch } from "../../src/domain/touch.ts";
import { CONFIRMATION, judge } from "../../src/pipeline/judge.ts";
import type { Leases } from "../../src/ports/leases.ts";
import type { RuleSource } from "../../src/rules/rule.ts";
import { compileRules, type RuleSet } from "../../src/rules/rule-set.ts";
import { handClock } from "../support/hand-clock.ts";
import { AS_GIVEN, plannedCall, READ, WORKSPACE, WRITE } from "../support/sample-calls.ts";

function rulesOf(sources: readonly RuleSource[]): RuleSet {
  const compiled = compileRules(sources, { workspace: WORKSPACE });
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems));
  return compiled.rules;
}

const ALLOW: RuleSource = { id: "allow-read", effect: "allow", touch: { read: ["./**"] } };
const ASK: RuleSource = { id: "ask-write", effect: "ask", touch: { write: ["./**"] }, because: "people decide" };
const DENY: RuleSource = { id: "deny-env", effect: "deny", touch: { read: ["./.env"] }, because: "secrets" };
const RULES = rulesOf([ALLOW, ASK, DENY]);
const ENV: Touch = { kind: "read", path: "/w/.env" };
const OUTSIDE: Touch = { kind: "read", path: "/etc/passwd" };

const session = (lease: Partial<Lease>) => ({ id: "s", project: "default", lease: { ...EVERYTHING, ...lease } });

async function judged(
  plan: Partial<Plan>,
  { lease = {}, rules = RULES }: { lease?: Partial<Lease>; rules?: RuleSet } = {},
) {
  const call = plannedCall({ session: session(lease) }, plan);
  return judge(call, { ruleBook: { current: () => rules }, clock: handClock(1000), leases: AS_GIVEN });
}

describe("a tool that wants to be confirmed", () => {
  it.each<[string, Touch, string, string | null]>([
    ["is asked about whatever allows it", READ, "ask", CONFIRMATION],
    ["stays denied", ENV, "RULE_DENY", "deny-env"],
    ["and by no rule allowed, too", OUTSIDE, "DEFAULT_DENY", null],
  ])("%s", async (_, touch, decision, ruleId) => {
    const step = await judged({ touches: [touch], confirm: "Proceed?" });
    if (step.kind === "refuse") expect([step.refusal.code, step.refusal.ruleId ?? null]).toEqual([decision, ruleId]);
    else {
      const { effect, ruleId: by, touches } = step.call.verdict;
      expect([effect, by, touches.at(-1)?.because]).toEqual([decision, ruleId, "Proceed?"]);
    }
  });
});

describe("who answers by themselves", () => {
  const sealedWith = async (hash: Digest | null) => {
    const ports = { ruleBook: { current: () => RULES }, clock: handClock(1000), leases: AS_GIVEN };
    const step = await judge(plannedCall({}, { touches: [READ] }), { ...ports, automatic: { hash: () => hash } });
    return step.kind === "pass" ? step.call.seal : null;
  };

  it("are sealed with the plan, and others are another seal", async () => {
    const [none, one, other] = [null, digestOf("one"), digestOf("other")];
    const seals = await Promise.all([none, one, one, other].map(sealedWith));
    expect(seals.map((seal) => seal?.automaticHash)).toEqual([undefined, one, one, other]);
    const [without, first, again, another] = seals.map((seal) => seal?.digest);
    expect(again).toBe(first);
    expect(new Set([without, first, another]).size).toBe(3);
  });
});

describe("judge", () => {
  it.each<[string, readonly [Touch, ...Touch[]], string, string | null]>([
    ["one allowed", [READ], "allow", "allow-read"],
    ["one asked", [WRITE], "ask", "ask-write"],
    ["allowed, then asked", [READ, WRITE], "ask", "ask-write"],
    ["asked, then allowed", [WRITE, READ], "ask", "ask-write"],
    ["one denied", [ENV], "RULE_DENY", "deny-env"],
    ["denied among others", [READ, WRITE, ENV], "RULE_DENY", "deny-env"],
    ["denied first", [ENV, WRITE], "RULE_DENY", "deny-env"],
    ["covered by no rule", [OUTSIDE], "DEFAULT_DENY", null],
    ["one of several covered by no rule", [READ, OUTSIDE, WRITE], "DEFAULT_DENY", null],
    ["unknown", [{ kind: "unknown", reason: "a pipe" }], "DEFAULT_DENY", null],
  ])("%s", async (_, touches, decision, ruleId) => {
    const step = await judged({ touches });
    if (step.kind === "pass") expect([step.call.verdict.effect, step.call.verdict.ruleId]).toEqual([decision, ruleId]);
    else expect([step.refusal.code, step.refusal.ruleId ?? null]).toEqual([decision, ruleId]);
  });

  it("a rule about what a program may do by itself speaks for the whole call", async () => {
    const exec: Touch = {
      kind: "exec",
      program: "/usr/bin/npm",
      origin: "toolchain",
      argv: [{ text: "npm", known: true }],
    };
    const npm: RuleSource = { id: "npm", effect: "allow", touch: { exec: ["npm"] }, grant: { write: ["./**"] } };
    const spoken = { touch: WRITE, effect: "ask", ruleId: "sql", because: null } as const;
    const own = rulesOf([npm]);
    const rules: RuleSet = {
      ...own,
      grant: (request) => {
        const granted = own.grant(request);
        return granted && { ...granted, spoken: [spoken] };
      },
    };
    const step = await judged({ touches: [exec] }, { rules });
    expect(step.kind === "pass" && [step.call.verdict.ruleId, step.call.seal.grant.write]).toEqual(["sql", ["./**"]]);
  });

  it("carries every touch with its own rule, and the risk", async () => {
    const step = await judged({ touches: [READ, WRITE] });
    expect(step.kind === "pass" && step.call.verdict).toEqual({
      effect: "ask",
      ruleId: "ask-write",
      risk: "MEDIUM",
      touches: [
        { touch: READ, effect: "allow", ruleId: "allow-read", because: null },
        { touch: WRITE, effect: "ask", ruleId: "ask-write", because: "people decide" },
      ],
    });
  });

  it("takes an allow by no rule for a deny", async () => {
    const nobodys: RuleSet = { ...RULES, judge: (touch) => ({ touch, effect: "allow", ruleId: null, because: null }) };
    const step = await judged({}, { rules: nobodys });
    expect(step.kind === "refuse" && step.refusal.code).toBe("DEFAULT_DENY");
  });

  it.each<[string, Partial<Lease>, string]>([
    ["everything", {}, "allow"],
    ["ends in a millisecond", { expiresAtMs: 1001 }, "allow"],
    ["ends now", { expiresAtMs: 1000 }, "LEASE_EXPIRED"],
    ["ended", { expiresAtMs: 999 }, "LEASE_EXPIRED"],
    ["this tool", { tools: ["sample"] }, "allow"],
    ["another tool", { tools: ["simple"] }, "LEASE_SCOPE"],
    ["no tool", { tools: [] }, "LEASE_SCOPE"],
    ["this file", { read: ["./a.txt"] }, "allow"],
    ["another file", { read: ["./b.txt"] }, "LEASE_SCOPE"],
    ["no file", { read: [] }, "LEASE_SCOPE"],
    ["ended, and no tool", { expiresAtMs: 0, tools: [] }, "LEASE_EXPIRED"],
  ])("a lease of %s", async (_, lease, decision) => {
    const step = await judged({}, { lease });
    expect(step.kind === "pass" ? step.call.verdict.effect : step.refusal.code).toBe(decision);
  });

  it("keeps back from the program what any of its touches has to, each once and in order", async () => {
    const hide = new Map([
      ["/w/a.txt", ["/w/.env", "/w/.b"]],
      ["/w/b.txt", ["/w/.env"]],
    ]);
    const hiding: RuleSet = {
      ...RULES,
      judge: (touch, facts) => {
        const verdict = RULES.judge(touch, facts);
        const hidden = "path" in touch ? hide.get(touch.path) : undefined;
        return hidden === undefined ? verdict : { ...verdict, hide: hidden };
      },
    };
    const touches = ["a", "b", "c"].map((name) => ({ kind: "read", path: `/w/${name}.txt` }) as const);
    const step = await judged({ touches: touches as [Touch, ...Touch[]] }, { rules: hiding });
    expect(step.kind === "pass" && step.call.seal.grant.hide).toEqual(["/w/.b", "/w/.env"]);
  });

  it("says why a lease is as narrow as it is, where that is known", async () => {
    const narrow = { because: "the client has other roots", hint: "open the folder there" };
    const step = await judged({}, { lease: { read: [], narrow } });
    expect(step.kind === "refuse" && step.refusal).toMatchObject({
      message: expect.stringMatching(/^the lease does not cover .*: the client has other roots$/),
      hint: "open the folder there",
    });
  });

  it("refuses what the lease lacks before a rule is asked", async () => {
    const never: RuleSet = {
      ...RULES,
      judge: () => {
        throw new Error("asked");
      },
    };
    const step = await judged({}, { lease: { read: [] }, rules: never });
    expect(step.kind === "refuse" && step.refusal).toMatchObject({
      message: "the lease does not cover read `a.txt`",
      hint: "ask for a wider lease",
    });
  });
});

describe("the seal", () => {
  async function digestFor(plan: Partial<Plan>, rules = RULES): Promise<string> {
    const step = await judged(plan, { rules });
    if (step.kind === "refuse") throw new Error(step.refusal.message);
    return step.call.seal.digest;
  }

  it("is SHA-256 over plan, grant and rules", async () => {
    const step = await judged({});
    if (step.kind === "refuse") throw new Error(step.refusal.message);
    const { plan, seal } = step.call;
    expect(seal.digest).toBe(digestOf({ plan, grant: seal.grant, rulesHash: seal.rulesHash }));
    expect(seal.rulesHash).toBe(RULES.hash);
  });

  const other = digestOf("other");
  it.each<[keyof Plan, Partial<Plan>]>([
    ["tool", { tool: "simple" }],
    ["definitionDigest", { definitionDigest: other }],
    ["containment", { containment: "sandbox" }],
    ["host", { host: "elsewhere" }],
    ["workspace", { workspace: "/x" }],
    ["timeoutMs", { timeoutMs: 1001 }],
    ["input", { input: { a: 1 } }],
    ["touches", { touches: [{ kind: "read", path: "/w/b.txt" }] }],
    ["operands", { operands: [{ path: "/w/a.txt", before: null, after: other }] }],
  ])("changes with the plan's %s", async (field, change) => {
    expect(Object.keys(plannedCall().plan)).toContain(field);
    expect(await digestFor(change)).not.toBe(await digestFor({}));
  });

  it("has a case above for every field of a plan", () => expect(Object.keys(plannedCall().plan)).toHaveLength(9));

  it("covers what inside a tree is kept from the tool, in whatever order the rules say it", async () => {
    const hiding = (hide: readonly string[]): RuleSet => ({
      ...RULES,
      judge: (touch) => ({ touch, effect: "allow", ruleId: "r", because: null, hide }),
    });
    const grantFor = async (rules: RuleSet) => {
      const step = await judged({ touches: [READ, WRITE] }, { rules });
      return step.kind === "pass" ? step.call.seal.grant.hide : null;
    };
    expect(await grantFor(hiding(["./b", "./a", "./b"]))).toEqual(["./a", "./b"]);
    expect(await grantFor(RULES)).toEqual([]);
    expect(await digestFor({}, hiding(["./a"]))).not.toBe(await digestFor({}, hiding(["./b"])));
  });

  it("changes with the rules", async () => {
    expect(await digestFor({}, rulesOf([ALLOW]))).not.toBe(await digestFor({}));
  });

  it("is the same for equal plans, and another for any other input", async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), fc.jsonValue(), async (a, b) => {
        const [one, same, two] = await Promise.all([
          digestFor({ input: { value: a } as never }),
          digestFor({ input: JSON.parse(JSON.stringify({ value: a })) }),
          digestFor({ input: { value: b } as never }),
        ]);
        expect(same).toBe(one);
        expect(two === one).toBe(JSON.stringify(sorted(a)) === JSON.stringify(sorted(b)));
      }),
    );
  });
});

/** The value with its members in order, so that equal values have one text. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => [key, sorted(member)]),
  );
}

describe("the lease of this moment", () => {
  const judgedUnder = (leases: Partial<Leases>) =>
    judge(plannedCall({ session: session({}) }, { touches: [READ] }), {
      ruleBook: { current: () => RULES },
      clock: handClock(1000),
      leases: { ...AS_GIVEN, ...leases },
    });
  const codeOf = (step: ReturnType<typeof judgedUnder>) => (step.kind === "refuse" ? step.refusal.code : step.kind);
  const REVOKED = { code: "LEASE_REVOKED", stage: "judge", message: "gone" } as const;
  const USED_UP = { code: "BUDGET_EXCEEDED", stage: "judge", message: "used up" } as const;

  it("is the one that holds, and not the one that the call came with", () => {
    expect(codeOf(judgedUnder({}))).toBe("pass");
    expect(codeOf(judgedUnder({ present: () => ({ lease: { ...EVERYTHING, read: [] } }) }))).toBe("LEASE_SCOPE");
    const narrower = { ...EVERYTHING, id: "narrower" };
    const step = judgedUnder({ present: () => ({ lease: narrower }) });
    expect(step.kind === "pass" && step.call.session.lease).toBe(narrower);
  });

  it("refuses where there is none, and where its budget is used up, before it says what is outside", () => {
    expect(codeOf(judgedUnder({ present: () => ({ refusal: REVOKED }) }))).toBe("LEASE_REVOKED");
    const present = () => ({ lease: { ...EVERYTHING, read: [] } });
    expect(codeOf(judgedUnder({ present, exceeded: () => USED_UP }))).toBe("BUDGET_EXCEEDED");
  });
});
