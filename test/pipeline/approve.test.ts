import { describe, expect, it } from "vitest";
import { CODES } from "../../src/domain/codes.ts";
import { digestOf } from "../../src/domain/digest.ts";
import type { Answered } from "../../src/domain/question.ts";
import { approvedByPerson, approvedByRule, notApproved } from "../../src/pipeline/approve.ts";
import { YES } from "../support/open-approver.ts";
import { judgedCall } from "../support/sample-calls.ts";

describe("a rule's allow", () => {
  it("is an approval by that rule", () =>
    expect(approvedByRule(judgedCall("allow"))).toMatchObject({ approval: { by: "rule", who: "r" } }));
});

describe("a person's yes", () => {
  const call = judgedCall("ask");
  const asked = { digest: call.seal.digest, planDigest: digestOf(call.plan) };
  const OTHER = digestOf("other");
  const by = (step: ReturnType<typeof approvedByPerson>) =>
    step.kind === "pass" ? step.call.approval.by : step.refusal.code;

  it("is one to this very plan, and has their name", () => {
    const step = approvedByPerson(call, asked, YES);
    expect(step.kind === "pass" && step.call).toEqual({ ...call, approval: { by: "person", who: "ann" } });
  });

  it.each<["allow" | "ask", boolean, boolean, string]>([
    // what the rules say now, same seal, same plan
    ["ask", true, true, "person"],
    ["allow", true, true, "person"],
    ["ask", false, true, "APPROVAL_STALE"],
    ["ask", false, false, "APPROVAL_STALE"],
    ["allow", false, true, "rule"], // "always": the rules have come to allow just that
    ["allow", false, false, "APPROVAL_STALE"],
  ])("where rules now say %s, the seal is the same: %s, the plan: %s, gives %s", (effect, sameSeal, samePlan, end) => {
    const now = judgedCall(effect);
    const step = approvedByPerson(
      now,
      { digest: sameSeal ? asked.digest : OTHER, planDigest: samePlan ? asked.planDigest : OTHER },
      YES,
    );
    expect(by(step)).toBe(end);
  });
});

describe("what is no yes", () => {
  it.each<[Exclude<Answered, { kind: "approve" }>, string, string, string | undefined]>([
    [{ kind: "reject", who: "ann" }, "APPROVAL_REJECTED", "ann said no", "do it another way"],
    [
      { kind: "reject", who: "ann", reason: "not on Friday" },
      "APPROVAL_REJECTED",
      "ann said no: not on Friday",
      "do it another way",
    ],
    [
      { kind: "expired" },
      "APPROVAL_EXPIRED",
      "nobody answered in time",
      "call again while somebody is there to answer",
    ],
    [{ kind: "cancelled" }, "CANCELLED", "the call was cancelled while its question was open", undefined],
  ])("%j", (answer, code, message, hint) => {
    expect(notApproved(answer)).toEqual({ code, stage: "approve", message, ...(hint && { hint }) });
    expect(CODES).toHaveProperty(code);
  });
});
