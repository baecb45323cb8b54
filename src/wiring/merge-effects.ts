import type { ToolEffects } from "../domain/tool-effects.ts";
import { mergeEffects as merged } from "../rules/effects.ts";

/** What a command does that says one thing, and whose tool says another: never safer than either. Nothing said is nothing. */
export const mergeEffects = (command: ToolEffects | undefined, tool: ToolEffects | undefined): ToolEffects =>
  command === undefined || tool === undefined ? (command ?? tool ?? {}) : merged(command, tool);
