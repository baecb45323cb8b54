import { describe, expect, it } from "vitest";
import { peopleNeeded, whyNotEligible } from "../../src/approval/eligible.ts";
import type { Approvers } from "../../src/domain/approvers.ts";
import type { ShownPlan } from "../../src/domain/question.ts";

const RULE: Approvers = { ruleId: "r", roles: null, users: null, people: 1, requester: "may" };
const shown = (...approvers: readonly Partial<Approvers>[]): ShownPlan =>
  ({ actor: "user:eve", approvers: approvers.map((one) => ({ ...RULE, ...one })) }) as unknown as ShownPlan;
const opened = (...approvers: readonly Partial<Approvers>[]): ShownPlan => ({
  ...shown(...approvers),
  openedBy: ["user:ann", "admin"],
});
const voter = (who: string, ...roles: readonly string[]) => ({ who, roles });

describe("who may answer", () => {
  it.each([
    ["anybody without a rule", {} as ShownPlan, voter("local:ann", "local"), true],
    ["anybody where nobody is named", shown({}), voter("local:ann", "local"), true],
    ["one of the roles", shown({ roles: ["ops", "sec"], users: [] }), voter("user:ann", "sec"), true],
    ["none of the roles", shown({ roles: ["ops"], users: [] }), voter("user:ann", "sec"), false],
    ["a named user", shown({ roles: [], users: ["ann"] }), voter("user:ann"), true],
    ["a named terminal", shown({ roles: [], users: ["local:ann"] }), voter("local:ann"), true],
    ["a user whose name only ends so", shown({ roles: [], users: ["ann"] }), voter("user:joann"), false],
    ["the administrator for a role", shown({ roles: ["ops"], users: [] }), voter("admin", "admin"), true],
    [
      "nobody for an empty list, not even the administrator",
      shown({ roles: [], users: [] }),
      voter("admin", "admin"),
      false,
    ],
    ["who made the call, where they may", shown({}), voter("user:eve"), true],
    ["who made the call, where they may not", shown({ requester: "never" }), voter("user:eve"), false],
    ["somebody else, where they may not", shown({ requester: "never" }), voter("user:ann"), true],
    ["who opened the session, where they may", opened({}), voter("user:ann"), true],
    ["who opened the session, where they may not", opened({ requester: "never" }), voter("user:ann"), false],
    ["who opened the one above it, where they may not", opened({ requester: "never" }), voter("local:ann"), false],
    ["somebody who opened none of them", opened({ requester: "never" }), voter("user:bob"), true],
    ["who pleases one rule and not the other", shown({}, { roles: ["ops"], users: [] }), voter("user:ann"), false],
  ])("%s", (_, question, who, may) => expect(whyNotEligible(question, who) === null).toBe(may));

  it("are as many as the rule that wants most", () => {
    expect(peopleNeeded(shown({ people: 1 }, { people: 3 }))).toBe(3);
    expect(peopleNeeded({} as ShownPlan)).toBe(1);
  });
});
