import type { Tool } from "../../domain/call.ts";
import type { AgentLinks } from "./agent-links.ts";
import { agentModeTool } from "./agent-mode.ts";
import { agentTool } from "./agent-tool.ts";
import { editorReadTool, editorWriteTool } from "./editor-files.ts";
import type { ToolCallPlace } from "./tool-call-place.ts";

/** What an agent does by itself, or asks its editor for, as tools: only for the door that such an agent is behind. */
export const agentTools = (links: AgentLinks, place: ToolCallPlace): readonly Tool[] => [
  agentTool(links, place),
  agentModeTool(),
  editorReadTool(links, place.files),
  editorWriteTool(links, place.files),
];
