import { Buffer } from "node:buffer";
import type { Code } from "../../domain/codes.ts";
import type { Completed, Content, Failed, Outcome, Refusal } from "../../domain/outcome.ts";
import type { ToolDenied, ToolError, ToolResponse, ToolSuccess } from "../../formats/apm2/messages.ts";
import { contentHash } from "../../wiring/content-hash.ts";

export interface ResponseParts {
  /** The reason that a rule gives; undefined: none. */
  readonly becauseOf: (ruleId: string) => string | undefined;
  /** Whether the request has a `dedupe_key`: only then is asking again not asking twice. */
  readonly hasKey: boolean;
}

type Result = NonNullable<ToolResponse["result"]>;

/** INVARIANT (one response): each end of a call is one of the protocol's three. */
export async function responseFromOutcome(
  request_id: string,
  outcome: Outcome,
  parts: ResponseParts,
): Promise<ToolResponse> {
  return { request_id, result: await resultFrom(outcome, parts) };
}

async function resultFrom(outcome: Outcome, parts: ResponseParts): Promise<Result> {
  switch (outcome.kind) {
    case "completed":
      return { kind: "success", value: await successFrom(outcome) };
    case "refused":
      return { kind: "denied", value: deniedFrom(outcome.refusal, parts) };
    case "failed":
    case "unknown":
      return { kind: "error", value: errorFrom(outcome) };
    case "pending":
      return { kind: "error", value: waiting(outcome.approval.id, parts) };
    default:
      return outcome satisfies never;
  }
}

/** A result that was too long is where its hash says, and not here in parts. */
async function successFrom(outcome: Completed): Promise<ToolSuccess> {
  const blob = outcome.truncated?.blob ?? null;
  const content = Buffer.concat(outcome.content.map(bytesOf));
  return {
    result_hash: blob === null ? await contentHash(content) : Buffer.from(blob, "hex"),
    inline_result: blob === null ? content : new Uint8Array(),
    budget_consumed: BigInt(outcome.budgetConsumed ?? 0),
    duration_ms: wholeMs(outcome.durationMs),
  };
}

function bytesOf(content: Content): Uint8Array {
  switch (content.type) {
    case "text":
      return Buffer.from(content.text);
    case "diff":
      return Buffer.from(content.diff);
    case "image":
      return Buffer.from(content.data, "base64");
    case "resource":
      return content.blob === undefined ? Buffer.from(content.text ?? "") : Buffer.from(content.blob, "base64");
    default:
      return content satisfies never;
  }
}

const wholeMs = (ms: number): bigint => BigInt(Math.max(0, Math.round(ms)));

export function deniedFrom(
  { code, ruleId, message, hint, errors = [] }: Refusal,
  { becauseOf }: Pick<ResponseParts, "becauseOf">,
): ToolDenied {
  const because = ruleId === undefined ? undefined : becauseOf(ruleId);
  return {
    rule_id: text(ruleId ?? code),
    rationale_code: RATIONALE.exec(because ?? "")?.[1] ?? (code === "DEFAULT_DENY" ? "NO_MATCHING_RULE" : code),
    message: text(
      [
        message,
        ...errors.map((error) => `${error.field}: ${error.message} (${error.rule})`),
        ...(hint ? [hint] : []),
      ].join("\n"),
    ),
  };
}

/** Words of people and of tools may hold half a character, which no message can carry: the answer is not to fail for it. */
const text = (said: string): string => said.toWellFormed();

/** How the rules of an APM2 policy give theirs. */
const RATIONALE = /^([A-Z][A-Z0-9_]*): /;

/** The protocol's own names for what the gate calls otherwise. */
const NAMES: Partial<Record<Code, string>> = {
  SPAWN_FAILED: "EXEC_FAILED",
  TOOL_FAILED: "COMMAND_FAILED",
  PATH_INVALID: "INVALID_PATH",
};
/** How long the protocol's clients wait, where nothing else is said. */
const RETRY_MS: Partial<Record<Code, number>> = { IO_ERROR: 500, SPAWN_FAILED: 1000 };

function errorFrom({ error, ...outcome }: Failed | Extract<Outcome, { readonly kind: "unknown" }>): ToolError {
  const said = "content" in outcome ? Buffer.concat(outcome.content.map(bytesOf)).toString() : "";
  const { code, message, retryable, retryAfterMs } = error;
  return {
    error_code: NAMES[code] ?? code,
    message: text(said === "" ? message : `${message}\n${said}`),
    retryable,
    retry_after_ms: retryable ? wholeMs(retryAfterMs ?? RETRY_MS[code] ?? 0) : 0n,
  };
}

/** INVARIANT (never twice): without a key whoever tries again makes another call, and both may be approved. */
const waiting = (approvalId: string, { hasKey }: ResponseParts): ToolError => ({
  error_code: "APPROVAL_PENDING",
  message: hasKey
    ? `\`${approvalId}\` waits for a person's answer; asked again with the same dedupe_key, the request is told of it`
    : `\`${approvalId}\` waits for a person's answer; asked again, the request would be another one, as it has no dedupe_key`,
  retryable: hasKey,
  retry_after_ms: hasKey ? 1000n : 0n,
});
