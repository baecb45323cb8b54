import type { JsonObject } from "../../domain/json.ts";
import type { Content, MappedError, Outcome } from "../../domain/outcome.ts";
import type { Answered } from "../format.ts";
import { isBad, outcomeInWords } from "../outcome-in-words.ts";

/** `isError` beside the content, as the seeds have it, and the gate's own code where there is one. */
export interface SeedResult {
  id: string;
  toolId: string;
  content: Content[];
  isError: boolean;
  error?: { code: string; message: string; retryable: boolean };
  /** What the author of a script tool makes of its exit code. */
  mcp_error?: MappedError;
  meta?: { a2a_diagnostics: JsonObject };
}

export const seedResults = (answers: readonly Answered[]): SeedResult[] => answers.map(result);

function result({ call, outcome }: Answered): SeedResult {
  const items = outcome.kind === "completed" || outcome.kind === "failed" ? outcome.content : [];
  const words = outcomeInWords(outcome);
  const error = errorIn(outcome);
  const failure = outcome.kind === "failed" ? outcome.error : null;
  return {
    id: call.id,
    toolId: call.name,
    content: [...items, ...(words === null ? [] : [{ type: "text", text: words } as const])],
    isError: isBad(outcome),
    ...(error && { error }),
    ...(failure?.mapped && { mcp_error: failure.mapped }),
    ...(failure?.diagnostics && { meta: { a2a_diagnostics: failure.diagnostics } }),
  };
}

function errorIn(outcome: Outcome): SeedResult["error"] {
  switch (outcome.kind) {
    case "failed":
    case "unknown": {
      const { code, message, retryable } = outcome.error;
      return { code, message, retryable };
    }
    case "refused":
      return { code: outcome.refusal.code, message: outcome.refusal.message, retryable: false };
    default:
      return undefined;
  }
}
