import type { CallToolResult, GetPromptResult, ReadResourceResult } from "@modelcontextprotocol/client";
import { isJsonObject, type JsonObject, type JsonValue } from "../../domain/json.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { Content } from "../../domain/outcome.ts";
import type { RunResult } from "../../domain/tool.ts";
import { inertJson, inertText } from "../foreign/inert-text.ts";

type Item = CallToolResult["content"][number];

const MEDIA_TYPE = /^[\w.+-]+\/[\w.+-]+$/;
const UNKNOWN_TYPE = "application/octet-stream";

/** Why a value is not the result of a tool (MCP `CallToolResult`); null = it is one. The SDK checks only a part of it. */
export function resultProblem(result: JsonValue): string | null {
  if (!isJsonObject(result)) return "its answer is not an object";
  const { resultType = "complete", content = [], isError = false } = result;
  if (resultType !== "complete") return "it asks for more input, and the gate sends none";
  if (!Array.isArray(content) || !content.every(isContent)) return "its answer holds content of an unknown kind";
  return typeof isError === "boolean" ? null : "`isError` in its answer is not a boolean";
}

function isContent(item: JsonValue): boolean {
  if (!isJsonObject(item)) return false;
  const { type, text, data, mimeType, uri, name, resource } = item;
  switch (type) {
    case "text":
      return typeof text === "string";
    case "image":
    case "audio":
      return typeof data === "string" && typeof mimeType === "string";
    case "resource_link":
      return typeof uri === "string" && typeof name === "string";
    case "resource":
      return (
        isJsonObject(resource ?? null) &&
        typeof (resource as JsonObject)["uri"] === "string" &&
        (typeof (resource as JsonObject)["text"] === "string" || typeof (resource as JsonObject)["blob"] === "string")
      );
    default:
      return false;
  }
}

/** What an upstream answered, made harmless. Its links are told and never followed. */
export function resultFrom({ content = [], structuredContent, isError }: CallToolResult): RunResult {
  if (content.length > ITEMS_MAX) return TOO_MANY;
  const items = content.map(contentFrom);
  if (isError === true) {
    const message = "the upstream's tool says that it failed";
    return { kind: "failed", error: { code: "TOOL_FAILED", message, retryable: false }, content: items };
  }
  const structured = structuredFrom(structuredContent as JsonValue | undefined);
  return { kind: "completed", content: items, ...(structured && { structured }) };
}

/** The messages of a prompt, and whose each of them is. */
export function promptResultFrom({ description, messages }: GetPromptResult): RunResult {
  if (messages.length > ITEMS_MAX) return TOO_MANY;
  return {
    kind: "completed",
    content: messages.map(({ content }) => contentFrom(content)),
    structured: {
      ...(description !== undefined && { description: inertText(description) }),
      roles: messages.map(({ role }) => role),
    },
  };
}

/** What was asked for is what it is of, whatever the upstream calls it: nobody answers for another's resource. */
export function readResultFrom({ contents }: ReadResourceResult, asked: string): RunResult {
  if (contents.length > ITEMS_MAX) return TOO_MANY;
  const content = contents.map((resource) => contentFrom({ type: "resource", resource }));
  const wanted = plainUri(asked);
  const isBelow = ({ uri }: ReadResourceResult["contents"][number]) =>
    plainUri(uri) === wanted || plainUri(uri).startsWith(wanted.endsWith("/") ? wanted : `${wanted}/`);
  if (contents.every(isBelow)) return { kind: "completed", content };
  return badResponse("the upstream answered with another resource than the one that was asked for");
}

const badResponse = (message: string): RunResult => ({
  kind: "failed",
  error: { code: "BAD_RESPONSE", message, retryable: false },
  content: [],
});

const ITEMS_MAX = LIMITS.upstreamItems.default;
const TOO_MANY = badResponse(`the upstream answered with more than ${ITEMS_MAX} items`);

/** The same however its characters are written. */
const plainUri = (uri: string): string => URL.parse(uri)?.href ?? uri;

/** In the gate it is always an object, as it was in MCP until 2026. */
function structuredFrom(value: JsonValue | undefined): JsonObject | null {
  if (value === undefined) return null;
  return inertJson(isJsonObject(value) ? value : { result: value });
}

function contentFrom(item: Item): Content {
  switch (item.type) {
    case "text":
      return { type: "text", text: inertText(item.text) };
    case "image":
    case "audio":
      return { type: "image", mediaType: mediaType(item.mimeType), data: base64(item.data) };
    case "resource": {
      const { uri, mimeType } = item.resource;
      const held =
        "text" in item.resource
          ? { text: inertText(String(item.resource.text)) }
          : { blob: base64(String(item.resource.blob)) };
      return { type: "resource", uri: inertText(uri), ...typeOf(mimeType), ...held };
    }
    case "resource_link":
      return { type: "resource", uri: inertText(item.uri), ...typeOf(item.mimeType) };
    default:
      return { type: "text", text: "[content of a kind that is not known here]" };
  }
}

const mediaType = (given: unknown): string =>
  typeof given === "string" && MEDIA_TYPE.test(given) ? given : UNKNOWN_TYPE;

const typeOf = (given: unknown): { readonly mediaType?: string } =>
  given === undefined ? {} : { mediaType: mediaType(given) };

/** What is no base64 is nothing that could be shown. */
const base64 = (data: string): string => (/^[A-Za-z0-9+/]*={0,2}$/.test(data) ? data : "");
