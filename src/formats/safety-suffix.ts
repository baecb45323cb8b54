import type { ToolDefinition } from "../domain/tool.ts";
import type { ToolEffects } from "../domain/tool-effects.ts";

type Claims = Pick<ToolDefinition, "source" | "effects" | "trust">;

/**
 * What a model should know of a tool before it uses it: `[⚠️ DESTRUCTIVE | NOT REVERSIBLE]`; empty where nothing is known.
 * That something is safe is believed of built-in tools and of those the operator trusts as a vendor's, and of no others.
 */
export function safetySuffix({ source, effects = {}, trust }: Claims): string {
  const isBelieved = source === "builtin" || trust === "vendor";
  const flags = [
    ...(effects.destructive ? ["⚠️ DESTRUCTIVE"] : []),
    ...(effects.reversible === false ? ["NOT REVERSIBLE"] : []),
    ...(effects.idempotent === false ? ["NOT IDEMPOTENT"] : []),
    ...(effects.cost?.billable ? ["BILLABLE"] : []),
    ...(isBelieved && isReadOnly(effects) ? ["READ-ONLY"] : []),
  ];
  return flags.length === 0 ? "" : `[${flags.join(" | ")}]`;
}

/** Said, and not only left unsaid. */
export const isReadOnly = ({ filesystem, network, destructive }: ToolEffects): boolean =>
  network === false && filesystem?.write === false && filesystem.delete !== true && destructive !== true;

const FLAG_IN_BRACKETS = /\[([^[\]]*(?:DESTRUCTIVE|REVERSIBLE|IDEMPOTENT|BILLABLE|READ-ONLY)[^[\]]*)\]/g;

/** Square brackets are the gate's: a description that brings its own flags says so in round ones. */
export const withoutFlags = (text: string): string => text.replace(FLAG_IN_BRACKETS, "($1)");
