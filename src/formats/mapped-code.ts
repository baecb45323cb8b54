import type { Outcome } from "../domain/outcome.ts";

/** A wire on which a mapped error is sent. Versions are dates, as MCP writes them. */
export type ErrorWire = { readonly protocol: "acp" } | { readonly protocol: "mcp"; readonly version: string };

const NOT_FOUND = -32002;
const INVALID_PARAMS = -32602;
/** From here on, what is not found is an invalid parameter. */
const MCP_MOVED = "2026-07-28";

/** The code of a mapped error as this wire has it: codes have moved between versions. */
export const mappedCode = (code: number, wire: ErrorWire): number =>
  code === NOT_FOUND && wire.protocol === "mcp" && wire.version >= MCP_MOVED ? INVALID_PARAMS : code;

/** The outcome with the code of its mapped error as this wire has it. */
export function outcomeOn(wire: ErrorWire, outcome: Outcome): Outcome {
  if (outcome.kind !== "failed" || outcome.error.mapped === undefined) return outcome;
  const { mapped } = outcome.error;
  return { ...outcome, error: { ...outcome.error, mapped: { ...mapped, code: mappedCode(mapped.code, wire) } } };
}
