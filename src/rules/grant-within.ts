import type { Lease } from "../domain/lease.ts";
import type { Grant } from "../domain/plan.ts";
import { cutByLease } from "./grant.ts";
import { leasePatternCompilers } from "./lease.ts";
import type { Pattern } from "./pattern.ts";
import type { PatternError } from "./pattern-error.ts";

const KINDS = ["read", "write", "connect"] as const;

/** The first thing that a program was granted and the lease does not cover; null = the lease covers all of it. */
export function grantOutsideLease(
  grant: Pick<Grant, (typeof KINDS)[number]>,
  lease: Lease,
  workspace: string,
): string | null {
  const compile = leasePatternCompilers(workspace);
  const given = {
    read: patterns(grant.read, compile.read),
    write: patterns(grant.write, compile.write),
    connect: patterns(grant.connect, compile.hosts),
  };
  const left = cutByLease(given, lease, workspace);
  for (const kind of KINDS) {
    const kept = new Set(left[kind].map(({ text }) => text));
    const cut = grant[kind].find((text) => !kept.has(text));
    if (cut !== undefined) return `${kind} \`${cut}\``;
  }
  return null;
}

/** What can't be read as a pattern is kept by no lease. */
const patterns = <P extends Pattern>(
  texts: readonly string[],
  compile: (text: string) => P | PatternError,
): readonly P[] => texts.map(compile).filter((pattern): pattern is P => "matches" in pattern);
