import type { ApprovedCall } from "../domain/call.ts";
import type { Code } from "../domain/codes.ts";
import type { Completed, Failed, Outcome, Unknown } from "../domain/outcome.ts";
import type { CallState } from "../domain/state.ts";
import type { RunResult } from "../domain/tool.ts";
import { isFileTouch } from "../domain/touch.ts";
import type { Ran } from "./execute.ts";

/** An outcome that is not recorded yet: it gets its receipt, or it does not leave the gate. */
export type Unrecorded = Omit<Completed, "receipt"> | Omit<Failed, "receipt"> | Omit<Unknown, "receipt">;

export interface Finished {
  readonly state: CallState;
  /** The result as JSON, whose digest the ledger gets. Null = there is no result. */
  readonly resultText: string | null;
  readonly outcome: Unrecorded;
}

/** What it took. */
interface Effort {
  readonly durationMs: number;
  readonly attempts: number;
}

/** Seventh stage. Turns how the run ended into the one outcome that the caller gets. */
export function finish(call: ApprovedCall, ran: Ran, { durationMs, attempts }: Effort): Finished {
  const base = { callId: call.callId, tool: call.plan.tool, durationMs };
  switch (ran.kind) {
    case "returned":
      return fromResult(call, ran.result, base, attempts);
    case "threw":
      // The cause stays inside: its text may hold anything. The tool did end, so this is a failure and not an unknown.
      return failed(base, "TOOL_FAILED", "the tool ended with an error of its own");
    case "stopped":
      if (!ran.proven) return { state: "unknown", outcome: unknownOutcome(call, base), resultText: null };
      return ran.why === "timeout"
        ? { ...failed(base, "TIMEOUT", `the tool did not end within ${call.plan.timeoutMs} ms`), state: "timed_out" }
        : { ...failed(base, "CANCELLED", "the caller cancelled"), state: "cancelled" };
    default:
      return ran satisfies never;
  }
}

type Base = Pick<Outcome, "callId" | "tool" | "durationMs">;

function fromResult(call: ApprovedCall, result: RunResult, base: Base, attempts: number): Finished {
  switch (result.kind) {
    case "completed": {
      const resultText = textOfResult(result);
      if (resultText === null) return failed(base, "TOOL_FAILED", "the tool ended with a result that is not JSON");
      const { kind, ...rest } = result;
      const outcome = { kind, ...base, ...rest, attempts, cached: false, containment: call.plan.containment };
      return { state: "completed", outcome, resultText };
    }
    case "failed":
      return {
        state: "failed",
        outcome: { kind: "failed", ...base, error: result.error, content: result.content },
        resultText: null,
      };
    case "lost":
      return { state: "unknown", outcome: unknownOutcome(call, base), resultText: null };
    case "stopped":
      return { ...failed(base, "CANCELLED", "the tool stopped"), state: "cancelled" };
    default:
      return result satisfies never;
  }
}

const failed = (base: Base, code: Code, message: string): Finished => ({
  state: "failed",
  outcome: { kind: "failed", ...base, error: { code, message, retryable: false }, content: [] },
  resultText: null,
});

/** Null: no JSON (a circle, a bigint), so neither the ledger nor a door could hold it. */
function textOfResult({ content, structured }: Extract<RunResult, { kind: "completed" }>): string | null {
  try {
    return JSON.stringify(structured === undefined ? { content } : { content, structured });
  } catch {
    return null;
  }
}

/** A call that only reads may be made again; nothing else is, by anybody but a person. */
export const unknownOutcome = (call: ApprovedCall, base: Base): Omit<Unknown, "receipt"> => ({
  kind: "unknown",
  ...base,
  error: {
    code: "OUTCOME_UNKNOWN",
    message: "the call was started and its end is not known; look at what it touched before making it again",
    retryable: call.plan.touches.every((touch) => isFileTouch(touch) && touch.kind === "read"),
  },
});
