import { BUDGET_KINDS } from "../domain/budget.ts";
import type { Lease } from "../domain/lease.ts";
import { quoted } from "../domain/visible.ts";
import { leasePatterns } from "./lease.ts";
import type { Pattern } from "./pattern.ts";
import { coversHost, coversName, coversPath } from "./pattern-algebra.ts";

/**
 * In what `after` goes beyond `before`, in words; null = in nothing. What can't be shown to be within it counts as beyond.
 * Leases that they lie within are not looked at, and neither is when they end.
 */
export function widening(before: Lease, after: Lease, workspace: string): string | null {
  const [old, renewed] = [leasePatterns(before, workspace), leasePatterns(after, workspace)];
  const beyond =
    beyondScope("tools", old.tools, renewed.tools, coversName) ??
    beyondScope("read", old.read, renewed.read, coversPath) ??
    beyondScope("write", old.write, renewed.write, coversPath) ??
    beyondScope("hosts", old.hosts, renewed.hosts, coversHost) ??
    beyondScope("commands", old.commands, renewed.commands, isSameText) ??
    beyondScope("models", old.models, renewed.models, coversName);
  return beyond ?? beyondBudget(before, after);
}

type Patterns<P extends Pattern> = readonly P[] | "everything";

function beyondScope<P extends Pattern>(
  name: string,
  before: Patterns<P>,
  after: Patterns<P>,
  covers: (wide: P, narrow: P) => boolean,
): string | null {
  if (before === "everything") return null;
  if (after === "everything") return `\`${name}\`: everything`;
  const beyond = after.find((narrow) => !before.some((wide) => covers(wide, narrow)));
  return beyond === undefined ? null : `\`${name}\`: ${quoted(beyond.text)}`;
}

const isSameText = (wide: Pattern, narrow: Pattern): boolean => wide.text === narrow.text;

function beyondBudget({ budget: before }: Lease, { budget: after }: Lease): string | null {
  const kind = BUDGET_KINDS.find(
    (one) => (after[one] ?? Number.POSITIVE_INFINITY) > (before[one] ?? Number.POSITIVE_INFINITY),
  );
  return kind === undefined ? null : `a budget of ${after[kind] ?? "unlimited"} \`${kind}\``;
}
