import type { Outcome } from "./outcome.ts";

/** One use of a tool, for whoever counts them: the Zed seed's telemetry. */
export interface ToolUsed {
  readonly event: "tool_used";
  readonly tool: string;
  readonly duration_ms: number;
  readonly success: boolean;
}

export const toolUsed = (outcome: Outcome): ToolUsed => ({
  event: "tool_used",
  tool: outcome.tool,
  duration_ms: Math.round(outcome.durationMs),
  success: outcome.kind === "completed",
});

/**
 * The same for those who keep a number for each name: what a caller called a tool that is none is left out, and resources
 * are counted by whose they are, or there would be no end of names.
 */
export function countedUse(outcome: Outcome): ToolUsed {
  const isUnknown = outcome.kind === "refused" && outcome.refusal.code === "TOOL_UNKNOWN";
  const tool = /^[a-z][a-z0-9-]*\/resources(?=\/)/.exec(outcome.tool)?.[0] ?? outcome.tool;
  return { ...toolUsed(outcome), tool: isUnknown ? "" : tool };
}
