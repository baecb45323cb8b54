import type { JsonObject } from "../../domain/json.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { ToolRequest, Tools } from "./messages.ts";

/** The gate's own tool that does what a request asks for, and its input. */
export interface RequestedCall {
  readonly tool: string;
  readonly input: JsonObject;
}

/** For a request that was validated. */
export function callFromRequest({ kind, value }: NonNullable<ToolRequest["tool"]>): RequestedCall {
  return CALLS[kind](value as never);
}

const CALLS: { readonly [Kind in keyof Tools]: (value: Tools[Kind]) => RequestedCall } = {
  file_read: ({ path, offset, limit }) => ({
    tool: "read_file",
    // More than can be read at once is no limit: a longer file is refused, and not silently cut.
    input: {
      path,
      ...(offset > 0n && { offset: Number(offset) }),
      ...(limit > 0n && limit <= BigInt(LIMITS.readBytes.default) && { limit: Number(limit) }),
    },
  }),
  file_write: ({ path, content, create_only, append }) => {
    const flags = { ...(create_only && { create_only }), ...(append && { append }) };
    // The protocol wants the folder to be there.
    return { tool: "write_file", input: { path, ...textOrBase64(content), ...flags, create_folders: false } };
  },
  file_edit: ({ path, old_content, new_content }) => ({
    tool: "edit_file",
    input: { path, edits: [{ type: "replace", oldText: old_content, newText: new_content }] },
  }),
  shell_exec: ({ command, cwd, timeout_ms, network_access, env }) => ({
    tool: "run_command",
    input: {
      command,
      ...(cwd !== "" && { cwd }),
      ...(timeout_ms > 0n && { timeoutMs: Number(timeout_ms) }),
      ...(network_access && { network: true }),
      ...(env.length > 0 && { env: fromPairs(env) }),
    },
  }),
  git_op: ({ operation, args, cwd }) => ({
    tool: "git",
    input: { operation, ...(args.length > 0 && { args }), ...(cwd !== "" && { cwd }) },
  }),
  inference: ({ provider, model, prompt_hash, max_tokens, temperature_scaled, system_prompt_hash }) => ({
    tool: "infer",
    input: {
      provider,
      model,
      prompt_hash: hex(prompt_hash),
      ...(max_tokens > 0n && { max_tokens: Number(max_tokens) }),
      // Models that take none refuse any. So nothing is the provider's own, as with the other numbers.
      ...(temperature_scaled > 0 && { temperature: temperature_scaled / 100 }),
      ...(system_prompt_hash.length > 0 && { system_prompt_hash: hex(system_prompt_hash) }),
    },
  }),
  artifact_publish: ({ artifact_id, content_hash, category, metadata }) => ({
    tool: "publish_artifact",
    input: { artifact_id, content_hash: hex(content_hash), category, metadata: fromPairs(metadata) },
  }),
  artifact_fetch: ({ stable_id, content_hash, expected_hash, max_bytes, format }) => ({
    tool: "fetch_artifact",
    input: {
      ...(stable_id !== "" && { artifact_id: stable_id }),
      ...(content_hash.length > 0 && { content_hash: hex(content_hash) }),
      ...(expected_hash.length > 0 && { expected_hash: hex(expected_hash) }),
      ...(max_bytes > 0n && { max_bytes: Number(max_bytes) }),
      ...(format !== "" && { format }),
    },
  }),
};

/** Text is sent as text, so that people can read it. With a NUL it is not text: neither is it for `read_file`, and in JSON each would take six bytes. */
function textOrBase64(bytes: Uint8Array): JsonObject {
  const text = bytes.includes(0) ? null : textFrom(bytes);
  return text === null ? { content: base64(bytes), encoding: "base64" } : { content: text };
}

/** Null: the bytes are not UTF-8. */
function textFrom(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

/** A multiple of three, so that the parts can be joined; few enough to be arguments. */
const PART_BYTES = 24_576;

/** By what every Node since 24 has. */
function base64(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += PART_BYTES)
    parts.push(btoa(String.fromCharCode(...bytes.subarray(at, at + PART_BYTES))));
  return parts.join("");
}

/** Each has one `=`. */
const fromPairs = (pairs: readonly string[]): JsonObject =>
  Object.fromEntries(pairs.map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]));

const hex = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
