import type { JsonObject } from "../../domain/json.ts";
import { LIMITS } from "../../domain/limits.ts";

const TEXT = { type: "string" } as const;
const TIME = { type: "string", description: "ISO 8601, UTC" } as const;
const NULLABLE_TIME = { type: ["string", "null"], description: "ISO 8601, UTC" } as const;
const NULLABLE_TEXT = { type: ["string", "null"] } as const;
const ANYTHING = {} as const;
const RISK = { enum: ["LOW", "MEDIUM", "HIGH"] } as const;

export const STATUSES = [
  "PENDING",
  "AWAITING_APPROVAL",
  "APPROVED",
  "EXECUTING",
  "COMPLETED",
  "REJECTED",
  "TIMEOUT",
  "FAILED",
  "DENIED",
  "CANCELLED",
  "OUTCOME_UNKNOWN",
] as const;

const object = <const Properties extends JsonObject, const Required extends readonly (keyof Properties & string)[]>(
  properties: Properties,
  required: Required,
) => ({ type: "object", properties, required: required as unknown as string[] }) as const satisfies JsonObject;

const Receipt = object({ seq: { type: "integer" }, hash: TEXT }, ["seq", "hash"]);

const Outcome = object(
  {
    kind: { enum: ["completed", "failed", "refused", "pending", "unknown"] },
    callId: TEXT,
    tool: TEXT,
    durationMs: { type: "number" },
    receipt: { $ref: "#/components/schemas/Receipt" },
    content: { type: "array", items: { type: "object", required: ["type"], properties: { type: TEXT } } },
    structured: { type: "object" },
    exitCode: { type: "integer" },
    truncated: { type: "object" },
    attempts: { type: "integer" },
    cached: { type: "boolean" },
    containment: TEXT,
    sandbox: { type: "object" },
    error: {
      type: "object",
      required: ["code", "message", "retryable"],
      properties: { code: TEXT, message: TEXT, retryable: { type: "boolean" } },
    },
    refusal: {
      type: "object",
      required: ["code", "stage", "message"],
      properties: { code: TEXT, stage: TEXT, message: TEXT, hint: TEXT, ruleId: TEXT },
    },
    approval: {
      type: "object",
      required: ["id", "risk", "reasons", "deadline"],
      properties: { id: TEXT, risk: RISK, reasons: { type: "array", items: TEXT }, deadline: TIME },
    },
  },
  ["kind", "callId", "tool", "durationMs"],
);

const Approval = object(
  {
    approval_id: TEXT,
    tool_id: TEXT,
    tool_name: TEXT,
    risk_level: RISK,
    status: { enum: ["pending", "approved", "rejected", "timeout", "cancelled"] },
    description: TEXT,
    reasons: { type: "array", items: TEXT },
    rule_id: TEXT,
    requested_by: TEXT,
    session_id: TEXT,
    plan_digest: { type: "string", description: "of the plan that it is about: an answer may name it" },
    deadline: TIME,
    timeout_seconds: { type: "integer" },
    resolved_by: NULLABLE_TEXT,
    reason: NULLABLE_TEXT,
    resolved_at_seq: { type: ["integer", "null"] },
  },
  [
    ...(["approval_id", "tool_id", "tool_name", "risk_level", "status", "description", "reasons", "deadline"] as const),
    ...(["timeout_seconds", "requested_by", "plan_digest"] as const),
  ],
);

const AlwaysRule = object(
  {
    available: { type: "boolean" },
    rule_id: TEXT,
    text: { type: "string", description: "the rule as it would be saved" },
    digest: { type: "string", description: "SHA-256 of `text`: what an answer with `always` names" },
    because: { type: "string", description: "why there is no such rule" },
    hint: TEXT,
  },
  ["available"],
);

const Execution = object(
  {
    id: TEXT,
    user_id: TEXT,
    project_id: TEXT,
    session_id: TEXT,
    approval_id: NULLABLE_TEXT,
    tool_name: TEXT,
    tool_params: ANYTHING,
    result: ANYTHING,
    plan_digest: { type: ["string", "null"], description: "SHA-256 of what was judged" },
    params_digest: { type: ["string", "null"], description: "SHA-256 of the arguments as canonical JSON (RFC 8785)" },
    risk_level: { enum: ["LOW", "MEDIUM", "HIGH", null] },
    requires_approval: { type: "boolean" },
    status: { enum: STATUSES },
    error: NULLABLE_TEXT,
    error_type: NULLABLE_TEXT,
    execution_time_ms: { type: ["integer", "null"] },
    created_at: NULLABLE_TIME,
    completed_at: NULLABLE_TIME,
    approved_at: NULLABLE_TIME,
  },
  [
    ...(["id", "user_id", "project_id", "session_id", "approval_id", "tool_name", "tool_params", "result"] as const),
    ...(["risk_level", "requires_approval", "status", "error", "error_type", "execution_time_ms"] as const),
    ...(["created_at", "completed_at", "approved_at", "plan_digest", "params_digest"] as const),
  ],
);

const Tool = object(
  {
    name: TEXT,
    description: TEXT,
    parameters: { type: "object", description: "the properties of its input" },
    input_schema: { type: "object", description: "all of it, as JSON Schema" },
    requires_approval: { type: ["boolean", "null"], description: "null: it depends on the arguments" },
    risk_level: { enum: ["LOW", "MEDIUM", "HIGH", null], description: "null: it depends on the arguments" },
    timeout_seconds: { type: "integer", description: "how long a question about it can be answered" },
    source: TEXT,
    containment: TEXT,
  },
  ["name", "description", "parameters", "input_schema", "requires_approval", "risk_level", "timeout_seconds"],
);

const Session = object(
  {
    session_id: TEXT,
    project_id: TEXT,
    kind: { enum: ["implicit", "opened"] },
    label: TEXT,
    parent_id: NULLABLE_TEXT,
    lease: { type: "object" },
    opened_by: TEXT,
    opened_at: TIME,
    state: { enum: ["open", "ended"] },
  },
  ["session_id", "project_id", "kind", "label", "lease", "opened_by", "opened_at", "state"],
);

const Problem = object(
  {
    type: TEXT,
    title: TEXT,
    status: { type: "integer" },
    detail: TEXT,
    code: TEXT,
    hint: TEXT,
    errors: { type: "array", items: object({ field: TEXT, rule: TEXT, message: TEXT }, ["field", "rule", "message"]) },
    retry_after: { type: "integer" },
  },
  ["type", "title", "status", "detail", "code"],
);

/** What answers hold, by name. */
export const SCHEMAS = {
  Receipt,
  Outcome,
  Approval,
  AlwaysRule,
  Execution,
  Session,
  Tool,
  Problem,
} as const satisfies Record<string, JsonObject>;

export const ref = (name: keyof typeof SCHEMAS): JsonObject => ({ $ref: `#/components/schemas/${name}` });

export const listOf = (member: string, name: keyof typeof SCHEMAS): JsonObject =>
  object({ [member]: { type: "array", items: ref(name) }, next: NULLABLE_TEXT }, [member, "next"]);

export const LIMIT_QUERY = {
  type: "integer",
  minimum: LIMITS.pageItems.minimum,
  maximum: LIMITS.pageItems.maximum,
  description: "how many at most",
} as const;

/** Where a list goes on: ids of what it lists are in its order, and those of anything else have no place in it. */
export const cursorQuery = <const Kind extends string>(kind: Kind) =>
  ({
    type: "string",
    pattern: `^${kind}_[!-~]{1,200}$`,
    description: "`next` of the page before",
  }) as const;

/** What a conversation or a session is called. */
export const SESSION_ID = { type: "string", minLength: 1, maxLength: LIMITS.idLength.maximum } as const;
