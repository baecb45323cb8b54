import { describe, expect, it } from "vitest";
import { gateFindings, isPartial } from "../../src/atip/gate-policy.ts";
import type { AtipTool } from "../../src/atip/metadata.ts";
import { policyRules } from "../../src/atip/policy-rules.ts";
import { pinnedHash, trustIn, verificationOf } from "../../src/atip/trust.ts";
import type { JsonObject } from "../../src/domain/json.ts";
import type { ToolEffects, Trust } from "../../src/domain/tool-effects.ts";
import { leavesIn, metadata } from "./some-metadata.ts";

const HARMLESS: ToolEffects = { destructive: false, reversible: true, network: false, filesystem: { write: false } };
const toolWith = (more: JsonObject) => metadata(more) as unknown as AtipTool;

const found = (effects: ToolEffects, trust: Trust, more: object = {}) =>
  gateFindings(effects, { trust, verification: "verified", isPartial: false, ...more }).map(
    ({ effect, reason }) => `${effect} ${reason}`,
  );

describe("the seed's table of trust", () => {
  it.each<[Trust, ToolEffects, readonly string[]]>([
    ["vendor", HARMLESS, []],
    ["vendor", {}, ["ask destructive"]],
    ["org", {}, ["ask destructive"]],
    ["vendor", { network: true, reversible: true }, ["ask destructive"]],
    ["org", { network: false, filesystem: { write: false } }, ["ask destructive"]],
    ["vendor", { network: false, filesystem: { write: false, delete: false } }, []],
    ["vendor", { destructive: false }, []],
    ["community", {}, ["ask low-trust"]],
    ["vendor", { destructive: true }, ["ask destructive"]],
    ["vendor", { filesystem: { delete: true } }, ["ask destructive"]],
    ["vendor", { ...HARMLESS, deletes: ["a branch"] }, ["ask destructive"]],
    ["vendor", { ...HARMLESS, deletes: [] }, []],
    ["vendor", { ...HARMLESS, reversible: false }, []],
    ["vendor", { ...HARMLESS, cost: { estimate: "high" } }, ["ask cost-high"]],
    ["vendor", { ...HARMLESS, cost: { estimate: "high", billable: true } }, ["ask billable"]],
    ["vendor", { ...HARMLESS, cost: { estimate: "medium" } }, []],
    ["org", HARMLESS, []],
    ["org", { ...HARMLESS, deletes: ["a branch"] }, ["ask destructive"]],
    ["org", { ...HARMLESS, reversible: false }, ["ask non-reversible"]],
    ["org", { destructive: true, reversible: false }, ["ask destructive"]],
    ["org", { ...HARMLESS, cost: { estimate: "high", billable: false } }, ["ask cost-high"]],
    ["community", { ...HARMLESS, deletes: ["a branch"] }, ["deny destructive", "ask low-trust"]],
    ["community", { ...HARMLESS, reversible: false }, ["ask low-trust", "ask non-reversible"]],
    ["inferred", { ...HARMLESS, deletes: ["a branch"] }, ["deny destructive", "ask low-trust"]],
    ["inferred", { ...HARMLESS, cost: { estimate: "high" } }, ["deny unsafe", "ask low-trust", "ask cost-high"]],
    ["org", { destructive: true }, ["ask destructive"]],
    ["community", HARMLESS, ["ask low-trust"]],
    ["community", { destructive: true }, ["deny destructive", "ask low-trust"]],
    ["user", HARMLESS, ["ask low-trust"]],
    ["user", { destructive: true }, ["deny destructive", "ask low-trust"]],
    ["inferred", HARMLESS, ["ask low-trust"]],
    ["inferred", { ...HARMLESS, reversible: false }, ["deny unsafe", "ask low-trust", "ask non-reversible"]],
    ["inferred", {}, ["deny unsafe", "ask low-trust"]],
    ["inferred", { destructive: true }, ["deny destructive", "ask low-trust"]],
    ["vendor", { ...HARMLESS, cost: { billable: true } }, ["ask billable"]],
  ])("%s, %j", (trust, effects, expected) => expect(found(effects, trust)).toEqual(expected));

  it("asks where nothing says which program is meant and it may write or connect", () => {
    const more = { verification: "unsigned" };
    expect(found(HARMLESS, "vendor", more)).toEqual([]);
    expect(found({ ...HARMLESS, network: true }, "vendor", more)).toEqual(["ask unsigned"]);
    expect(found({ destructive: false, network: false }, "vendor", more)).toEqual(["ask unsigned"]);
    expect(found({ ...HARMLESS, network: true }, "vendor", { verification: "unverified" })).toEqual([]);
  });

  it("asks where commands are left out", () =>
    expect(found(HARMLESS, "org", { isPartial: true })).toEqual(["ask partial"]));
});

describe("whose word it is", () => {
  it.each<[string, JsonObject, object, Trust]>([
    ["nobody's is the lowest", { trust: {} }, {}, "inferred"],
    ["a claim counts so far", { trust: { source: "native" } }, {}, "user"],
    ["and not further", { trust: { source: "vendor" } }, {}, "user"],
    ["a low claim is believed", { trust: { source: "inferred" } }, {}, "inferred"],
    ["the operator's counts", { trust: { source: "inferred" } }, { trust: "vendor" }, "vendor"],
    ["also where it is lower", { trust: { source: "vendor" } }, { trust: "inferred" }, "inferred"],
  ])("%s", (_, more, word, trust) => expect(trustIn(toolWith(more), word)).toBe(trust));

  const HASH = "A".repeat(64);
  it.each<[string, JsonObject, object, string | null, string]>([
    ["nothing", {}, {}, null, "unsigned"],
    ["a hash of the file's own", { binary: { hash: `sha256:${HASH}` } }, {}, "a".repeat(64), "unverified"],
    ["in the trust of 0.6", { trust: { integrity: { checksum: `sha256:${HASH}` } } }, {}, "a".repeat(64), "unverified"],
    ["in the trust of 0.4", { trust: { checksum: `sha256:${HASH}` } }, {}, "a".repeat(64), "unverified"],
    ["of another kind", { trust: { checksum: "md5:12" } }, {}, null, "unsigned"],
    [
      "a signature that nobody here checks",
      { trust: { integrity: { signature: { type: "cosign" } } } },
      {},
      null,
      "unsigned",
    ],
    ["the operator's hash", {}, { sha256: "b".repeat(64) }, "b".repeat(64), "verified"],
    [
      "which counts before the file's",
      { binary: { hash: `sha256:${HASH}` } },
      { sha256: "b".repeat(64) },
      "b".repeat(64),
      "verified",
    ],
  ])("program: %s", (_, more, word, hash, level) => {
    expect(pinnedHash(toolWith(more), word)).toBe(hash);
    expect(verificationOf(toolWith(more), word)).toBe(level);
  });

  it("claims of signatures and provenance change nothing at all", () => {
    const claims = {
      verified: true,
      integrity: {
        signature: { type: "cosign", identity: "https://github.com/somebody", issuer: "https://x.example" },
      },
      provenance: { url: "https://example.com/slsa.json", format: "slsa-provenance-v1", slsaLevel: 4, builder: "ci" },
    };
    for (const source of ["native", "vendor", "org", "community", "user", "inferred"] as const)
      for (const word of [{}, { trust: "vendor" }, { trust: "inferred" }] as const) {
        const [plain, claiming] = [toolWith({ trust: { source } }), toolWith({ trust: { source, ...claims } })];
        expect(trustIn(claiming, word)).toBe(trustIn(plain, word));
        expect(verificationOf(claiming, word)).toBe(verificationOf(plain, word));
        expect(pinnedHash(claiming, word)).toBe(null);
        const standing = { trust: trustIn(claiming, word), verification: verificationOf(claiming, word) };
        expect(found({}, standing.trust, standing)).toContain("ask unsigned");
      }
  });

  it.each<[string, JsonObject, Trust, boolean]>([
    ["all of it", {}, "inferred", false],
    ["a part, and nothing said", { partial: true }, "vendor", true],
    [
      "a part that is harmless, says somebody",
      { partial: true, omitted: { safetyAssumption: "known-safe" } },
      "org",
      true,
    ],
    [
      "a part that is harmless, says the vendor",
      { partial: true, omitted: { safetyAssumption: "known-safe" } },
      "vendor",
      false,
    ],
    [
      "as the rest, says the vendor",
      { partial: true, omitted: { safetyAssumption: "same-as-included" } },
      "vendor",
      false,
    ],
    ["harmful, says the vendor", { partial: true, omitted: { safetyAssumption: "known-unsafe" } }, "vendor", true],
  ])("partial: %s", (_, more, trust, partial) => expect(isPartial(toolWith(more), trust)).toBe(partial));
});

describe("as rules", () => {
  it("one for each reason, the weightiest first, with all its tools", () => {
    const effects = { network: true };
    const leaves = leavesIn({
      commands: { a: { description: "Does a", effects }, b: { description: "Does b", effects: { destructive: true } } },
    });
    const standing = { trust: "community", verification: "verified", isPartial: false } as const;
    const rules = policyRules("builtin:atip:tool", leaves, (leaf) => gateFindings(leaf.effects, standing));
    expect(rules.map(({ id, effect, tools }) => [id, effect, tools])).toEqual([
      ["builtin:atip:tool:destructive", "deny", ["tool_b"]],
      ["builtin:atip:tool:low-trust", "ask", ["tool_a", "tool_b"]],
    ]);
  });

  it("one reason that denies some and asks about others has two", () => {
    const leaves = leavesIn({ commands: { a: { description: "Does a" }, b: { description: "Does b" } } });
    const findings = (effect: "ask" | "deny") => [{ effect, reason: "destructive", because: "x" }] as const;
    const rules = policyRules("p", leaves, ({ name }) => [
      ...findings(name === "tool_a" ? "ask" : "deny"),
      ...findings("ask"),
    ]);
    expect(rules.map(({ id, effect, tools }) => [id, effect, tools])).toEqual([
      ["p:destructive-ask", "ask", ["tool_a", "tool_b"]],
      ["p:destructive", "deny", ["tool_b"]],
    ]);
  });

  it("never lets anything through", () => {
    for (const trust of ["vendor", "org", "community", "user", "inferred"] as const)
      for (const { effect } of gateFindings(
        { destructive: true },
        { trust, verification: "unsigned", isPartial: true },
      ))
        expect(["ask", "deny"]).toContain(effect);
  });
});
