import type { Code } from "../../domain/codes.ts";
import type { JsonObject, JsonValue } from "../../domain/json.ts";
import type { Content, Failure, MappedError } from "../../domain/outcome.ts";
import type { ErrorProfile, ScriptTool } from "../../domain/script-tool.ts";
import { hintFor } from "./failure-hints.ts";
import { renderedText } from "./plain-text.ts";

/** JSON-RPC 2.0, as the A2A-ACP seed uses it. */
const INTERNAL = -32603;
const INVALID_REQUEST = -32600;
const INVALID_PARAMS = -32602;

/** Failures that are no exit code of the author's. */
const CLASSES: Partial<Record<Code, number>> = {
  TEMPLATE_MISSING_VALUE: INVALID_PARAMS,
  SANDBOX_UNAVAILABLE: INVALID_REQUEST,
  ROOT_REFUSED: INVALID_REQUEST,
};

interface Ended {
  readonly tool: ScriptTool;
  readonly input: JsonObject;
  readonly profile: ErrorProfile;
  readonly content: readonly Content[];
}

/** The failure with what its author, or else the seed, makes of it. */
export function mappedFailure(
  failure: Failure,
  ended: Ended,
): { readonly error: Failure; readonly content: Content[] } {
  const { tool, input, profile, content } = ended;
  const mapping = failure.exitCode === undefined ? undefined : tool.errorMapping.get(failure.exitCode);
  const retryable =
    mapping === undefined ? failure.retryable || mayRepeat(tool, failure) : (mapping.retryable ?? false);
  const signal = signalOf(failure);
  const said = mapping?.detail === undefined ? undefined : renderedDetail(mapping.detail, input);
  const detail = said ?? firstText(content, signal, failure);
  const mapped: MappedError = {
    code: mapping?.code ?? CLASSES[failure.code] ?? INTERNAL,
    message: mapping?.message ?? failure.message,
    retryable,
    ...(detail !== undefined && { detail }),
  };
  const diagnostics: JsonObject = {
    error_profile: profile,
    return_code: failure.exitCode ?? null,
    ...(signal !== null && { signal }),
  };
  const hint = hintFor(failure, content);
  const own = failure.detail === undefined ? {} : { detail: failure.detail };
  const error: Failure = {
    ...failure,
    ...(hint === null ? own : { detail: { ...(failure.detail as object), hint } as JsonValue }),
    retryable,
    mapped,
    diagnostics,
  };
  return { error, content: [...content, ...(profile === "acp-basic" ? [asText(diagnostics)] : [])] };
}

/** The block makes failures that nobody mapped repeatable, unless the tool says that it must not be repeated. */
const mayRepeat = ({ retry, effects }: ScriptTool, { code }: Pick<Failure, "code">): boolean =>
  retry !== null &&
  effects?.idempotent !== false &&
  effects?.destructive !== true &&
  (code === "TOOL_FAILED" || code === "TIMEOUT");

/** What is said of a call that took too long, as far as the runner knows. */
export function lateFailure(
  tool: ScriptTool,
  profile: ErrorProfile,
): Pick<Failure, "retryable" | "detail" | "mapped" | "diagnostics"> {
  const retryable = mayRepeat(tool, { code: "TIMEOUT" });
  const message = `the tool did not end within ${tool.sandbox.timeoutMs} ms`;
  return {
    retryable,
    detail: { hint: LATE },
    mapped: {
      code: INTERNAL,
      message,
      retryable,
      detail: LATE,
    },
    diagnostics: { error_profile: profile, return_code: null, timed_out: true },
  };
}

const LATE = "raise `timeout` in the tool's `sandbox`, or see why it hangs";

function renderedDetail(detail: JsonValue, input: JsonObject): JsonValue {
  if (typeof detail === "string") return renderedText(detail, input);
  if (Array.isArray(detail)) return detail.map((item: JsonValue) => renderedDetail(item, input));
  if (typeof detail !== "object" || detail === null) return detail;
  return Object.fromEntries(Object.entries(detail).map(([key, value]) => [key, renderedDetail(value, input)]));
}

const STDERR = "[stderr]\n";
const DETAIL_CHARS_MAX = 2000;

/** What went to stderr, or else to stdout, or else how it ended. */
function firstText(content: readonly Content[], signal: string | null, { message }: Failure): string {
  const texts = content.flatMap((item) => (item.type === "text" ? [item.text] : []));
  const errors = texts.find((text) => text.startsWith(STDERR))?.slice(STDERR.length);
  const output = texts.find((text) => !text.startsWith(STDERR));
  const found = [errors, output].map((text) => text?.trim() ?? "").find((text) => text !== "");
  return (found ?? (signal === null ? message : `terminated by signal ${signal}`)).slice(0, DETAIL_CHARS_MAX);
}

function signalOf({ detail }: Failure): string | null {
  const { signal } = (typeof detail === "object" && detail !== null ? detail : {}) as { readonly signal?: unknown };
  return typeof signal === "string" ? signal : null;
}

const asText = (diagnostics: JsonObject): Content => ({
  type: "text",
  text: `[diagnostics] ${JSON.stringify(diagnostics)}\n`,
});
