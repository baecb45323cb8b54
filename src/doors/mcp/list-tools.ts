import { type ListToolsResult, ProtocolError } from "@modelcontextprotocol/server";
import { digestOfText } from "../../domain/digest.ts";
import type { McpTool } from "../../formats/mcp/definitions.ts";

/** Clients of 2025 read one page and no more, some of them: so most catalogs are one. */
const PAGE_MAX = 250;

/** One page. A cursor names the list that it is of: in another list it would skip tools, or give them twice. */
export function listTools(tools: readonly McpTool[], cursor: string | undefined): ListToolsResult {
  const mark = markOf(tools);
  const from = cursor === undefined ? 0 : startFrom(cursor, mark);
  const page = tools.slice(from, from + PAGE_MAX);
  const next = from + PAGE_MAX;
  return { tools: page, ...(next < tools.length && { nextCursor: `${mark}.${next}` }) };
}

const markOf = (tools: readonly McpTool[]): string =>
  tools.length <= PAGE_MAX ? "whole" : digestOfText(tools.map(({ name }) => name).join("\n")).slice(0, 16);

function startFrom(cursor: string, mark: string): number {
  const [given, at = ""] = cursor.split(".");
  const from = /^[1-9]\d{0,8}$/.test(at) ? Number(at) : Number.NaN;
  if (given === mark && from % PAGE_MAX === 0) return from;
  throw new ProtocolError(-32_602, "the cursor is of no list that is there now; begin without one");
}
