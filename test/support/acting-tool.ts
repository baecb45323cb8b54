import { join } from "node:path";
import type { Tool } from "../../src/domain/call.ts";
import type { JsonObject } from "../../src/domain/json.ts";
import type { Touch } from "../../src/domain/touch.ts";
import { defineTool } from "../../src/tools/function/define-tool.ts";

/** A tool whose runs can be counted. */
export interface ActingTool {
  readonly tool: Tool;
  readonly ran: () => number;
}

export interface Acting {
  readonly name?: string;
  readonly touches?: readonly [Touch, ...Touch[]];
  readonly act?: (input: JsonObject, signal: AbortSignal) => Promise<string> | string;
}

/** By default it touches `write acted` in the workspace. */
export function actingTool(workspace: string, { name = "act", touches, act = () => "acted" }: Acting = {}): ActingTool {
  let ran = 0;
  const tool = defineTool({
    name,
    description: "acts",
    inputSchema: { type: "object", properties: { n: { type: "integer" } } },
    touches: () => touches ?? [{ kind: "write", path: join(workspace, "acted") }],
    execute: (input, signal) => {
      ran++;
      return act(input, signal);
    },
  });
  return { tool, ran: () => ran };
}
