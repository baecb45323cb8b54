import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type HeardAll, heardAnswer } from "../../src/approval/heard-answer.ts";
import { summaryOf } from "../../src/domain/automatic-answer.ts";
import { digestOfText } from "../../src/domain/digest.ts";
import type { Feedback, FeedbackStatus } from "../../src/domain/feedback.ts";

const said = (status: FeedbackStatus, id: string, more: Partial<Feedback> = {}): Feedback => ({
  ...{ id, status, messages: [], requiresManual: false, inputHash: digestOfText(""), latencyMs: 1 },
  ...more,
});
const policy = (id: string, skipsGovernors = false) => ({ id, reason: "docs", optionId: "allow", skipsGovernors });
const all = (parts: Partial<HeardAll>) => heardAnswer({ policies: [], feedback: [], autoDecision: null, ...parts });

describe("automatic answers", () => {
  it.each<[string, Partial<HeardAll>, string, string?]>([
    ["nobody", {}, "silent"],
    ["a policy", { policies: [policy("p")] }, "approve", "policy:p"],
    ["a governor's yes alone", { feedback: [said("approve", "g")] }, "silent"],
    ["all governors' yes", { feedback: [said("approve", "g")], autoDecision: "all_approve" }, "approve", "governor:g"],
    ["no governor at all", { autoDecision: "all_approve" }, "silent"],
    ["a veto after a policy", { policies: [policy("p")], feedback: [said("reject", "g")] }, "reject", "governor:g"],
    [
      "a veto of a governor that was to be skipped",
      { policies: [policy("p", true)], feedback: [said("reject", "g")] },
      "reject",
      "governor:g",
    ],
    ["a doubt", { policies: [policy("p")], feedback: [said("needs_attention", "g")] }, "person", "governor:g"],
    [
      "a doubt that is skipped",
      { policies: [policy("p", true)], feedback: [said("needs_attention", "g")] },
      "approve",
      "policy:p",
    ],
    [
      "a doubt that only one of two policies skips",
      { policies: [policy("p", true), policy("q")], feedback: [said("needs_attention", "g")] },
      "person",
      "governor:g",
    ],
    ["who was not heard", { policies: [policy("p", true)], feedback: [said("error", "g")] }, "person", "governor:g"],
    [
      "a yes that is not enough",
      { feedback: [said("approve", "g", { requiresManual: true })], autoDecision: "all_approve" },
      "person",
      "governor:g",
    ],
    [
      "one doubt among yeses",
      { feedback: [said("approve", "a"), said("needs_attention", "b")], autoDecision: "all_approve" },
      "person",
      "governor:b",
    ],
    [
      "several yeses",
      { feedback: [said("approve", "a"), said("approve", "b", { messages: ["fine"] })], autoDecision: "all_approve" },
      "approve",
      "governor:a and governor:b",
    ],
  ])("%s", (_, heard, kind, who) => {
    expect(all(heard)).toMatchObject({ kind, ...(who && { who }) });
  });

  it("say why", () => {
    expect(all({ feedback: [said("reject", "g", { messages: ["not on Fridays"] })] })).toMatchObject({
      reason: "not on Fridays",
    });
    expect(all({ feedback: [said("reject", "g")] })).toMatchObject({ reason: null });
    expect(all({ feedback: [said("error", "g", { messages: ["timed out"] })] })).toMatchObject({
      reason: "the governor `g` could not be heard: timed out",
    });
    expect(all({ feedback: [said("error", "g")] })).toMatchObject({ reason: "the governor `g` could not be heard" });
    expect(all({ feedback: [said("needs_attention", "g")] })).toMatchObject({
      reason: "the governor `g` wants a person to look",
    });
    const yes = [said("approve", "a"), said("approve", "b", { messages: ["fine"] })];
    expect(all({ feedback: yes, autoDecision: "all_approve" })).toMatchObject({ reason: "fine" });
    expect(all({ feedback: [said("approve", "a")], autoDecision: "all_approve" })).toMatchObject({ reason: null });
  });

  it("are told in a line each", () => {
    const feedback = [said("approve", "a"), said("needs_attention", "b", { messages: ["look", "more"] })];
    const heard = all({ policies: [policy("p", true)], feedback });
    expect(summaryOf(heard)).toEqual(["[policy:p] approve", "[a] Approve", "[b] Needs attention: look"]);
    expect(summaryOf(all({ feedback: [said("reject", "a")] }))).toEqual(["[a] Reject"]);
    expect(summaryOf(all({ feedback: [said("error", "a")] }))).toEqual(["[a] Error"]);
  });

  const statuses = fc.constantFrom<FeedbackStatus>("approve", "reject", "needs_attention", "error");
  const feedbacks = fc.array(fc.record({ status: statuses, manual: fc.boolean() }), { maxLength: 5 });
  const STRICTNESS = { approve: 0, silent: 1, person: 2, reject: 3 };

  it("law: one more voice of a governor never makes it milder, but for the first yes of all", () => {
    fc.assert(
      fc.property(feedbacks, statuses, fc.array(fc.boolean(), { maxLength: 3 }), (given, status, skips) => {
        const policies = skips.map((skip, n) => policy(`p${n}`, skip));
        const feedback = given.map((one, n) => said(one.status, `g${n}`, { requiresManual: one.manual }));
        const before = all({ policies, feedback });
        const after = all({ policies, feedback: [...feedback, said(status, "last")] });
        expect(STRICTNESS[after.kind]).toBeGreaterThanOrEqual(STRICTNESS[before.kind]);
      }),
    );
  });

  it("law: the order of voices decides nothing", () => {
    fc.assert(
      fc.property(feedbacks, fc.boolean(), (given, isAll) => {
        const feedback = given.map((one, n) => said(one.status, `g${n}`, { requiresManual: one.manual }));
        const autoDecision = isAll ? "all_approve" : null;
        expect(all({ feedback: feedback.toReversed(), autoDecision }).kind).toBe(all({ feedback, autoDecision }).kind);
      }),
    );
  });
});
