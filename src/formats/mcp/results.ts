import type { Content, Outcome } from "../../domain/outcome.ts";
import type { Answered } from "../format.ts";
import { isBad, outcomeInWords } from "../outcome-in-words.ts";
import { type PlainObject, plainObject } from "../plain-json.ts";

export interface McpResult {
  content: McpContent[];
  structuredContent?: PlainObject;
  isError?: boolean;
  [more: string]: unknown;
}

type McpContent =
  | { type: "text"; text: string }
  | { type: "image" | "audio"; data: string; mimeType: string }
  | { type: "resource_link"; uri: string; name: string; mimeType?: string }
  | { type: "resource"; resource: { uri: string; mimeType?: string } & ({ text: string } | { blob: string }) };

/** A `CallToolResult` for each. What was refused is a result too, so that the model can react to it. */
export const mcpResults = (answers: readonly Answered[]): McpResult[] => answers.map(({ outcome }) => result(outcome));

function result(outcome: Outcome): McpResult {
  const items = outcome.kind === "completed" || outcome.kind === "failed" ? outcome.content : [];
  const words = outcomeInWords(outcome);
  const structured = outcome.kind === "completed" ? outcome.structured : undefined;
  return {
    content: [...items.map(content), ...(words === null ? [] : [{ type: "text", text: words } as const])],
    ...(structured !== undefined && { structuredContent: plainObject(structured) }),
    ...(isBad(outcome) && { isError: true }),
    ...metaOf(outcome),
  };
}

/** What the author of a script tool makes of its exit code: a failed tool is a result, and no error of the protocol. */
function metaOf(outcome: Outcome): { _meta?: PlainObject } {
  if (outcome.kind !== "failed" || outcome.error.mapped === undefined) return {};
  const { mapped, diagnostics = {} } = outcome.error;
  return { _meta: plainObject({ mcp_error: { ...mapped }, a2a_diagnostics: diagnostics }) };
}

function content(item: Content): McpContent {
  switch (item.type) {
    case "text":
      return { type: "text", text: item.text };
    case "diff":
      return { type: "text", text: item.diff };
    case "image":
      // What is heard comes in the same place as what is seen; its type tells.
      return { type: isSound(item.mediaType) ? "audio" : "image", data: item.data, mimeType: item.mediaType };
    case "resource": {
      const { uri, mediaType, text, blob } = item;
      const mimeType = mediaType !== undefined && { mimeType: mediaType };
      if (text === undefined && blob === undefined) return { type: "resource_link", uri, name: uri, ...mimeType };
      const held = text === undefined ? { blob: blob ?? "" } : { text };
      return { type: "resource", resource: { uri, ...mimeType, ...held } };
    }
    default:
      return item satisfies never;
  }
}

const isSound = (mediaType: string): boolean => mediaType.startsWith("audio/");
