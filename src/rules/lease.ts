import type { CallFacts } from "../domain/call-facts.ts";
import { EVERYTHING, type Lease, leaseChain, type Scope } from "../domain/lease.ts";
import { type ExecTouch, isFileTouch, type Touch } from "../domain/touch.ts";
import { touchInWords } from "../domain/touch-in-words.ts";
import { isCanonical } from "./canonical-path.ts";
import { compileCommandPattern } from "./command-pattern.ts";
import { compileConnectPattern } from "./connect-pattern.ts";
import { modelText } from "./model-pattern.ts";
import { compileNamePattern } from "./name-pattern.ts";
import { compilePathPattern, type PathPattern } from "./path-pattern.ts";
import { overlapWithTree } from "./path-tree.ts";
import type { Pattern } from "./pattern.ts";
import type { PatternError } from "./pattern-error.ts";
import { coverageOf, textOf } from "./subject.ts";

type Covered<P extends Pattern> = readonly P[] | "everything";

/** A lease whose patterns are compiled for one workspace. */
export interface LeasePatterns {
  readonly workspace: string;
  readonly tools: Covered<Pattern>;
  readonly read: Covered<PathPattern>;
  readonly write: Covered<PathPattern>;
  readonly hosts: Covered<Pattern>;
  readonly commands: Covered<Pattern>;
  readonly models: Covered<Pattern>;
}

/** Compiled patterns of leases that are in use. A cache and nothing more: a lease never changes. */
const known = new WeakMap<Lease, LeasePatterns>();

/** The first thing that the lease does not cover, in words such as ``write `src/a.ts` ``; null = it covers all. */
export const outsideLease = (...given: Parameters<typeof uncoveredBy>): string | null =>
  uncoveredBy(...given)?.what ?? null;

/** The same, with the lease that it lies outside of: the one that is asked about, or one that it lies within. */
export function uncoveredBy(
  lease: Lease,
  toolName: string,
  touches: readonly Touch[],
  workspace: string,
): { readonly what: string; readonly by: Lease } | null {
  if (lease === EVERYTHING) return null;
  for (const by of leaseChain(lease)) {
    const patterns = leasePatterns(by, workspace);
    if (!hasName(patterns.tools, toolName)) return { what: `tool \`${toolName}\``, by };
    const outside = touches.find((touch) => !isWithin(patterns, touch, toolName));
    if (outside !== undefined) return { what: touchInWords(outside, workspace), by };
  }
  return null;
}

/** Asks for the time only where a lease has an end. */
export function isExpired(lease: Lease, moment: Pick<CallFacts, "nowMs">): boolean {
  for (let one: Lease | undefined = lease; one !== undefined; one = one.within)
    if (one.expiresAtMs !== null && moment.nowMs >= one.expiresAtMs) return true;
  return false;
}

/** Of this lease alone, without those that it lies within. */
export function leasePatterns(lease: Lease, workspace: string): LeasePatterns {
  const found = known.get(lease);
  if (found?.workspace === workspace) return found;
  const compile = leasePatternCompilers(workspace);
  const patterns = {
    workspace,
    tools: compiled(lease.tools, compile.tools),
    read: compiled(lease.read, compile.read),
    write: compiled(lease.write, compile.write),
    hosts: compiled(lease.hosts, compile.hosts),
    commands: compiled(lease.commands, compile.commands),
    models: compiled(lease.models, compile.models),
  };
  known.set(lease, patterns);
  return patterns;
}

/** How the texts of each scope are read. */
export function leasePatternCompilers(workspace: string) {
  const path = (text: string) => compilePathPattern(text, workspace);
  return {
    tools: compileNamePattern,
    read: path,
    write: path,
    hosts: compileConnectPattern,
    commands: (text: string) => compileCommandPattern(text, { effect: "allow", dynamic: false, workspace }),
    models: compileNamePattern,
  };
}

/** A pattern that does not compile grants nothing. */
const compiled = <P extends Pattern>(scope: Scope, compile: (text: string) => P | PatternError): Covered<P> =>
  scope === "everything" ? scope : scope.map(compile).filter((pattern): pattern is P => "matches" in pattern);

const hasName = (names: Covered<Pattern>, name: string): boolean =>
  names === "everything" || names.some((pattern) => pattern.matches(name));

function isWithin(lease: LeasePatterns, touch: Touch, toolName: string): boolean {
  if (isFileTouch(touch)) {
    if (touch.own === true) return true;
    const granted = touch.kind === "read" ? lease.read : lease.write;
    if (granted === "everything") return true;
    if (!isCanonical(touch.path)) return false;
    return granted.some((pattern) =>
      touch.tree ? overlapWithTree(pattern, touch.path) === "all" : pattern.matches(touch.path),
    );
  }
  switch (touch.kind) {
    case "exec":
      return hasCommand(lease.commands, touch);
    case "git":
      return hasCommand(lease.commands, gitCommand(touch));
    case "connect": {
      const text = textOf(touch);
      return (
        lease.hosts === "everything" ||
        lease.hosts.some((pattern) => coverageOf(pattern, touch, text, "allow") === "yes")
      );
    }
    case "model":
      return hasName(lease.models, modelText(touch));
    case "tool":
      // What the call itself is named was looked at already.
      return touch.name === toolName || hasName(lease.tools, touch.name);
    default:
      return isWhole(lease);
  }
}

/** What can't be read may be anything, so only who may do everything may do it. */
const isWhole = ({ read, write, hosts, commands, models }: LeasePatterns): boolean =>
  [read, write, hosts, commands, models].every((scope) => scope === "everything");

const hasCommand = (commands: Covered<Pattern>, touch: ExecTouch): boolean =>
  commands === "everything" || commands.some((pattern) => pattern.covers?.(touch) === "yes");

/** An operation of the tool `git` as the command that it becomes: `git push origin`. */
const gitCommand = ({ operation, arguments: args }: Extract<Touch, { kind: "git" }>): ExecTouch => ({
  kind: "exec",
  program: null,
  origin: "toolchain",
  argv: ["git", operation.toLowerCase().replaceAll("_", "-"), ...args].map((text) => ({ text, known: true })),
});
