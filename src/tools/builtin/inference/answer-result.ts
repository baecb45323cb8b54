import { CODES } from "../../../domain/codes.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../domain/json.ts";
import type { Failure } from "../../../domain/outcome.ts";
import { NOTHING_USED, type RunResult, type Usage } from "../../../domain/tool.ts";
import { quoted, visibleLine } from "../../../domain/visible.ts";
import { refusalIn } from "../../../formats/inference.ts";
import type { InferenceFormat, Inferred } from "../../../formats/inference-format.ts";
import type { WebAnswer, WebResponse } from "../../../ports/web.ts";
import { readJsonBytes } from "../../../schema/json/read-json.ts";

/** What is said of every answer. */
export interface Asked {
  readonly provider: string;
  readonly model: string;
  readonly prompt_hash: string;
  readonly system_prompt_hash?: string;
}

/** INVARIANT (asked once): whatever came of it, it is not sent again. */
export function resultOf(answer: WebAnswer, format: InferenceFormat, asked: Asked): RunResult {
  switch (answer.kind) {
    case "answered":
      return resultOfResponse(answer.response, format, asked);
    case "failed":
      return resultOfFault(answer, format, asked);
    case "lost":
      return { kind: "lost" };
    case "stopped":
      // Before it was sent: what is stopped behind that is lost.
      return { kind: "stopped", usage: NOTHING_USED };
    default:
      return answer satisfies never;
  }
}

function resultOfFault(
  { fault, response }: Extract<WebAnswer, { kind: "failed" }>,
  format: InferenceFormat,
  asked: Asked,
): RunResult {
  const { code, message, hint } = fault;
  const said = { code, message: `${labelled(asked)}: ${message}` };
  // Without the head of an answer nothing was sent, or it would be lost.
  if (response === undefined) return failed(said, hint, { used: NOTHING_USED });
  // The head of a refusal says it all.
  if (response.status !== 200) return resultOfResponse({ ...response, isCut: true }, format, asked);
  // What came before it broke off is no answer, and what it has cost nobody tells.
  return code === "TIMEOUT" ? { kind: "lost" } : failed(said, hint);
}

function resultOfResponse(response: WebResponse, format: InferenceFormat, asked: Asked): RunResult {
  const { status, body, isCut } = response;
  const value = isCut ? undefined : jsonFrom(body);
  if (status !== 200) return refused(response, value, asked);
  const inferred = isJsonObject(value) ? format.answer(value) : null;
  return inferred === null
    ? failed({ code: "BAD_RESPONSE", message: `${labelled(asked)} answers with something that is no answer` })
    : completed(inferred, asked);
}

/** The answer is a stranger's words, like all that comes from elsewhere. */
function completed({ text, model, stopReason, inputTokens, outputTokens }: Inferred, asked: Asked): RunResult {
  const usage: Usage = {
    ...(inputTokens !== null && { inputTokens }),
    ...(outputTokens !== null && { outputTokens }),
  };
  const structured: JsonObject = {
    ...asked,
    ...(model !== null && { answered_by: model }),
    stop_reason: stopReason,
    usage: { input_tokens: inputTokens, output_tokens: outputTokens },
  };
  return { kind: "completed", content: [{ type: "text", text }], structured, usage };
}

/** Too many requests, or too much to do: nothing was answered, and nothing is charged. Of other faults nobody knows. */
const NOT_BEGUN: ReadonlySet<number> = new Set([429, 503, 529]);

function refused({ status, headers }: WebResponse, value: JsonValue | undefined, asked: Asked): RunResult {
  const said = refusalIn(value);
  const message = `${labelled(asked)} answers with status ${status}${said === null ? "" : `: ${visibleLine(said)}`}`;
  const used = status < 500 || NOT_BEGUN.has(status) ? NOTHING_USED : {};
  if (status !== 429 && status < 500) return failed({ code: "MODEL_REFUSED", message }, HINTS[status], { used });
  const retryAfterMs = waitIn(headers);
  return failed({ code: "MODEL_UNAVAILABLE", message, ...(retryAfterMs !== null && { retryAfterMs }) }, undefined, {
    used,
  });
}

const HINTS: Readonly<Record<number, string | undefined>> = {
  401: "correct its `key` in `tools.inference.providers`",
  403: "correct its `key` in `tools.inference.providers`",
  404: "correct its `url` or `models` in `tools.inference.providers`",
};

/** In seconds; a date (RFC 9110, section 10.2.3) no provider sends. A day and more is nothing to wait for. */
function waitIn({ "retry-after": seconds = "" }: WebResponse["headers"]): number | null {
  return /^\d{1,5}$/.test(seconds) ? Number(seconds) * 1000 : null;
}

function failed(
  error: Pick<Failure, "code" | "message" | "retryAfterMs">,
  hint?: string,
  { used = {} }: { readonly used?: Usage } = {},
): RunResult {
  const { retryable } = CODES[error.code];
  return {
    kind: "failed",
    error: { ...error, retryable, ...(hint !== undefined && { detail: hint }) },
    content: [],
    usage: used,
  };
}

const labelled = ({ provider, model }: Asked): string => quoted(`${provider}/${model}`);

function jsonFrom(body: Uint8Array): JsonValue | undefined {
  const read = readJsonBytes(body);
  return read.ok ? read.value : undefined;
}
