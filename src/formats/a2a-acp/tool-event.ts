import type { JsonObject } from "../../domain/json.ts";
import type { Outcome } from "../../domain/outcome.ts";

/** The seed's event `tool_execution`. Times are in seconds, as it has them. */
export interface ToolEvent {
  event: "tool_execution";
  task_id: string;
  timestamp: string;
  component: "bash_executor";
  data: {
    tool_id: string;
    status: "started" | "completed" | "failed";
    parameters?: JsonObject;
    execution_context?: string;
    execution_time?: number;
    return_code?: number | null;
    output_length?: number;
    cached?: boolean;
    error?: string;
    retry?: { attempts: number; retryable: boolean };
  };
}

interface Started {
  readonly callId: string;
  readonly tool: string;
  /** Without secrets. */
  readonly input: JsonObject;
  readonly project: string;
  /** ISO 8601. */
  readonly at: string;
}

export const startedEvent = ({ callId, tool, input, project, at }: Started): ToolEvent =>
  event(callId, at, { tool_id: tool, status: "started", parameters: input, execution_context: project });

/** Null: the call was refused or waits, so that nothing was executed. */
export function endedEvent(outcome: Outcome, at: string, attempts = 1): ToolEvent | null {
  const { callId, tool, durationMs } = outcome;
  const base = { tool_id: tool, execution_time: durationMs / 1000 };
  switch (outcome.kind) {
    case "completed": {
      const { exitCode = 0, cached } = outcome;
      const output = { return_code: exitCode, output_length: lengthOf(outcome.content), cached };
      return event(callId, at, { ...base, status: "completed", ...output });
    }
    case "failed":
    case "unknown": {
      const { error } = outcome;
      const content = outcome.kind === "failed" ? outcome.content : [];
      return event(callId, at, {
        ...base,
        status: "failed",
        return_code: error.exitCode ?? null,
        output_length: lengthOf(content),
        error: error.mapped?.message ?? error.message,
        retry: { attempts, retryable: error.retryable },
      });
    }
    case "refused":
    case "pending":
      return null;
    default:
      return outcome satisfies never;
  }
}

/** What the ledger alone knows of an end: nothing of what was printed, and errors by their codes. */
export function recordedEnd(callId: string, tool: string, at: string, data: JsonObject): ToolEvent {
  const { status, code, execution_time_ms: ms, exit_code: exitCode } = data;
  const isCompleted = status === "completed";
  return event(callId, at, {
    tool_id: tool,
    status: isCompleted ? "completed" : "failed",
    execution_time: Number(ms ?? 0) / 1000,
    return_code: typeof exitCode === "number" ? exitCode : isCompleted ? 0 : null,
    ...(!isCompleted && { error: String(code) }),
  });
}

const event = (task_id: string, timestamp: string, data: ToolEvent["data"]): ToolEvent => ({
  event: "tool_execution",
  task_id,
  timestamp,
  component: "bash_executor",
  data,
});

const lengthOf = (content: Extract<Outcome, { kind: "completed" }>["content"]): number =>
  content.reduce((sum, item) => sum + (item.type === "text" ? item.text.length : 0), 0);
