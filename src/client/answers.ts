// Made by `node scripts/write-client.ts` from the OpenAPI document. Changes here are lost.

export interface Receipt {
  readonly seq: number;
  readonly hash: string;
}

export interface Outcome {
  readonly kind: "completed" | "failed" | "refused" | "pending" | "unknown";
  readonly callId: string;
  readonly tool: string;
  readonly durationMs: number;
  readonly receipt?: Receipt;
  readonly content?: readonly { readonly type: string }[];
  readonly structured?: Readonly<Record<string, unknown>>;
  readonly exitCode?: number;
  readonly truncated?: Readonly<Record<string, unknown>>;
  readonly attempts?: number;
  readonly cached?: boolean;
  readonly containment?: string;
  readonly sandbox?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: string; readonly message: string; readonly retryable: boolean };
  readonly refusal?: {
    readonly code: string;
    readonly stage: string;
    readonly message: string;
    readonly hint?: string;
    readonly ruleId?: string;
  };
  readonly approval?: {
    readonly id: string;
    readonly risk: "LOW" | "MEDIUM" | "HIGH";
    readonly reasons: readonly string[] /** ISO 8601, UTC */;
    readonly deadline: string;
  };
}

export interface Approval {
  readonly approval_id: string;
  readonly tool_id: string;
  readonly tool_name: string;
  readonly risk_level: "LOW" | "MEDIUM" | "HIGH";
  readonly status: "pending" | "approved" | "rejected" | "timeout" | "cancelled";
  readonly description: string;
  readonly reasons: readonly string[];
  readonly rule_id?: string;
  readonly requested_by: string;
  readonly session_id?: string /** of the plan that it is about: an answer may name it */;
  readonly plan_digest: string /** ISO 8601, UTC */;
  readonly deadline: string;
  readonly timeout_seconds: number;
  readonly resolved_by?: string | null;
  readonly reason?: string | null;
  readonly resolved_at_seq?: number | null;
}

export interface AlwaysRule {
  readonly available: boolean;
  readonly rule_id?: string /** the rule as it would be saved */;
  readonly text?: string /** SHA-256 of `text`: what an answer with `always` names */;
  readonly digest?: string /** why there is no such rule */;
  readonly because?: string;
  readonly hint?: string;
}

export interface Execution {
  readonly id: string;
  readonly user_id: string;
  readonly project_id: string;
  readonly session_id: string;
  readonly approval_id: string | null;
  readonly tool_name: string;
  readonly tool_params: unknown;
  readonly result: unknown /** SHA-256 of what was judged */;
  readonly plan_digest: string | null /** SHA-256 of the arguments as canonical JSON (RFC 8785) */;
  readonly params_digest: string | null;
  readonly risk_level: "LOW" | "MEDIUM" | "HIGH" | null;
  readonly requires_approval: boolean;
  readonly status:
    | "PENDING"
    | "AWAITING_APPROVAL"
    | "APPROVED"
    | "EXECUTING"
    | "COMPLETED"
    | "REJECTED"
    | "TIMEOUT"
    | "FAILED"
    | "DENIED"
    | "CANCELLED"
    | "OUTCOME_UNKNOWN";
  readonly error: string | null;
  readonly error_type: string | null;
  readonly execution_time_ms: number | null /** ISO 8601, UTC */;
  readonly created_at: string | null /** ISO 8601, UTC */;
  readonly completed_at: string | null /** ISO 8601, UTC */;
  readonly approved_at: string | null;
}

export interface Session {
  readonly session_id: string;
  readonly project_id: string;
  readonly kind: "implicit" | "opened";
  readonly label: string;
  readonly parent_id?: string | null;
  readonly lease: Readonly<Record<string, unknown>>;
  readonly opened_by: string /** ISO 8601, UTC */;
  readonly opened_at: string;
  readonly state: "open" | "ended";
}

export interface Tool {
  readonly name: string;
  readonly description: string /** the properties of its input */;
  readonly parameters: Readonly<Record<string, unknown>> /** all of it, as JSON Schema */;
  readonly input_schema: Readonly<Record<string, unknown>> /** null: it depends on the arguments */;
  readonly requires_approval: boolean | null /** null: it depends on the arguments */;
  readonly risk_level: "LOW" | "MEDIUM" | "HIGH" | null /** how long a question about it can be answered */;
  readonly timeout_seconds: number;
  readonly source?: string;
  readonly containment?: string;
}

export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: string;
  readonly hint?: string;
  readonly errors?: readonly { readonly field: string; readonly rule: string; readonly message: string }[];
  readonly retry_after?: number;
}
