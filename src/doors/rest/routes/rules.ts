import { LIMITS } from "../../../domain/limits.ts";
import { json, type Route, route } from "../route.ts";
import { sessionFor } from "../session-for.ts";

export const showRules: Route = route({
  id: "showRules",
  method: "GET",
  path: "/my/projects/{project}/rules",
  summary: "The rules in force, and the hash that every plan is sealed with.",
  access: "person",
  answers: {
    200: {
      means: "the rules",
      schema: {
        type: "object",
        required: ["hash", "rules"],
        properties: {
          hash: { type: "string" },
          rules: {
            type: "array",
            items: {
              type: "object",
              required: ["id", "effect"],
              properties: {
                id: { type: "string" },
                effect: { enum: ["allow", "ask", "deny"] },
                because: { type: ["string", "null"] },
              },
            },
          },
        },
      },
    },
  },
  handle: (_, { gate }) => {
    const { hash, sources } = gate.inForce.rules;
    return json(200, { hash, rules: sources });
  },
});

export const explainCall: Route = route({
  id: "explainCall",
  method: "POST",
  path: "/my/projects/{project}/rules/explain",
  summary: "What a call would touch and how the rules judge it. Nothing runs, nothing is recorded.",
  access: "caller",
  bodyBytesMax: LIMITS.requestBytes.default,
  body: {
    type: "object",
    additionalProperties: false,
    required: ["tool_name"],
    properties: {
      tool_name: { type: "string", maxLength: LIMITS.idLength.maximum },
      tool_params: { description: "what the tool takes" },
      session_id: { type: "string", maxLength: LIMITS.idLength.maximum },
    },
  },
  answers: {
    200: {
      means: "plan and decision",
      schema: {
        type: "object",
        required: ["decision", "touches", "risk", "reasons"],
        properties: { decision: { enum: ["allow", "ask", "deny"] }, touches: { type: "array" } },
      },
    },
  },
  handle: async ({ body, identity, gone }, { gate }) => {
    const { tool_name: tool, tool_params: input = {}, session_id: sessionId } = body;
    const session = sessionFor(identity, gate, sessionId);
    if (session instanceof Response) return session;
    return json(200, await gate.explain({ tool, input, session, actor: identity.actor }, { signal: gone }));
  },
});
