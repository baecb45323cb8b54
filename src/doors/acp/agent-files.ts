import { isAbsolute } from "node:path";
import type { JsonObject } from "../../domain/json.ts";
import type { Outcome } from "../../domain/outcome.ts";
import type { RunResult } from "../../domain/tool.ts";
import type { AcpSession } from "./acp-session.ts";
import type { Offered } from "./door-parts.ts";
import type { Answered, Peer } from "./peer.ts";
import { errorFrom, invalidParams, METHOD_NOT_FOUND, type RpcError } from "./wire-errors.ts";

/** What the agent is answered. */
export type Reply = { readonly result: JsonObject } | { readonly error: RpcError };

export interface FileCalls {
  readonly call: (tool: string, input: JsonObject) => Promise<Outcome>;
  /** The whole of what was too long for an outcome; null = it is not kept. */
  readonly whole: (blob: string) => Promise<string | null>;
}

const NOT_OFFERED: Reply = { error: { code: METHOD_NOT_FOUND, message: "this was not offered to the agent" } };
const NOT_ABSOLUTE: Reply = { error: invalidParams("`path` has to be an absolute path") };

/** `fs/read_text_file`. What is in the editor's buffers is read as a whole, and cut behind the redaction. */
export async function readTextFile(
  { path, line, limit }: JsonObject,
  by: Offered["read"],
  calls: FileCalls,
): Promise<Reply> {
  if (by === null) return NOT_OFFERED;
  if (typeof path !== "string" || !isAbsolute(path)) return NOT_ABSOLUTE;
  const range = rangeFrom(line, limit);
  if (range === null) return { error: invalidParams("`line` counts from 1, and `limit` from 0") };
  if (range.count === 0) return { result: { content: "" } };
  const lines = by === "editor" || range.from === null ? {} : inputLines(range);
  const outcome = await calls.call(by === "editor" ? "editor_read_file" : "read_file", { path, ...lines });
  const text = await textOf(outcome, calls);
  if (typeof text !== "string") return { error: text };
  return { result: { content: by === "editor" ? linesOf(text, range) : text } };
}

/** `fs/write_text_file`. */
export async function writeTextFile(
  { path, content }: JsonObject,
  by: Offered["write"],
  { call }: FileCalls,
): Promise<Reply> {
  if (by === null) return NOT_OFFERED;
  if (typeof path !== "string" || !isAbsolute(path)) return NOT_ABSOLUTE;
  if (typeof content !== "string") return { error: invalidParams("`content` has to be a text") };
  const outcome = await call(by === "editor" ? "editor_write_file" : "write_file", { path, content });
  const error = errorFrom(outcome);
  return error === null ? { result: {} } : { error };
}

interface Range {
  /** Null: all of it. */
  readonly from: number | null;
  /** Null: to the end. */
  readonly count: number | null;
}

function rangeFrom(line: unknown, limit: unknown): Range | null {
  const isGood = (value: unknown, least: number) =>
    value === undefined || value === null || (Number.isSafeInteger(value) && (value as number) >= least);
  if (!isGood(line, 0) || !isGood(limit, 0)) return null;
  const count = (limit as number | null | undefined) ?? null;
  const from = (line as number | null | undefined) ?? (count === null ? null : 1);
  return { from: from === 0 ? 1 : from, count };
}

const inputLines = ({ from, count }: Range): JsonObject => ({
  startLine: from ?? 1,
  ...(count !== null && { endLine: (from ?? 1) + count - 1 }),
});

function linesOf(text: string, { from, count }: Range): string {
  if (from === null) return text;
  const lines = text.split(/(?<=\n)/);
  return lines.slice(from - 1, count === null ? undefined : from - 1 + count).join("");
}

/** Of a file that is not text nothing is given, and of a long one no part: it would be taken for all of it. */
async function textOf(outcome: Outcome, { whole }: FileCalls): Promise<string | RpcError> {
  const error = errorFrom(outcome);
  if (error !== null) return error;
  if (outcome.kind !== "completed") return invalidParams("it could not be read");
  const [content] = outcome.content;
  if (content !== undefined && content.type !== "text") return invalidParams("the file is no text");
  const { truncated } = outcome;
  if (!truncated) return content?.text ?? "";
  const all = truncated.blob === null ? null : await whole(truncated.blob);
  return all ?? invalidParams("the file is too long to be read at once: name fewer lines");
}

const LOST: RunResult = { kind: "lost" };

/** Asks the editor for what was let happen. A read that it never answers did nothing; a write may have been done. */
export function editorRun(
  editor: Peer,
  session: Pick<AcpSession, "id">,
  { method, params, signal }: { readonly method: string; readonly params: JsonObject; readonly signal: AbortSignal },
): Promise<RunResult> {
  return new Promise((resolve) => {
    const all = { sessionId: session.id ?? "", ...params };
    const requestId = editor.ask(
      (id) => JSON.stringify({ jsonrpc: "2.0", id, method, params: all }),
      (answered) => resolve(resultFrom(answered, method)),
    );
    const stop = () => {
      void editor.tell("$/cancel_request", { requestId });
      resolve(LOST);
    };
    signal.addEventListener("abort", stop, { once: true });
  });
}

const NOT_FOUND = -32_002;

function resultFrom(answered: Answered, method: string): RunResult {
  if (answered === null) return LOST;
  const { result, error } = answered as { readonly result?: unknown; readonly error?: unknown };
  if (error !== undefined) return failed(error);
  if (method === "fs/write_text_file") return { kind: "completed", content: [] };
  const { content } = (result ?? {}) as { readonly content?: unknown };
  if (typeof content !== "string") return failed({ message: "its answer holds no text" });
  return { kind: "completed", content: [{ type: "text", text: content }] };
}

function failed(given: unknown): RunResult {
  const { code, message } = (given ?? {}) as { readonly code?: unknown; readonly message?: unknown };
  const said = typeof message === "string" && message !== "" ? `: ${message}` : "";
  return {
    kind: "failed",
    error: {
      code: code === NOT_FOUND ? "FILE_NOT_FOUND" : "TOOL_FAILED",
      message: `the editor could not do it${said}`,
      retryable: false,
    },
    content: [],
  };
}
