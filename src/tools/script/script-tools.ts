import type { Tool } from "../../domain/call.ts";
import type { ScriptTool } from "../../domain/script-tool.ts";
import { type ScriptPorts, scriptTool } from "./script-tool.ts";

/** The tools of `tools.scripts`. */
export const scriptTools = (tools: readonly ScriptTool[], ports: ScriptPorts): readonly Tool[] =>
  tools.map((tool) => scriptTool(tool, ports));
