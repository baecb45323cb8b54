import { LIMITS } from "../../../domain/limits.ts";
import type { PersonsAnswer } from "../../../domain/question.ts";
import { answeringRoles } from "../../wire/answering-roles.ts";
import type { FromSchema } from "../../wire/from-schema.ts";
import { problem, problemFromRefusal } from "../../wire/problem.ts";
import type { DoorParts } from "../../wire/server-env.ts";
import { savedFrom, shownRule } from "../always-rule.ts";
import { answeredBefore, noSuchQuestion } from "../answer-problems.ts";
import { STATUS_OF_ANSWER } from "../approval-record.ts";
import { type Answer, json, type Route, type RouteRequest, route } from "../route.ts";

const REASON = { type: "string", maxLength: LIMITS.answerLength.maximum, description: "stands in the ledger" } as const;
const DIGEST = { type: "string", maxLength: LIMITS.idLength.maximum } as const;

/** What both answers may carry. */
const SAID = {
  reason: REASON,
  plan_digest: {
    ...DIGEST,
    description: "of the plan that was shown: if the question is about another, it stays open",
  },
  always: {
    type: "object",
    additionalProperties: false,
    required: ["rule_digest"],
    properties: { rule_digest: { ...DIGEST, description: "of the rule that was shown: `always` of the question" } },
    description: "also save the rule that answers this from now on; for administrators",
  },
} as const;

const ANSWERED = {
  type: "object",
  required: ["success", "approval_id", "status"],
  properties: {
    success: { const: true },
    approval_id: { type: "string" },
    status: { enum: ["approved", "rejected", "pending"] },
    tool_id: { type: "string" },
    approvals_given: { type: "integer" },
    approvals_needed: { type: "integer" },
    always: {
      type: "object",
      required: ["saved"],
      properties: {
        saved: { type: "boolean", description: "false: the answer counts this once" },
        rule_id: { type: "string" },
        in_force: { type: "boolean", description: "false: the settings that it stands in do not load now" },
        because: { type: "string" },
        hint: { type: "string" },
      },
      description: "what became of the rule",
    },
  },
} as const;

const ANSWERS = {
  200: { means: "this answer counts", schema: ANSWERED },
  202: { means: "this answer counts, and more people have to give theirs", schema: ANSWERED },
  403: { means: "not for you to answer, or not always" },
  404: { means: "there is no such question" },
  409: {
    means: "it was answered before, and `winner` says how; or the plan or the rule is not the one that was shown",
  },
  410: { means: "its deadline is over" },
} as const;

export const approve: Route = route({
  id: "approve",
  method: "POST",
  path: "/my/projects/{project}/approvals/{approval_id}/approve",
  summary: "Say yes to a call. It runs if it is still what was asked about.",
  access: "approver",
  body: { type: "object", additionalProperties: false, properties: { decision: { const: "approved" }, ...SAID } },
  answers: ANSWERS,
  handle: (request, parts) => give("approve", request, parts),
});

export const reject: Route = route({
  id: "reject",
  method: "POST",
  path: "/my/projects/{project}/approvals/{approval_id}/reject",
  summary: "Say no to a call.",
  access: "approver",
  body: { type: "object", additionalProperties: false, properties: { decision: { const: "rejected" }, ...SAID } },
  answers: ANSWERS,
  handle: (request, parts) => give("reject", request, parts),
});

type Said = FromSchema<{ type: "object"; properties: typeof SAID }>;

async function give(
  kind: PersonsAnswer["kind"],
  { params, body, identity }: Pick<RouteRequest<unknown, Said>, "params" | "body" | "identity">,
  parts: DoorParts,
): Promise<Answer> {
  const { gate } = parts;
  const approvalId = params["approval_id"] ?? "";
  const { reason, plan_digest: planDigest, always } = body;
  const { actor: who } = identity;
  const roles = await answeringRoles(identity, parts);
  if (roles === null) return problem("ROLE_REQUIRED", { detail: "this needs the role `approver`" });
  const wanted = always && { approvalId, kind, digest: always.rule_digest };
  const rule = wanted === undefined ? null : await shownRule(wanted, { ...identity, roles }, gate);
  if (rule instanceof Response) return rule;
  const answer = { kind, who, ...(reason !== undefined && { reason }) };
  const result = await gate.executions.answer(approvalId, answer, { roles, planDigest });
  switch (result.kind) {
    case "recorded": {
      // INVARIANT (always only if it counts): whoever was second has answered nothing, and saves no rule.
      const saved = rule === null ? null : await gate.always.save(rule, { who, approvalId });
      return json(200, {
        success: true,
        approval_id: approvalId,
        status: STATUS_OF_ANSWER[kind],
        tool_id: result.question.callId,
        ...(saved !== null && { always: savedFrom(saved) }),
      });
    }
    case "counted":
      return json(202, {
        success: true,
        approval_id: approvalId,
        status: "pending",
        tool_id: result.question.callId,
        approvals_given: result.given,
        approvals_needed: result.needed,
      });
    case "ineligible":
      return problem("APPROVER_NOT_ELIGIBLE", { detail: result.because });
    case "conflict":
      return answeredBefore(result.question);
    case "unknown":
      return noSuchQuestion();
    case "failed":
      return problemFromRefusal(result.refusal);
    default:
      return result satisfies never;
  }
}
