import type { JsonObject, JsonValue } from "../../domain/json.ts";
import type { Content } from "../../domain/outcome.ts";
import type { RunResult } from "../../domain/tool.ts";
import { inertJson, inertText } from "../foreign/inert-text.ts";

/** What an executor says, as the Agent Tools seed writes it. */
export interface ClientResult {
  readonly status: "completed" | "failed";
  readonly result?: JsonObject;
  readonly error?: string;
}

/** Made harmless, and taken for what it is: the word of somebody else. `stderr: null` is nothing. */
export function runResultFrom({ status, result = {}, error }: ClientResult): RunResult {
  const { stdout, stderr, exit_code: exitCode } = result;
  const content = [stdout, stderr].flatMap(textFrom);
  if (status === "failed") {
    const message = error === undefined || error === "" ? "the executor says that it failed" : inertText(error);
    return {
      kind: "failed",
      error: { code: "TOOL_FAILED", message, retryable: false, ...exitOf(exitCode) },
      content,
    };
  }
  return { kind: "completed", content, structured: inertJson(result), ...exitOf(exitCode) };
}

const textFrom = (value: JsonValue | undefined): readonly Content[] =>
  typeof value === "string" && value !== "" ? [{ type: "text", text: inertText(value) }] : [];

const exitOf = (value: JsonValue | undefined): { readonly exitCode?: number } =>
  Number.isSafeInteger(value) ? { exitCode: value as number } : {};
