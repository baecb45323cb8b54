import { LIMITS } from "../../../domain/limits.ts";
import type { PersonsAnswer, Question } from "../../../domain/question.ts";
import { problem, problemFromRefusal } from "../../wire/problem.ts";
import type { DoorParts } from "../../wire/server-env.ts";
import { approvalFrom, STATUS_OF_ANSWER } from "../approval-record.ts";
import { type Answer, json, type Route, route } from "../route.ts";

const REASON = { type: "string", maxLength: LIMITS.answerLength.maximum, description: "stands in the ledger" } as const;

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
  },
} as const;

const ANSWERS = {
  200: { means: "this answer counts", schema: ANSWERED },
  202: { means: "this answer counts, and more people have to give theirs", schema: ANSWERED },
  403: { means: "not for you to answer" },
  404: { means: "there is no such question" },
  409: { means: "it was answered before; `winner` says how" },
  410: { means: "its deadline is over" },
} as const;

export const approve: Route = route({
  id: "approve",
  method: "POST",
  path: "/my/projects/{project}/approvals/{approval_id}/approve",
  summary: "Say yes to a call. It runs if it is still what was asked about.",
  access: "approver",
  body: {
    type: "object",
    additionalProperties: false,
    properties: { decision: { const: "approved" }, reason: REASON },
  },
  answers: ANSWERS,
  handle: ({ params, body, identity }, parts) =>
    give(
      params["approval_id"] ?? "",
      { kind: "approve", who: identity.actor, ...reasonOf(body) },
      identity.roles,
      parts,
    ),
});

export const reject: Route = route({
  id: "reject",
  method: "POST",
  path: "/my/projects/{project}/approvals/{approval_id}/reject",
  summary: "Say no to a call.",
  access: "approver",
  body: {
    type: "object",
    additionalProperties: false,
    properties: { decision: { const: "rejected" }, reason: REASON },
  },
  answers: ANSWERS,
  handle: ({ params, body, identity }, parts) =>
    give(
      params["approval_id"] ?? "",
      { kind: "reject", who: identity.actor, ...reasonOf(body) },
      identity.roles,
      parts,
    ),
});

const reasonOf = ({ reason }: { readonly reason?: string }) => (reason === undefined ? {} : { reason });

async function give(
  approvalId: string,
  answer: PersonsAnswer,
  roles: readonly string[],
  { gate }: DoorParts,
): Promise<Answer> {
  const result = await gate.executions.answer(approvalId, answer, roles);
  switch (result.kind) {
    case "recorded":
      return json(200, {
        success: true,
        approval_id: approvalId,
        status: STATUS_OF_ANSWER[answer.kind],
        tool_id: result.question.callId,
      });
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
      return lost(result.question);
    case "unknown":
      return problem("APPROVAL_UNKNOWN", { detail: "there is no such question" });
    case "failed":
      return problemFromRefusal(result.refusal);
    default:
      return result satisfies never;
  }
}

function lost(question: Question): Answer {
  const winner = approvalFrom(question);
  return question.answer?.kind === "expired"
    ? problem("APPROVAL_EXPIRED", { detail: "the deadline of this question is over", more: { winner } })
    : problem("APPROVAL_CONFLICT", { detail: `the question was answered before: ${winner.status}`, more: { winner } });
}
