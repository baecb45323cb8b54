import type { CallToolResult } from "@modelcontextprotocol/server";

/**
 * Whether a result is certain to be what the protocol calls one: texts, as most are. What a tool says may be anything, and
 * the rest is for the SDK to look at: bytes that are no Base64, kinds of content that nobody knows.
 */
export const isPlainResult = ({ content, structuredContent }: CallToolResult): boolean =>
  content.every((item) => item.type === "text" && typeof item.text === "string") &&
  // It leaves a `__proto__` out.
  (structuredContent === undefined || !Object.hasOwn(structuredContent as object, "__proto__"));
