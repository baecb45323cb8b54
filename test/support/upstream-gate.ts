import type { JsonObject } from "../../src/domain/json.ts";
import type { RuleSource } from "../../src/rules/rule.ts";
import { plainProgram } from "./plain-program.ts";
import { type GateParts, openScratchGate, type ScratchGate } from "./scratch-gate.ts";

/** Every tool of upstreams. */
const ANY_TOOL: readonly RuleSource[] = [{ id: "any-tool", effect: "allow", touch: { tool: ["*"] } }];

export interface UpstreamGateParts extends GateParts {
  /** More than how it is started. */
  readonly upstream?: JsonObject;
  /** More tools that it offers. */
  readonly extra?: readonly unknown[];
  readonly others?: JsonObject;
}

/** The settings of the fixture server, which lies in the workspace. */
export const fixtureUpstream = (args: readonly string[] = [], more: JsonObject = {}): JsonObject => ({
  command: "node",
  args: ["upstream.mjs", ...args],
  ...more,
});

/** A gate with the fixture as its upstream `up`, in the real sandbox. */
export function openUpstreamGate(parts: UpstreamGateParts = {}): ScratchGate {
  const { upstream = {}, extra, others = {}, rules = ANY_TOOL, ...more } = parts;
  const args = extra === undefined ? [] : ["says the same", "extra.json"];
  const mcp = { up: fixtureUpstream(args, upstream), ...others };
  const scratch = openScratchGate({ ...more, rules, config: { ...more.config, tools: { mcp } } });
  scratch.put("upstream.mjs", plainProgram("upstream.ts"));
  if (extra !== undefined) scratch.put("extra.json", JSON.stringify(extra));
  return scratch;
}
