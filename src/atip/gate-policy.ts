import type { ToolEffects, Trust } from "../domain/tool-effects.ts";
import { isTrustedAs } from "../rules/trust.ts";
import type { Finding } from "./finding.ts";
import type { AtipTool } from "./metadata.ts";
import type { Verification } from "./trust.ts";

export interface Standing {
  readonly trust: Trust;
  readonly verification: Verification;
  /** Not all commands are told, and those that are not may do harm. */
  readonly isPartial: boolean;
}

/** Whether what was left out has to be feared: unless a trusted description says that it need not be. */
export function isPartial({ partial, omitted }: AtipTool, trust: Trust): boolean {
  if (partial !== true) return false;
  const said = omitted?.safetyAssumption ?? "unknown";
  return !(isTrustedAs(trust, "vendor") && (said === "known-safe" || said === "same-as-included"));
}

/**
 * The seed's table of trust, as findings: they ask or deny, and never let anything through. What the file says is used here
 * only to choose between asking and denying: a lie can turn a deny into a question, and no question into a yes.
 */
export function gateFindings(effects: ToolEffects, { trust, verification, isPartial }: Standing): readonly Finding[] {
  const findings: Finding[] = [];
  const isDestructive = destroys(effects);
  if (isDestructive)
    findings.push(
      isTrustedAs(trust, "org")
        ? finding("ask", "destructive", "it destroys something, which a person has to want")
        : finding("deny", "destructive", `it destroys something, and its description is trusted as \`${trust}\` only`),
    );
  else if (isTrustedAs(trust, "org") && !isHarmless(effects))
    findings.push(finding("ask", "destructive", "it does not say whether it destroys something"));
  if (trust === "inferred" && !isDestructive && !isSafe(effects))
    findings.push(finding("deny", "unsafe", "it is not said to be safe, and its description is only `inferred`"));
  if (!isTrustedAs(trust, "org"))
    findings.push(finding("ask", "low-trust", `its description is trusted as \`${trust}\` only`));
  if (verification === "unsigned" && (effects.network !== false || effects.filesystem?.write !== false))
    findings.push(
      finding("ask", "unsigned", "nothing says which program it was written for, and it may write or connect"),
    );
  // The table lets a vendor's commands run that only can't be undone: real files say so of most that do anything at all.
  if (!isDestructive && effects.reversible === false && !isTrustedAs(trust, "vendor"))
    findings.push(finding("ask", "non-reversible", "it can't be undone, which a person has to want"));
  if (effects.cost?.billable !== true && effects.cost?.estimate === "high")
    findings.push(finding("ask", "cost-high", "it says that it costs much"));
  if (effects.cost?.billable === true) findings.push(finding("ask", "billable", "it costs money"));
  if (isPartial) findings.push(finding("ask", "partial", "its description leaves out commands that may do harm"));
  return findings;
}

/** In whichever words a description says so. */
const destroys = ({ destructive, filesystem, deletes }: ToolEffects): boolean =>
  destructive === true || filesystem?.delete === true || (deletes !== undefined && deletes.length > 0);

/** Said, or sure because it neither writes nor connects. What is not said at all is taken for the worst. */
const isHarmless = ({ destructive, filesystem, network }: ToolEffects): boolean =>
  destructive === false || (network === false && filesystem?.write === false && filesystem.delete === false);

/** Said in so many words: what is not said is not safe. */
const isSafe = (effects: ToolEffects): boolean =>
  effects.destructive === false &&
  effects.reversible === true &&
  !destroys(effects) &&
  effects.cost?.billable !== true &&
  effects.cost?.estimate !== "high";

const finding = (effect: Finding["effect"], reason: Finding["reason"], because: string): Finding => ({
  effect,
  reason,
  because,
});
