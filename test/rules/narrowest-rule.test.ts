import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Touch } from "../../src/domain/touch.ts";
import { narrowestRule } from "../../src/rules/narrowest-rule.ts";
import { factsFor, rulesOf } from "./sample-facts.ts";

const WORKSPACE = "/workspace";

function ruleFor(touches: readonly Touch[], tool = "write_file", effect: "allow" | "deny" = "allow") {
  const narrowest = narrowestRule({ effect, tool, touches, workspace: WORKSPACE });
  if (!narrowest.ok) throw new Error(narrowest.because);
  return narrowest.rule;
}

const whyNone = (touches: readonly Touch[], tool = "t"): string => {
  const narrowest = narrowestRule({ effect: "allow", tool, touches, workspace: WORKSPACE });
  return narrowest.ok ? JSON.stringify(narrowest.rule) : narrowest.because;
};

const write = (path: string): Touch => ({ kind: "write", path });

describe("the rule that always stands for", () => {
  it("names the tool, and exactly what was touched", () =>
    expect(ruleFor([write("/workspace/a.txt"), { kind: "read", path: "/etc/hosts" }, write("/workspace")])).toEqual({
      id: expect.stringMatching(/^always-[0-9a-f]{12}$/),
      effect: "allow",
      tools: ["write_file"],
      touch: { read: ["/etc/hosts"], write: [".", "./a.txt"] },
      because: "A person said always.",
    }));

  it("grants what was to be granted, under an id of its own", () => {
    const wanted = { effect: "allow", tool: "t", touches: [write("/workspace/a")], workspace: WORKSPACE } as const;
    const [with_, without] = [narrowestRule({ ...wanted, grant: { write: ["./out/**"] } }), narrowestRule(wanted)];
    expect(with_).toMatchObject({ ok: true, rule: { grant: { write: ["./out/**"] } } });
    expect(with_.ok && without.ok && with_.rule.id === without.rule.id).toBe(false);
  });

  it("has one id for one content, so that saying it twice is seen", () => {
    const [a, b] = [ruleFor([write("/workspace/a")]), ruleFor([write("/workspace/a")])];
    expect(a.id).toBe(b.id);
    expect(ruleFor([write("/workspace/b")]).id).not.toBe(a.id);
    expect(ruleFor([write("/workspace/a")], "write_file", "deny").id).not.toBe(a.id);
  });

  it("says never of a file and not of the folders that would be made for it, and of a folder where it is all there is", () => {
    const folder: Touch = { kind: "write", path: "/workspace/new", folder: true };
    const file = write("/workspace/new/a.txt");
    const named = (touches: readonly Touch[], effect: "allow" | "deny") => ruleFor(touches, "t", effect).touch;
    expect(named([folder, file], "deny")).toEqual({ write: ["./new/a.txt"] });
    expect(named([folder], "deny")).toEqual({ write: ["./new"] });
    expect(named([folder, file], "allow")).toEqual({ write: ["./new", "./new/a.txt"] });
  });

  it.each<[string, Touch, unknown]>([
    ["a tree", { kind: "read", path: "/workspace/src", tree: true }, { read: ["./src", "./src/**"] }],
    ["a host", { kind: "connect", host: "example.com", port: 443, scheme: "https" }, { connect: ["example.com:443"] }],
    ["an address", { kind: "connect", host: "::1", port: 80, scheme: "http" }, { connect: ["[::1]:80"] }],
    ["a model", { kind: "model", provider: "p", model: "m/1", tokensMax: 1 }, { model: ["p/m/1"] }],
    ["a name with stars", write("/workspace/a*[b]?"), { write: ["./a\\*\\[b\\]\\?"] }],
    ["a folder beside the workspace", write("/workspace-evil/x"), { write: ["/workspace-evil/x"] }],
  ])("of %s", (_, touch, selector) => expect(ruleFor([touch]).touch).toEqual(selector));

  it.each<[string, Touch[], string, string]>([
    ["what can't be read", [{ kind: "unknown", reason: "x" }], "t", "can't be read beforehand"],
    ["a tool whose name is a pattern", [write("/workspace/a")], "every_*", "no rule can name this tool"],
    [
      "a tool elsewhere whose name is one",
      [{ kind: "tool", name: "x*", definitionDigest: "" as never }],
      "t",
      "no rule can name this tool",
    ],
    [
      "any host",
      [{ kind: "connect", host: "*.example.com", port: 443, scheme: "https" }],
      "t",
      "no rule can name this host",
    ],
    [
      "an operation of git, whose arguments no rule tells apart",
      [{ kind: "git", operation: "PUSH", arguments: [], repository: "/workspace" }],
      "t",
      "no rule can name a `git` touch yet",
    ],
    ["any model", [{ kind: "model", provider: "p", model: "*", tokensMax: 1 }], "t", "no rule can name this model"],
    [
      "a model without a limit",
      [{ kind: "model", provider: "p", model: "m", tokensMax: Number.POSITIVE_INFINITY }],
      "t",
      "no rule can name this model",
    ],
  ])("does not exist for %s", (_, touches, tool, because) => expect(whyNone(touches, tool)).toContain(because));

  it("of a tool elsewhere", () =>
    expect(ruleFor([{ kind: "tool", name: "github.search", definitionDigest: "" as never }]).touch).toEqual({
      tool: ["github.search"],
    }));

  it("covers the touch it was made for, and no other path", () => {
    const name = fc
      .string({ minLength: 1, maxLength: 8 })
      .filter((text) => !/[/\0]/.test(text) && !/^\.{1,2}$/.test(text));
    void fc.assert(
      fc.property(
        fc.array(name, { minLength: 1, maxLength: 4 }),
        fc.array(name, { minLength: 1, maxLength: 4 }),
        (a, b) => {
          const [path, other] = [a, b].map((names) => `/workspace/${names.join("/")}`) as [string, string];
          const rules = rulesOf([ruleFor([write(path)])]);
          expect(rules.judge(write(path), factsFor("write_file")).effect).toBe("allow");
          expect(rules.judge(write(path), factsFor("other")).effect).toBe("deny");
          expect(rules.judge({ kind: "read", path }, factsFor("write_file")).effect).toBe("deny");
          if (other !== path) expect(rules.judge(write(other), factsFor("write_file")).effect).toBe("deny");
        },
      ),
    );
  });
});
