import type { CostEstimate, ToolEffects, Trust } from "../domain/tool-effects.ts";
import { isTrustedAs } from "../rules/trust.ts";
import type { Finding } from "./finding.ts";
import type { AtipTool } from "./metadata.ts";
import { trustIn } from "./trust.ts";

/** What an agent's author lets commands do: the seed's own words and defaults. What is left out never loosens. */
export interface ExecutionPolicy {
  /** Left out = no: a person is asked. */
  readonly allowDestructive?: boolean;
  /** Left out = yes, as the next four. */
  readonly allowNonReversible?: boolean;
  readonly allowBillable?: boolean;
  readonly allowNetwork?: boolean;
  readonly allowFilesystemWrite?: boolean;
  readonly allowFilesystemDelete?: boolean;
  /** Left out = no. There is no terminal here in any case. */
  readonly allowInteractive?: boolean;
  /** Left out = `inferred`, the lowest. */
  readonly minTrustLevel?: Trust;
  /**
   * How far you trust the descriptions of these tools, by the tool's name. What a description says of itself counts up to
   * `user`, and of one that says nothing up to `inferred`.
   */
  readonly trust?: Readonly<Record<string, Exclude<Trust, "native">>>;
  /** Left out = `high`, any. */
  readonly maxCostEstimate?: CostEstimate;
}

const COSTS: readonly CostEstimate[] = ["free", "low", "medium", "high"];

/** How far a tool's description is trusted under the policy. INVARIANT (claims raise nothing): never by its own word. */
export function policyTrust(tool: AtipTool, { trust = {} }: ExecutionPolicy): Exclude<Trust, "native"> {
  const said = Object.hasOwn(trust, tool.name) ? trust[tool.name] : undefined;
  const trusted = trustIn(tool, said === undefined ? {} : { trust: said });
  // Not everybody's policy is TypeScript, and nothing described is built in.
  return trusted === "native" ? "vendor" : trusted;
}

/**
 * What stands between a command and its start. Trust, network, writing and interaction forbid; the rest asks. What a
 * description leaves out is unknown, and unknown never satisfies what asks for safety.
 */
export function policyFindings(effects: ToolEffects, trust: Trust, policy: ExecutionPolicy): readonly Finding[] {
  const { minTrustLevel = "inferred", maxCostEstimate = "high" } = policy;
  const { filesystem, network, reversible, destructive, deletes, cost } = effects;
  const over = COSTS.indexOf(cost?.estimate ?? "high") > COSTS.indexOf(maxCostEstimate);
  const found: readonly (false | Finding)[] = [
    !isTrustedAs(trust, minTrustLevel) &&
      deny("trust", `it is trusted as \`${trust}\`, and \`${minTrustLevel}\` is the least`),
    policy.allowInteractive !== true &&
      isInteractive(effects) &&
      deny("interactive", "it waits for a person at a terminal"),
    policy.allowNetwork === false && network !== false && deny("network", "it may use the network"),
    policy.allowFilesystemWrite === false &&
      filesystem?.write !== false &&
      deny("filesystem-write", "it may write files"),
    policy.allowDestructive !== true &&
      (destructive !== false || (deletes !== undefined && deletes.length > 0)) &&
      ask("destructive", "it may destroy something"),
    policy.allowNonReversible === false && reversible !== true && ask("non-reversible", "it may not be undone"),
    policy.allowBillable === false && cost?.billable !== false && ask("billable", "it may cost money"),
    policy.allowFilesystemDelete === false &&
      filesystem?.delete !== false &&
      ask("filesystem-delete", "it may delete files"),
    over && ask("cost-high", `it may cost more than \`${maxCostEstimate}\``),
  ];
  return found.filter((each) => each !== false);
}

export const isInteractive = ({ interactive }: ToolEffects): boolean =>
  interactive?.stdin === "required" ||
  interactive?.stdin === "password" ||
  interactive?.prompts === true ||
  interactive?.tty === true;

const ask = (reason: Finding["reason"], because: string): Finding => ({ effect: "ask", reason, because });
const deny = (reason: Finding["reason"], because: string): Finding => ({ effect: "deny", reason, because });
