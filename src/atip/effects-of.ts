import type { ToolEffects } from "../domain/tool-effects.ts";
import { mergeEffects } from "../rules/effects.ts";
import type { AtipEffects } from "./metadata.ts";

const UNIT_MS = { s: 1000, m: 60_000, h: 3_600_000 } as const;

/** `60s` in milliseconds. */
function spanMs(span: string): number {
  return Number(span.slice(0, -1)) * UNIT_MS[span.slice(-1) as keyof typeof UNIT_MS];
}

/** In the gate's words: only times are written in another way. */
function toolEffects({ duration, ...effects }: AtipEffects): ToolEffects {
  if (duration === undefined) return effects;
  const { typical, timeout } = duration;
  return {
    ...effects,
    duration: {
      ...(typical !== undefined && { typical }),
      ...(timeout !== undefined && { timeoutMs: spanMs(timeout) }),
    },
  };
}

/**
 * What a command does: what it says itself, or else its nearest group, and what the whole tool says. Groups between are not
 * merged in: real files mark a group as destructive because one of its commands is.
 */
export function commandEffects(own: AtipEffects | undefined, tool: AtipEffects | undefined): ToolEffects {
  if (own === undefined || tool === undefined) return toolEffects(own ?? tool ?? {});
  return mergeEffects(toolEffects(own), toolEffects(tool));
}
