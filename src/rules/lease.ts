import type { Lease, Scope } from "../domain/lease.ts";
import { isFileTouch, type Touch } from "../domain/touch.ts";
import { touchInWords } from "../domain/touch-in-words.ts";
import { isCanonical } from "./canonical-path.ts";
import { compilePathPattern, type PathPattern } from "./path-pattern.ts";
import { overlapWithTree } from "./path-tree.ts";

interface LeasedPaths {
  readonly workspace: string;
  readonly read: readonly PathPattern[] | "everything";
  readonly write: readonly PathPattern[] | "everything";
}

/** Compiled patterns of leases that are in use. A cache and nothing more: a lease never changes. */
const leasedPaths = new WeakMap<Lease, LeasedPaths>();

/** The first thing that the lease does not cover, in words such as ``write `src/a.ts` ``; null = it covers all. */
export function outsideLease(
  lease: Lease,
  toolName: string,
  touches: readonly Touch[],
  workspace: string,
): string | null {
  if (lease.tools !== "everything" && !lease.tools.includes(toolName)) return `tool \`${toolName}\``;
  const paths = pathsOf(lease, workspace);
  const outside = touches.find((touch) => !isWithin(lease, paths, touch));
  return outside === undefined ? null : touchInWords(outside, workspace);
}

export const isExpired = (lease: Lease, nowMs: number): boolean =>
  lease.expiresAtMs !== null && nowMs >= lease.expiresAtMs;

function pathsOf(lease: Lease, workspace: string): LeasedPaths {
  const known = leasedPaths.get(lease);
  if (known?.workspace === workspace) return known;
  const paths = { workspace, read: compiled(lease.read, workspace), write: compiled(lease.write, workspace) };
  leasedPaths.set(lease, paths);
  return paths;
}

/** A pattern that does not compile grants nothing. */
const compiled = (scope: Scope, workspace: string): readonly PathPattern[] | "everything" =>
  scope === "everything"
    ? scope
    : scope.map((pattern) => compilePathPattern(pattern, workspace)).filter((pattern) => "matches" in pattern);

function isWithin({ tools }: Lease, { read, write }: LeasedPaths, touch: Touch): boolean {
  // A lease has no words for programs, hosts and the rest: only the one that grants everything grants them.
  if (!isFileTouch(touch)) return tools === "everything" && read === "everything" && write === "everything";
  const granted = touch.kind === "read" ? read : write;
  if (granted === "everything") return true;
  if (!isCanonical(touch.path)) return false;
  return granted.some((pattern) =>
    touch.tree ? overlapWithTree(pattern, touch.path) === "all" : pattern.matches(touch.path),
  );
}
