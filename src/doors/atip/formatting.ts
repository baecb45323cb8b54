import { type CommandEnd, cutLine, endLine, lines } from "../../atip/result-text.ts";
import type { JsonObject } from "../../domain/json.ts";
import type { Outcome } from "../../domain/outcome.ts";
import { FORMATS } from "../../formats/formats.ts";
import { textRedactor } from "../../wiring/text-redactor.ts";
import type { ExecutionResult, OutputOptions, Provider, ToolCall } from "./types.ts";

const MARK = "\n[TRUNCATED]";
const LENGTH_MAX = 100_000;

export interface SecretFilter {
  /** Left out = on. Patterns of one's own hold in any case. */
  readonly builtin?: boolean;
  readonly patterns?: readonly (RegExp | string)[];
}

const builtin = textRedactor("on");

/** Takes out what looks like a secret, and what the patterns match: each place, whatever flags they have. */
export function filterSecrets(output: string, filter: SecretFilter | readonly (RegExp | string)[] = {}): string {
  const { builtin: isOn = true, patterns = [] } = "length" in filter ? { patterns: filter } : filter;
  const clean = isOn ? builtin.text(output) : output;
  return patterns.reduce<string>((text, pattern) => text.replace(everywhere(pattern), "[REDACTED]"), clean);
}

/** Without `y`, which finds nothing behind the first place where there is none. */
export function everywhere(pattern: RegExp | string): RegExp {
  if (typeof pattern === "string") return new RegExp(pattern, "gu");
  return new RegExp(pattern.source, `${pattern.flags.replaceAll(/[gy]/g, "")}g`);
}

/** The beginning, with a mark where something is missing: never longer than `maxLength`, and no character in halves. */
export function truncateOutput(output: string, maxLength: number = LENGTH_MAX): string {
  if (output.length <= maxLength) return output;
  const room = maxLength - MARK.length;
  return room < 0 ? whole(output.slice(0, maxLength)) : whole(output.slice(0, room)) + MARK;
}

const whole = (text: string): string => text.replace(/[\ud800-\udbff]$/, "");

/** Both outputs below each other; of a command that failed, its errors first. */
export const combineStreams = (stdout: string, stderr: string, { failed = false } = {}): string =>
  lines(failed ? [stderr, stdout] : [stdout, stderr]);

/** What a model is told of a result: redacted first, cut last. */
export function formatResult(result: ExecutionResult, options: OutputOptions = {}): string {
  const { maxLength = LENGTH_MAX, redactSecrets = true, redactPatterns = [], formatter } = options;
  const clean = (text: string): string => filterSecrets(text, { builtin: redactSecrets, patterns: redactPatterns });
  const redacted = { ...result, stdout: clean(result.stdout), stderr: clean(result.stderr) };
  return truncateOutput(formatter === undefined ? asText(redacted, options) : formatter(redacted), maxLength);
}

function asText(result: ExecutionResult, { includeStderr = true, includeExitCode = true }: OutputOptions): string {
  const { stdout, stderr, truncated, timedOut, exitCode, limits } = result;
  const hasFailed = !timedOut && exitCode !== 0;
  const output = hasFailed && includeStderr ? combineStreams(stdout, stderr, { failed: true }) : stdout;
  const end: CommandEnd = timedOut
    ? { kind: "timed out", afterMs: limits.timeout }
    : exitCode === null
      ? { kind: "stopped" }
      : { kind: "exited", exitCode };
  const isShown = end.kind !== "exited" || includeExitCode;
  return lines([output, truncated ? cutLine(limits.maxOutputSize) : "", isShown ? endLine(end) : ""]);
}

/** The message that answers a call, as the provider takes it. */
export const formatForProvider = (
  provider: Provider,
  call: Pick<ToolCall, "id" | "name">,
  result: ExecutionResult,
  options: OutputOptions = {},
): JsonObject => answer(provider, call, formatResult(result, options), result.success ? null : failureOf(result));

/** The same for a result of one's own: a text is sent as it is. */
export function handleToolResult(provider: Provider, id: string, result: unknown, name = ""): JsonObject {
  const isError = result instanceof Error;
  const text = typeof result === "string" ? result : isError ? result.message : JSON.stringify(result);
  return answer(provider, { id, name }, filterSecrets(text ?? ""), isError ? "the call failed" : null);
}

const failureOf = ({ timedOut, exitCode, limits }: ExecutionResult): string =>
  timedOut ? `the command did not end within ${limits.timeout} ms` : `the command ended with exit code ${exitCode}`;

function answer(
  provider: Provider,
  { id, name }: Pick<ToolCall, "id" | "name">,
  text: string,
  failure: string | null,
): JsonObject {
  const base = { callId: id, tool: name, durationMs: 0 };
  const content = [{ type: "text", text } as const];
  const outcome: Outcome =
    failure === null
      ? { kind: "completed", ...base, content, attempts: 1, cached: false, containment: "sandbox" }
      : { kind: "failed", ...base, content, error: { code: "TOOL_FAILED", message: failure, retryable: false } };
  const call = { id, isIdGiven: true, name, input: { value: {} } };
  const [message] = FORMATS[provider].results([{ call, outcome }]);
  return message as unknown as JsonObject;
}
