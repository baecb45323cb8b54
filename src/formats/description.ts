import type { ToolDefinition } from "../domain/tool.ts";
import { safetySuffix, withoutFlags } from "./safety-suffix.ts";

const CUT = "…";

/** The tool's description in at most `max` UTF-16 units. What gives way is the text, never the gate's suffix. */
export function describedIn(tool: ToolDefinition, max: number): string {
  const suffix = safetySuffix(tool);
  // Bedrock takes no empty one.
  const text = tool.description.trim() === "" ? "(no description)" : tool.description;
  const room = max - (suffix === "" ? 0 : suffix.length + 1);
  const shown = withoutFlags(cutTo(text, room));
  return suffix === "" ? shown : `${shown} ${suffix}`;
}

/** Whole characters only: half a surrogate pair is no text. */
function cutTo(text: string, max: number): string {
  const whole = text.toWellFormed();
  if (whole.length <= max) return whole;
  return `${whole.slice(0, max - CUT.length).replace(/[\ud800-\udbff]$/, "")}${CUT}`;
}

/** OpenAI's, and no provider takes less. */
export const DESCRIPTION_MAX = 1024;

/** Where no limit is known: more than any tool needs, and less than fills a model's context. */
export const LONG_DESCRIPTION_MAX = 8192;
