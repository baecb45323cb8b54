import type { Tool } from "@modelcontextprotocol/client";
import type { UpstreamTool } from "../../domain/upstream.ts";

/** What of a listed tool is pinned, and nothing else of it. */
export const definitionOfTool = ({
  name,
  title,
  description,
  inputSchema,
  outputSchema,
  annotations,
}: Tool): UpstreamTool => ({
  name,
  inputSchema,
  ...(title !== undefined && { title }),
  ...(description !== undefined && { description }),
  ...(outputSchema !== undefined && { outputSchema: outputSchema as Readonly<Record<string, unknown>> }),
  ...(annotations !== undefined && { annotations }),
});
