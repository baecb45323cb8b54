import { describe, expect, it } from "vitest";
import type { Touch } from "../../src/domain/touch.ts";
import { factsFor, rulesOf } from "./sample-facts.ts";

const READ: Touch = { kind: "read", path: "/workspace/a" };

describe("rules by the tools that they name", () => {
  const rules = rulesOf([
    { id: "all", effect: "allow", touch: { read: ["./**"] } },
    { id: "exact", effect: "ask", tools: ["one"], touch: { read: ["./**"] } },
    { id: "pattern", effect: "deny", tools: ["server_*"], touch: { read: ["./**"] } },
    { id: "mixed", effect: "deny", tools: ["two", "*_two"], touch: { read: ["./**"] } },
  ]);

  it.each([
    ["none", "all"],
    ["one", "exact"],
    ["server_one", "pattern"],
    ["server_", "pattern"],
    ["server", "all"],
    ["two", "mixed"],
    ["other_two", "mixed"],
    ["server_two", "pattern"],
  ])("%s is judged by `%s`, the first time and every other", (tool, ruleId) => {
    for (let times = 0; times < 2; times++) expect(rules.judge(READ, factsFor(tool)).ruleId).toBe(ruleId);
  });

  it("are found for more tools than are remembered", () => {
    for (let n = 0; n < 20_010; n++) {
      const tool = n % 2 === 0 ? `server_${n}` : `n${n}`;
      expect(rules.judge(READ, factsFor(tool)).ruleId).toBe(n % 2 === 0 ? "pattern" : "all");
    }
  });
});

describe("rules by the files that they name", () => {
  const rules = rulesOf([
    { id: "all", effect: "allow", touch: { read: ["./**"] } },
    { id: "odd", effect: "deny", touch: { read: ["./*odd*"] } },
    { id: "contained", effect: "ask", touch: { read: ["./a"] }, containment: ["sandbox"] },
    { id: "late", effect: "deny", touch: { read: ["./a"] }, when: 'call.actor == "late"' },
  ]);
  const read = (name: string): Touch => ({ kind: "read", path: `/workspace/${name}` });

  it("are found for more files than are remembered", () => {
    const ruleOf = (name: string) => rules.judge(read(name), factsFor("one")).ruleId;
    for (let n = 0; n < 10_010; n++) expect(ruleOf(n % 2 === 0 ? `${n}` : `${n}odd`)).toBe(n % 2 === 0 ? "all" : "odd");
    expect([ruleOf("0"), ruleOf("1odd")]).toEqual(["all", "odd"]);
  });

  it("are found for more tools per file than are remembered", () => {
    for (let n = 0; n < 40; n++) expect(rules.judge(read("b"), factsFor(`tool${n}`)).ruleId).toBe("all");
  });

  it("are found again as they were found first, whatever is done to the file or folder", () => {
    const nobodys: Touch = { kind: "read", path: "/elsewhere" };
    const crooked: Touch = { kind: "read", path: "/workspace/x/../a" };
    const touches: readonly Touch[] = [
      ...[read("c"), read("odd"), read("a"), nobodys, crooked],
      { kind: "read", path: "/workspace/c", tree: true },
      { kind: "read", path: "/workspace/c", names: true },
      { kind: "delete", path: "/workspace/c" },
      { kind: "exec", program: "/bin/c", origin: "toolchain", argv: [{ text: "c", known: true }] },
    ];
    const judged = () => touches.map((touch) => rules.judge(touch, factsFor("one")));
    const first = judged();
    expect(first.map(({ ruleId }) => ruleId)).toEqual(["all", "odd", "all", null, null, "all", "all", null, null]);
    expect([judged(), judged()]).toEqual([first, first]);
  });

  it("what a call says of itself is not remembered", () => {
    const judged = (more: object) => rules.judge(read("a"), { ...factsFor("one"), ...more }).ruleId;
    for (let times = 0; times < 2; times++) {
      expect(judged({ containment: "process" })).toBe("all");
      expect(judged({ containment: "sandbox" })).toBe("contained");
      expect(judged({ containment: "sandbox", actor: "late" })).toBe("late");
    }
  });
});
