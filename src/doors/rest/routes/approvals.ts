import { LIMITS } from "../../../domain/limits.ts";
import { mayUse } from "../../wire/identity.ts";
import { problem } from "../../wire/problem.ts";
import { alwaysFrom } from "../always-rule.ts";
import { noSuchQuestion } from "../answer-problems.ts";
import { approvalFrom } from "../approval-record.ts";
import { approvalFor } from "../record-for.ts";
import { json, type Route, route } from "../route.ts";
import { cursorQuery, LIMIT_QUERY, listOf, ref } from "../schemas.ts";

export const listApprovals: Route = route({
  id: "listApprovals",
  method: "GET",
  path: "/my/projects/{project}/approvals",
  summary:
    "Questions: the open ones, the oldest first; or those that have their answer, the newest first. The texts of others' questions are for approvers.",
  access: "person",
  query: {
    type: "object",
    additionalProperties: false,
    properties: {
      status: { enum: ["pending", "resolved", "all"], description: "default: pending" },
      limit: LIMIT_QUERY,
      cursor: cursorQuery("approval"),
    },
  },
  answers: { 200: { means: "a page of them", schema: listOf("approvals", "Approval") } },
  handle: async ({ query, identity }, { gate }) => {
    const { status = "pending", limit = LIMITS.pageItems.default, cursor } = query;
    const questions =
      status === "pending"
        ? gate.approvals.each({ limit, ...(cursor !== undefined && { after: cursor }) })
        : gate.approvals.past({
            status: status === "all" ? "any" : "answered",
            limit,
            ...(cursor !== undefined && { before: cursor }),
          });
    const approvals = await Array.fromAsync(questions, (one) => approvalFor(one, identity));
    const next = approvals.length < limit ? null : (approvals.at(-1)?.approval_id ?? null);
    return json(200, { approvals, next });
  },
});

export const showApproval: Route = route({
  id: "showApproval",
  method: "GET",
  path: "/my/projects/{project}/approvals/{approval_id}",
  summary: "One question with the whole plan that it is about. What is approved is what is shown here.",
  access: "person",
  answers: {
    200: {
      means: "the question",
      schema: {
        type: "object",
        required: ["approval", "plan", "votes", "always"],
        properties: {
          approval: ref("Approval"),
          plan: { type: "object" },
          votes: {
            type: "object",
            required: ["given", "needed"],
            properties: {
              given: {
                type: "array",
                items: { type: "string" },
                description: "who has said yes so far, and may still",
              },
              needed: { type: "integer", description: "how many different people have to" },
            },
          },
          always: {
            type: ["object", "null"],
            required: ["approve", "reject"],
            properties: { approve: ref("AlwaysRule"), reject: ref("AlwaysRule") },
            description: "what `always` would save; null: not for you, or it has its answer",
          },
        },
      },
    },
    403: { means: "it is for who answers questions, and for who made the call" },
    404: { means: "there is no such question" },
  },
  handle: async ({ params, identity }, { gate }) => {
    const question = await gate.approvals.find(params["approval_id"] ?? "");
    if (question === null) return noSuchQuestion();
    // The plan has all that the call was given, as its record has it: see `recordFor`.
    if (question.shown.actor !== identity.actor && !mayUse(identity, "approver")) {
      return problem("ROLE_REQUIRED", { detail: "the plan is for who answers questions, and for who made the call" });
    }
    const always = alwaysFrom(question, identity, gate);
    const votes = gate.approvals.votes(question);
    return json(200, { approval: approvalFrom(question), plan: question.shown, votes, always });
  },
});
