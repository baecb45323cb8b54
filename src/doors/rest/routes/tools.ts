import { LIMITS } from "../../../domain/limits.ts";
import type { ToolDefinition } from "../../../domain/tool.ts";
import { TOO_MANY } from "../../wire/call-rate.ts";
import { statusOf } from "../../wire/http-status.ts";
import { KEY_RULE, keyIn } from "../../wire/idempotency-key.ts";
import { problem } from "../../wire/problem.ts";
import { takenOut } from "../../wire/taken-out.ts";
import { json, type Route, route } from "../route.ts";
import { ref, SESSION_ID } from "../schemas.ts";
import { sessionFor } from "../session-for.ts";

export const availableTools: Route = route({
  id: "availableTools",
  method: "GET",
  path: "/my/projects/{project}/tools/available",
  summary: "The tools. Whether a call is asked about is for the rules to say: `requires_approval` is what to expect.",
  access: "any",
  answers: {
    200: {
      means: "all of them",
      schema: {
        type: "object",
        required: ["success", "tools", "total_count"],
        properties: {
          success: { const: true },
          tools: { type: "array", items: ref("Tool") },
          total_count: { type: "integer" },
        },
      },
    },
  },
  handle: (_, { gate }) => {
    const tools = gate.tools().map(toolRecord);
    return json(200, { success: true, tools, total_count: tools.length });
  },
});

export const executeTool: Route = route({
  id: "executeTool",
  method: "POST",
  path: "/my/projects/{project}/tools/execute",
  summary: "Make a governed call. Its answer is the outcome; the call goes on when whoever made it is gone.",
  access: "caller",
  bodyBytesMax: LIMITS.requestBytes.default,
  headers: {
    "Idempotency-Key":
      "a name for this very call: made again under it within an hour, it is not made twice, and the answer is the first one's",
  },
  body: {
    type: "object",
    additionalProperties: false,
    required: ["tool_name"],
    properties: {
      tool_name: { type: "string", maxLength: LIMITS.idLength.maximum },
      tool_params: { description: "what the tool takes; left out: an empty object" },
      session_id: { ...SESSION_ID, description: "the conversation that the call belongs to" },
      wait: {
        type: "boolean",
        description: "whether to wait for a person's answer (default), or to come back with a `pending` outcome",
      },
    },
  },
  answers: {
    200: { means: "it ran; `kind` says how it ended", schema: ref("Outcome") },
    202: { means: "somebody has to answer first, and the caller does not wait", schema: ref("Outcome") },
    403: { means: "a rule or a person says no", schema: ref("Outcome") },
    404: { means: "there is no such tool", schema: ref("Outcome") },
    409: { means: "the world changed meanwhile, or the call was cancelled", schema: ref("Outcome") },
    410: { means: "nobody answered in time", schema: ref("Outcome") },
    422: { means: "the arguments make no sense", schema: ref("Outcome") },
    429: { means: "this caller asks or calls more than it may", schema: ref("Outcome") },
    500: { means: "a mistake of the gate", schema: ref("Outcome") },
    503: { means: "the gate can't run it now", schema: ref("Outcome") },
  },
  handle: async ({ body, identity, gone, headers }, { gate, stopping, callRate, tokens }) => {
    const { tool_name: tool, tool_params: input = {}, session_id: sessionId, wait = true } = body;
    const session = await sessionFor(identity, gate, sessionId);
    if (session instanceof Response) return session;
    const waitSeconds = callRate.waitSeconds(identity.actor);
    if (waitSeconds !== null) {
      return problem("TOO_MANY_REQUESTS", { detail: TOO_MANY, retryAfterSeconds: waitSeconds });
    }
    const key = keyIn(headers);
    if (key === null) return problem("REQUEST_INVALID", { detail: KEY_RULE });
    const first = await gate.executions.execute({ tool, input, session, actor: identity.actor, key });
    if (first === null) {
      return problem("BUSY", { detail: "as many calls run and wait as the server takes on", retryAfterSeconds: 1 });
    }
    const isAwaited = first.kind === "pending" && wait;
    const outcome = isAwaited ? await gate.executions.settled(first, AbortSignal.any([gone, stopping])) : first;
    // An agent hears that its call was not run, and so that its lease is over.
    const isNothing = identity.session !== null && (outcome.kind === "refused" || outcome.kind === "pending");
    const refused = isNothing ? null : await takenOut(identity, tokens);
    return refused ?? json(statusOf(outcome), outcome);
  },
});

/** As the Agent Tools seed lists them; what it leaves out is beside it. */
function toolRecord({ name, description, inputSchema, source, containment, effects, timeoutMs }: ToolDefinition) {
  const { filesystem, network, subprocess, destructive } = effects ?? {};
  const isReading =
    filesystem?.write === false && filesystem.delete === false && network === false && destructive === false;
  // Of what happens elsewhere nobody knows more, and a question about it says the same.
  const isElsewhere = containment === "client" || containment === "upstream";
  const own = isReading ? "LOW" : destructive || subprocess === undefined ? "HIGH" : "MEDIUM";
  const risk = isElsewhere ? "MEDIUM" : own;
  return {
    name,
    description,
    parameters: inputSchema["properties"] ?? {},
    input_schema: inputSchema,
    requires_approval: risk !== "LOW",
    risk_level: risk,
    timeout_seconds: risk === "LOW" ? 0 : LIMITS[risk === "HIGH" ? "approvalHighMs" : "approvalMs"].default / 1000,
    execution_timeout_seconds: timeoutMs / 1000,
    source,
    containment,
  };
}
