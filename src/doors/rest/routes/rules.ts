import type { JsonValue } from "../../../domain/json.ts";
import { LIMITS } from "../../../domain/limits.ts";
import { problem } from "../../wire/problem.ts";
import { json, type Route, route } from "../route.ts";
import { SESSION_ID } from "../schemas.ts";
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

const PROBLEM_OF_RULES = {
  type: "object",
  required: ["file", "line", "column", "message"],
  properties: {
    file: { type: "string" },
    line: { type: "integer" },
    column: { type: "integer" },
    message: { type: "string" },
    hint: { type: "string" },
  },
} as const;

export const checkRules: Route = route({
  id: "checkRules",
  method: "POST",
  path: "/my/projects/{project}/rules/check",
  summary: "Whether rules would load, with all that is wrong with them. Nothing comes into force.",
  access: "admin",
  bodyBytesMax: LIMITS.smallRequestBytes.maximum,
  body: {
    type: "object",
    additionalProperties: false,
    properties: {
      rules: { type: "array", description: "as under `rules` in toolgate.yaml; left out: the settings on the disk" },
    },
  },
  answers: {
    200: {
      means: "`ok`, or what is wrong and where",
      schema: {
        type: "object",
        required: ["ok", "in_force", "rules", "problems", "examples"],
        properties: {
          ok: { type: "boolean" },
          in_force: { type: ["boolean", "null"], description: "whether they judge now; null: they can't" },
          rules: { type: ["integer", "null"] },
          problems: { type: "array", items: PROBLEM_OF_RULES },
          examples: {
            type: "array",
            items: {
              type: "object",
              required: ["rule_id", "example", "holds"],
              properties: {
                rule_id: { type: "string" },
                example: { type: "string" },
                wanted: { enum: ["match", "noMatch"] },
                holds: { type: "boolean" },
              },
            },
          },
        },
      },
    },
  },
  handle: async ({ body }, { gate }) => {
    const given = body.rules as readonly JsonValue[] | undefined;
    const { ok, isInForce, rules, problems, examples } = await gate.checkRules(given);
    return json(200, {
      ok,
      in_force: isInForce,
      rules,
      problems,
      examples: examples.map(({ ruleId, example, wanted, holds }) => ({ rule_id: ruleId, example, wanted, holds })),
    });
  },
});

const TOO_MANY = "this caller has asked about as many calls as it may in a minute";

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
      session_id: SESSION_ID,
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
    403: { means: "the session is somebody else's" },
    429: { means: "more than one caller may ask in a minute" },
  },
  handle: async ({ body, identity, gone }, { gate, callRate }) => {
    const { tool_name: tool, tool_params: input = {}, session_id: sessionId } = body;
    const session = await sessionFor(identity, gate, sessionId);
    if (session instanceof Response) return session;
    // Planning costs what it does for a call. Counted apart: who only asks uses up nothing of what may be called.
    const waitSeconds = callRate.waitSeconds(`explain\0${identity.actor}`);
    if (waitSeconds !== null) return problem("TOO_MANY_REQUESTS", { detail: TOO_MANY, retryAfterSeconds: waitSeconds });
    return json(200, await gate.explain({ tool, input, session, actor: identity.actor }, { signal: gone }));
  },
});
