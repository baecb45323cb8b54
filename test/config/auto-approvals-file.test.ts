import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type LoadedConfig, loadConfig } from "../../src/config/config.ts";
import { withSharedData } from "../support/parts.ts";
import { loaded, openScratch, problemsOf } from "./scratch.ts";

interface Given {
  readonly policies?: unknown;
  readonly rules?: readonly object[];
  readonly text?: string;
  readonly config?: object;
}

function load({ policies, rules = [], text, config = {} }: Given): LoadedConfig {
  using scratch = openScratch();
  if (text !== undefined || policies !== undefined)
    scratch.put("auto.yaml", text ?? JSON.stringify({ auto_approval_policies: policies }, null, 1));
  return loadConfig({
    path: scratch.put("toolgate.yaml", JSON.stringify({ autoApprovals: "auto.yaml", rules, ...config })),
  });
}

const policy = (type: string, more: object = {}, decision: object = {}) => ({
  id: "p",
  ...more,
  decision: { type, ...decision },
});

describe("`autoApprovals`", () => {
  it("reads policies that approve, and the others as rules", () => {
    const config = loaded(
      load({
        policies: [
          policy("approve", { id: "docs", include_paths: ["docs/**"] }, { reason: "fine", skipGovernors: true }),
          policy("reject", { id: "keys", include_paths: ["**/*.pem"] }, { reason: "keys" }),
          policy("manual", { id: "ci", applies_to: ["write_file"], include_paths: [".github/**"] }),
        ],
      }),
    );
    expect(config.autoApprovals).toMatchObject([{ id: "docs", reason: "fine", optionId: null, skipsGovernors: true }]);
    expect(config.rules.size - config.ownRules).toBe(2);
    expect(config.automaticHash).toMatch(/^[0-9a-f]{64}$/);
    expect(config.files.some((file) => file.endsWith("/auto.yaml"))).toBe(true);
    expect(config.text).toContain("auto_approval_policies");
  });

  it("is left out: nothing answers by itself", () => {
    using scratch = openScratch();
    const config = loaded(loadConfig({ path: scratch.put("toolgate.yaml", "rules: []\n") }));
    expect(config).toMatchObject({ autoApprovals: [], automaticHash: null });
  });

  it.each<[string, Given, RegExp]>([
    ["no file", {}, /the policies in `auto.yaml`/],
    ["no YAML", { text: "a: [" }, /./],
    ["no policies", { text: "{}" }, /auto_approval_policies/],
    ["no decision", { policies: [{ id: "a" }] }, /decision/],
    ["a decision that is none", { policies: [policy("allow")] }, /decision.type/],
    ["a key that is none", { policies: [policy("approve", { includePaths: [] })] }, /include_paths/],
    ["an id that is no name", { policies: [policy("approve", { id: "a b" })] }, /is not a name/],
    ["an id twice", { policies: [policy("approve"), policy("reject")] }, /is taken already/],
    ["a bad pattern", { policies: [policy("approve", { include_paths: ["a/[b]"] })] }, /a\/\[b\]/],
    ["a bad pattern of a no", { policies: [policy("reject", { include_paths: ["a/[b]"] })] }, /a\/\[b\]/],
    ["yes and no at once", { policies: [policy("approve", {}, { optionId: "cancel" })] }, /says the contrary/],
    ["no and yes at once", { policies: [policy("reject", {}, { optionId: "proceed_once" })] }, /says the contrary/],
    ["a no for arguments", { policies: [policy("reject", { parameters: { a: 1 } })] }, /`command_prefix` only/],
    [
      "a no for words that mean something",
      { policies: [policy("manual", { parameters: { command_prefix: ["rm", "*"] } })] },
      /mean something in a rule/,
    ],
    [
      "a rule of the same name",
      { policies: [policy("reject")], rules: [{ id: "policy:p", effect: "deny" }] },
      /policy:p/,
    ],
  ])("does not load with %s", (_, given, says) => {
    const problems = problemsOf(load(given));
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(says);
  });

  it("tells of all problems at once", () => {
    const given = [policy("approve", { id: "?" }), policy("reject", { parameters: { a: 1 } }), { id: "c" }];
    expect(problemsOf(load({ policies: given })).length).toBe(1);
    expect(problemsOf(load({ policies: given.slice(0, 2) })).length).toBe(2);
  });

  it("takes options by the names that agents have for them", () => {
    for (const optionId of ["allow", "approved", "proceed_once", "proceed_always", "agent-own"])
      expect(problemsOf(load({ policies: [policy("approve", {}, { optionId })] }))).toEqual([]);
    for (const optionId of ["deny", "abort", "cancel", "reject_once"])
      expect(problemsOf(load({ policies: [policy("reject", {}, { optionId })] }))).toEqual([]);
  });

  withSharedData("a2a-acp")("of the A2A-ACP system", (folder) => {
    it("is read as it is", () => {
      const config = loaded(load({ config: { autoApprovals: join(folder, "auto_approval_policies.yaml") } }));
      expect(config.autoApprovals.map(({ id, optionId }) => [id, optionId])).toEqual([
        ["docs-edits", "proceed_once"],
        ["read-docs", "allow"],
        ["code-edits", "proceed_once"],
      ]);
    });
  });
});
