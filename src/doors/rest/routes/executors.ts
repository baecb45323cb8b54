import { LIMITS } from "../../../domain/limits.ts";
import type { Identity } from "../../wire/identity.ts";
import { problem, problemFromRefusal } from "../../wire/problem.ts";
import type { DoorParts } from "../../wire/server-env.ts";
import { recordFor } from "../record-for.ts";
import { type Answer, json, type Route, route } from "../route.ts";

const TOKEN = { type: "string", minLength: 1, maxLength: 128, description: "`dispatch_token` of the signal" } as const;
const NULLABLE = { type: ["string", "null"], maxLength: LIMITS.executorResultBytes.default } as const;

export const acknowledgeTool: Route = route({
  id: "acknowledgeTool",
  method: "POST",
  path: "/my/projects/{project}/tools/{tool_id}/ack",
  summary:
    "An executor says that it begins with a call. It runs it only if the answer is 200, which holds the call whole.",
  access: "executor",
  body: {
    type: "object",
    additionalProperties: false,
    required: ["dispatch_token"],
    properties: { dispatch_token: TOKEN },
  },
  answers: {
    200: {
      means: "the call is for this executor, and for no other",
      schema: {
        type: "object",
        required: ["success", "tool_id", "tool_name", "tool_params", "plan_digest", "params_digest", "timeout_seconds"],
        properties: {
          success: { const: true },
          tool_id: { type: "string" },
          tool_name: { type: "string" },
          tool_params: { type: "object" },
          plan_digest: { type: "string" },
          params_digest: { type: "string" },
          timeout_seconds: { type: "number" },
        },
      },
    },
    409: { means: "it is not, or not any more: it must not be run" },
    503: { means: "the ledger can't be told, so it must not be run" },
  },
  handle: async ({ params, body, identity }, { gate, metrics }) => {
    const taken = await gate.executors.take(params["tool_id"] ?? "", body.dispatch_token, identity.actor);
    metrics.count("toolgate_dispatches_total", { how: taken.kind });
    switch (taken.kind) {
      case "taken":
        return json(200, { success: true, ...taken.signal });
      case "withdrawn":
        return problem("DISPATCH_WITHDRAWN", {
          detail: "the call is not this executor's to run",
          hint: "don't run it; wait for the next signal",
        });
      case "failed":
        return problemFromRefusal(taken.refusal);
      default:
        return taken satisfies never;
    }
  },
});

export const submitResult: Route = route({
  id: "submitResult",
  method: "POST",
  path: "/my/projects/{project}/tools/{tool_id}/result",
  summary: "An executor says how a call ended. The first to say so is heard; the same once more changes nothing.",
  access: "executor",
  bodyBytesMax: LIMITS.executorResultBytes.default,
  body: {
    type: "object",
    additionalProperties: false,
    required: ["status"],
    properties: {
      status: { enum: ["completed", "failed"] },
      result: {
        type: "object",
        properties: {
          success: { type: "boolean" },
          stdout: NULLABLE,
          stderr: NULLABLE,
          exit_code: { type: ["integer", "null"] },
        },
      },
      error: { type: ["string", "null"], maxLength: LIMITS.itemBytes.maximum },
      completed_at: { type: "string", maxLength: 64, description: "not believed" },
      session_id: { type: "string", maxLength: LIMITS.idLength.maximum, description: "not believed" },
      dispatch_token: TOKEN,
    },
  },
  answers: {
    200: {
      means: "it is the result, and the ledger has the call's end",
      schema: {
        type: "object",
        required: ["success", "tool_id", "status", "message"],
        properties: {
          success: { const: true },
          tool_id: { type: "string" },
          status: { enum: ["completed", "failed"] },
          message: { type: "string" },
        },
      },
    },
    403: { means: "the call was handed to somebody else, or to nobody" },
    404: { means: "there is no such call" },
    409: { means: "the call has another end, or none that could come yet; `winner` says which" },
    413: { means: `it has more than ${LIMITS.executorResultBytes.default} bytes; the call goes on` },
    503: { means: "the end of the call can't be written" },
  },
  handle: async ({ params, body, identity }, parts) => {
    const callId = params["tool_id"] ?? "";
    const { status, result, error, dispatch_token: token } = body;
    const said = { status, ...(result && { result }), ...(typeof error === "string" && { error }) };
    const posted = await parts.gate.executors.post({ callId, actor: identity.actor, token: token ?? null, said });
    parts.metrics.count("toolgate_client_results_total", { how: posted.kind });
    switch (posted.kind) {
      case "recorded":
      case "same": {
        const message = posted.kind === "recorded" ? "Tool result processed" : "Tool result was processed before";
        return json(200, { success: true, tool_id: callId, status, message });
      }
      case "conflict":
        return lost("RESULT_CONFLICT", "the call has its end already", callId, identity, parts);
      case "late": {
        const { evidence } = posted;
        const detail =
          evidence === null ? "the call ended before" : "the call ended before; what came is kept beside it";
        return lost("RESULT_LATE", detail, callId, identity, parts, { evidence });
      }
      case "early":
        return lost("ILLEGAL_TRANSITION", "the call was not handed to an executor", callId, identity, parts);
      case "foreign":
        return problem("RESULT_NOT_EXPECTED", { detail: "the call was not handed to this executor" });
      case "elsewhere":
        return problem("EXECUTION_ELSEWHERE", { detail: "another process holds the call", hint: "send it there" });
      case "unknown":
        return problem("EXECUTION_UNKNOWN", { detail: "there is no call with this id" });
      case "failed":
        return problemFromRefusal(posted.refusal);
      default:
        return posted satisfies never;
    }
  },
});

/** Whoever comes too late, or too early, is told how the call stands. */
async function lost(
  code: "RESULT_CONFLICT" | "RESULT_LATE" | "ILLEGAL_TRANSITION",
  detail: string,
  callId: string,
  identity: Identity,
  { gate }: DoorParts,
  more: Readonly<Record<string, unknown>> = {},
): Promise<Answer> {
  const execution = await gate.executions.find(callId);
  const winner = execution && recordFor(execution, identity, gate);
  return problem(code, { detail, more: { winner, ...more } });
}
