import { describe, expect, it } from "vitest";
import type { RuleSource } from "../../src/rules/rule.ts";
import { factsFor, rulesOf } from "./sample-facts.ts";

const WORKSPACE = "/workspace";
const GIVEN = { read: ["/opt/data/**"], write: ["./out/**"], connect: ["api.example:443"] };

const granted = (rules: readonly RuleSource[], given: Partial<typeof GIVEN> = GIVEN) =>
  rulesOf(rules, WORKSPACE).operatorGrant({ read: [], write: [], connect: [], ...given }, factsFor("up"));

describe("what the operator grants to a program that serves many calls", () => {
  it("is theirs and the workspace, to be read", () => {
    expect(granted([])).toEqual({
      grant: {
        read: ["./**", "/opt/data/**"],
        write: ["./out/**"],
        connect: ["api.example:443"],
        hide: [],
        readOnly: [],
        noConnect: [],
      },
      spoken: [],
    });
    expect(granted([], {}).grant).toMatchObject({ read: ["./**"], write: [], connect: [] });
  });

  it("is without what rules deny, and without what they would ask about", () => {
    const { grant } = granted([
      { id: "no-read", effect: "deny", touch: { read: ["./closed/**"] } },
      { id: "ask-write", effect: "ask", touch: { write: ["./out/locked/**"] } },
      { id: "no-host", effect: "deny", touch: { connect: ["api.example:443"] } },
    ]);
    expect(grant).toMatchObject({
      hide: ["./closed/**"],
      readOnly: ["./out/locked/**"],
      noConnect: ["api.example:443"],
    });
  });

  it("is nothing for a pattern that can't be read", () => {
    const { grant } = granted([], { read: ["./a/[z"], connect: ["no port"] });
    expect(grant).toMatchObject({ read: ["./**"], connect: [] });
  });
});
