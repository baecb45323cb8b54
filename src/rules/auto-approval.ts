import { canonicalJson } from "../domain/canonical-json.ts";
import { isWithin } from "../domain/is-within.ts";
import type { JsonObject, JsonValue } from "../domain/json.ts";
import { isFileTouch, type Touch } from "../domain/touch.ts";
import { compileNamePattern } from "./name-pattern.ts";
import { ANY_DEPTH } from "./path-component.ts";
import { compilePathPattern, type PathPattern } from "./path-pattern.ts";
import type { Pattern } from "./pattern.ts";
import type { PatternError } from "./pattern-error.ts";

/** A policy that approves, of good shape; its patterns have not been looked at. */
export interface AutoApprovalSource {
  readonly id: string;
  /** Patterns of tool names; none = every tool. */
  readonly appliesTo: readonly string[];
  readonly includePaths: readonly string[];
  readonly excludePaths: readonly string[];
  /** What arguments of the call have to be. */
  readonly parameters: JsonObject;
  /** What the argument `command`, a list, has to begin with. */
  readonly commandPrefix: readonly string[] | null;
  readonly reason: string | null;
  readonly optionId: string | null;
  readonly skipsGovernors: boolean;
}

/** What a policy has to know of a call. */
export interface Approvable {
  readonly tool: string;
  readonly input: JsonObject;
  readonly touches: readonly Touch[];
  readonly paths: readonly TouchedPath[];
}

/** INVARIANT (canonical): absolute and free of links. */
export interface TouchedPath {
  readonly path: string;
  /** Everything below it as well. */
  readonly tree?: true | undefined;
}

/** A policy that says yes to questions. It never allows what the rules deny: nobody asks it then. */
export interface AutoApproval {
  readonly id: string;
  readonly reason: string | null;
  readonly optionId: string | null;
  readonly skipsGovernors: boolean;
  readonly approves: (call: Approvable) => boolean;
}

/** A policy that objects, for what no rule can see: the arguments of tools whose plans have no paths and no commands. */
export interface AutoObjection {
  readonly id: string;
  readonly says: "reject" | "manual";
  readonly reason: string | null;
  /** `paths`: all that the arguments may mean. */
  readonly objects: (call: Pick<Approvable, "tool" | "input" | "paths">) => boolean;
}

export interface AutoApprovalProblem extends PatternError {
  readonly field: "applies_to" | "include_paths" | "exclude_paths";
  readonly index: number;
}

type Compiled =
  | { readonly ok: true; readonly policy: AutoApproval; readonly objects: AutoObjection["objects"] }
  | { readonly ok: false; readonly problems: readonly AutoApprovalProblem[] };

export function compileAutoApproval(source: AutoApprovalSource, workspace: string): Compiled {
  const problems: AutoApprovalProblem[] = [];
  const all = <One extends Pattern>(
    field: AutoApprovalProblem["field"],
    texts: readonly string[],
    compile: (text: string) => One | PatternError,
  ): readonly One[] =>
    texts.flatMap((text, index) => {
      const compiled = compile(text);
      if (!("error" in compiled)) return [compiled];
      problems.push({ field, index, ...compiled });
      return [];
    });
  const inWorkspace = (text: string) => compilePathPattern(belowWorkspace(text), workspace);
  const match: Match = {
    tools: all("applies_to", source.appliesTo, compileNamePattern),
    include: all("include_paths", source.includePaths, inWorkspace),
    exclude: all("exclude_paths", source.excludePaths, inWorkspace),
    source,
  };
  const { id, reason, optionId, skipsGovernors } = source;
  if (problems.length > 0) return { ok: false, problems };
  const policy = { id, reason, optionId, skipsGovernors, approves: (call: Approvable) => approves(match, call) };
  return { ok: true, policy, objects: (call) => objects(match, call) };
}

/** What does not begin at the root begins in the workspace: a yes to all `*.md` is none to those of other people. */
export const belowWorkspace = (pattern: string): string =>
  /^(?:\/|\.(?:\/|$))/.test(pattern) ? pattern : `./${pattern}`;

interface Match {
  readonly tools: readonly Pattern[];
  readonly include: readonly PathPattern[];
  readonly exclude: readonly PathPattern[];
  readonly source: AutoApprovalSource;
}

/** INVARIANT (all paths): a condition about paths holds only if it holds for each of them. */
function approves({ tools, include, exclude, source }: Match, { tool, input, touches, paths }: Approvable): boolean {
  if (tools.length > 0 && !tools.some((pattern) => pattern.matches(tool))) return false;
  const speaksOfPaths = include.length > 0 || exclude.length > 0;
  // A policy that does not name the tool says nothing about what the tool does besides.
  const isNamed = source.appliesTo.includes(tool);
  if (!isNamed && touches.some((touch) => (speaksOfPaths ? !isFileTouch(touch) : touch.kind === "unknown")))
    return false;
  if (speaksOfPaths && !(paths.length > 0 && paths.every((one) => isMeant(one, include, exclude)))) return false;
  return hasParameters(input, source.parameters) && beginsWith(input["command"], source.commandPrefix);
}

/** Any is enough. */
function objects(
  { tools, include, exclude, source }: Match,
  { tool, input, paths }: Parameters<AutoObjection["objects"]>[0],
): boolean {
  if (tools.length > 0 && !tools.some((pattern) => pattern.matches(tool))) return false;
  if (source.commandPrefix !== null && beginsWith(input["command"], source.commandPrefix)) return true;
  if (include.length === 0) return false; // a rule about every call, or about commands
  return paths.some((one) => include.some((pattern) => mayMean(pattern, one)) && !isExcluded(one, exclude));
}

/** Of a folder also by what may lie in it, at whatever depth. */
function mayMean(pattern: PathPattern, { path, tree }: TouchedPath): boolean {
  const begin = `/${pattern.head.join("/")}`;
  return pattern.matches(path) || (tree === true && (isWithin(begin, path) || isWithin(path, begin)));
}

const isExcluded = ({ path, tree }: TouchedPath, exclude: readonly PathPattern[]): boolean =>
  exclude.some((one) => one.matches(path) && (tree !== true || one.components.at(-1) === ANY_DEPTH));

function isMeant(
  { path, tree }: TouchedPath,
  include: readonly PathPattern[],
  exclude: readonly PathPattern[],
): boolean {
  // What lies below a folder is not known here: only who means all of it means this.
  if (tree)
    return exclude.length === 0 && include.some((one) => one.matches(path) && one.components.at(-1) === ANY_DEPTH);
  const isIncluded = include.length === 0 || include.some((one) => one.matches(path));
  return isIncluded && !exclude.some((one) => one.matches(path));
}

const hasParameters = (input: JsonObject, wanted: JsonObject): boolean =>
  Object.entries(wanted).every(
    ([name, value]) => Object.hasOwn(input, name) && canonicalJson(input[name]) === canonicalJson(value),
  );

const beginsWith = (command: JsonValue | undefined, prefix: readonly string[] | null): boolean =>
  prefix === null || (Array.isArray(command) && prefix.every((word, at) => command[at] === word));
