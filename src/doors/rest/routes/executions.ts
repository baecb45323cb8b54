import { LIMITS } from "../../../domain/limits.ts";
import type { Execution } from "../../../wiring/executions.ts";
import type { Gate } from "../../../wiring/gate.ts";
import { type Identity, mayUse } from "../../wire/identity.ts";
import { problem, problemFromRefusal } from "../../wire/problem.ts";
import { statesWith } from "../execution-record.ts";
import { recordFor } from "../record-for.ts";
import { json, type Route, route } from "../route.ts";
import { cursorQuery, LIMIT_QUERY, listOf, ref, SESSION_ID, STATUSES } from "../schemas.ts";
import { seenSession } from "../session-for.ts";

const ID = { type: "string", maxLength: LIMITS.idLength.maximum } as const;

export const listExecutions: Route = route({
  id: "listExecutions",
  method: "GET",
  path: "/my/projects/{project}/executions",
  summary: "Calls, the newest first, without their arguments and results. A page may be short although there are more.",
  access: "any",
  query: {
    type: "object",
    additionalProperties: false,
    properties: {
      status: { enum: STATUSES },
      tool_name: ID,
      session_id: SESSION_ID,
      limit: LIMIT_QUERY,
      cursor: cursorQuery("call"),
    },
  },
  answers: { 200: { means: "a page of them", schema: listOf("executions", "Execution") } },
  handle: ({ query, identity }, { gate }) => {
    const { status, tool_name: tool, limit = LIMITS.pageItems.default, cursor } = query;
    const sessionId = seenSession(identity) ?? query.session_id;
    const { executions, next } = gate.executions.list({
      limit,
      ...(status !== undefined && { states: statesWith(status) }),
      ...(tool !== undefined && { tool }),
      ...(sessionId !== undefined && { sessionId }),
      ...(cursor !== undefined && { before: cursor }),
    });
    const records = executions.map((one) => recordFor(one, identity, gate));
    return json(200, {
      executions: records.filter((record) => status === undefined || record.status === status),
      next,
    });
  },
});

export const showExecution: Route = route({
  id: "showExecution",
  method: "GET",
  path: "/my/projects/{project}/executions/{execution_id}",
  summary:
    "A call. Its arguments and its result are shown to who made it, to approvers and to the executor that it is for; to others they are null.",
  access: "any",
  answers: {
    200: { means: "the call", schema: ref("Execution") },
    403: { means: "the lease does not cover it any more" },
    404: { means: "there is no such call" },
  },
  handle: async ({ params, identity }, { gate }) => {
    const execution = await seen(params["execution_id"] ?? "", identity, gate);
    return execution instanceof Response ? execution : json(200, recordFor(execution, identity, gate));
  },
});

export const cancelExecution: Route = route({
  id: "cancelExecution",
  method: "POST",
  path: "/my/projects/{project}/executions/{execution_id}/cancel",
  summary: "Take a call back, or stop it. How it ends is told by the call itself.",
  access: "caller",
  body: { type: "object", additionalProperties: false, properties: {} },
  answers: {
    202: { means: "it was told to end", schema: ref("Execution") },
    403: {
      means: "somebody else made it, a rule wants to hear others about it, or the lease does not cover it any more",
    },
    404: { means: "there is no such call" },
    409: { means: "it has ended, or another process runs it" },
  },
  handle: async ({ params, identity }, { gate }) => {
    const callId = params["execution_id"] ?? "";
    const before = await seen(callId, identity, gate);
    if (before instanceof Response) return before;
    // The administrator may end anything: the server too.
    const isTheirs = identity.session !== null || before.actor === identity.actor || mayUse(identity, "admin");
    if (!isTheirs && !mayUse(identity, "approver"))
      return problem("ROLE_REQUIRED", { detail: "somebody else made the call" });
    const by = { who: identity.actor, roles: identity.roles };
    const cancelled = await gate.executions.cancel(callId, isTheirs ? undefined : by);
    switch (cancelled.kind) {
      case "cancelled": {
        const execution = await seen(callId, identity, gate);
        return execution instanceof Response ? execution : json(202, recordFor(execution, identity, gate));
      }
      case "unknown":
        return UNKNOWN();
      case "over": {
        const over = await seen(callId, identity, gate);
        if (over instanceof Response) return over;
        return problem("EXECUTION_OVER", {
          detail: "the call has ended already",
          more: { execution: recordFor(over, identity, gate) },
        });
      }
      case "elsewhere":
        return problem("EXECUTION_ELSEWHERE", { detail: "another process runs the call", hint: "cancel it there" });
      case "ineligible":
        return problem("APPROVER_NOT_ELIGIBLE", { detail: cancelled.because });
      case "failed":
        return problemFromRefusal(cancelled.refusal);
      default:
        return cancelled satisfies never;
    }
  },
});

/** Another session's calls are not there: not even their existence is told. Of its own, an agent sees what its lease covers. */
async function seen(callId: string, { session }: Identity, gate: Gate): Promise<Execution | Response> {
  const found = session ? await gate.executions.seenBy(session, callId) : await gate.executions.find(callId);
  if (found === null) return UNKNOWN();
  return "refusal" in found ? problemFromRefusal(found.refusal) : found;
}

const UNKNOWN = (): Response => problem("EXECUTION_UNKNOWN", { detail: "there is no call with this id" });
