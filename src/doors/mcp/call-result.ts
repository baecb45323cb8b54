import { type CallToolResult, ProtocolError } from "@modelcontextprotocol/server";
import { CODES, type Code } from "../../domain/codes.ts";
import type { Outcome } from "../../domain/outcome.ts";
import type { McpResult } from "../../formats/mcp/results.ts";
import { codeOf, factsOf } from "../wire/outcome-facts.ts";
import { INVALID_PARAMS, WIRE_ERRORS } from "./wire-errors.ts";

/** Where a result says what became of the call in the gate's own words. */
export const OUTCOME_META = "toolgate/outcome";

/** An outcome on the wire. Throws where this wire has an error for it. */
export function callResult(outcome: Outcome, result: McpResult): CallToolResult {
  const code = codeOf(outcome);
  const wire = code === null ? "result" : WIRE_ERRORS[code];
  if (code !== null && wire !== "result") throw new ProtocolError(wire, messageOf(outcome), errorData(code, outcome));
  // The cast: the SDK's type has been made of a schema, and says of each member that it may be undefined.
  const meta = { ...(result["_meta"] as object | undefined), [OUTCOME_META]: factsOf(outcome, code) };
  return { ...result, _meta: meta } as CallToolResult;
}

export const outcomeMeta = (outcome: Outcome): Record<string, unknown> => ({
  [OUTCOME_META]: factsOf(outcome, codeOf(outcome)),
});

/** The gate said no, or the upstream did: outside of what JSON-RPC and MCP keep for themselves. */
const NOT_GIVEN = -31_000;

/** For answers that can't say themselves that there is none: the error, with the gate's code in its data. */
export function refusalOf(outcome: Outcome): ProtocolError {
  const code = codeOf(outcome);
  const wire = code === null ? NOT_GIVEN : WIRE_ERRORS[code];
  const said = wire === "result" && code !== "INVALID_ARGUMENTS" ? NOT_GIVEN : wire;
  const number = said === "result" ? INVALID_PARAMS : said;
  const data = { ...factsOf(outcome, code), ...(outcome.kind === "refused" && { errors: outcome.refusal.errors }) };
  return new ProtocolError(number, messageOf(outcome), data);
}

function messageOf(outcome: Outcome): string {
  if (outcome.kind === "refused") {
    const { message, hint } = outcome.refusal;
    return hint === undefined ? message : `${message} (${hint})`;
  }
  return "error" in outcome ? outcome.error.message : outcome.kind;
}

const errorData = (code: Code, { callId }: Outcome) => ({ code, retryable: CODES[code].retryable, callId });
