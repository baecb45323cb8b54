import { ANY_DEPTH, type PathComponent } from "../../rules/path-component.ts";
import { compilePathPattern, type PathPattern } from "../../rules/path-pattern.ts";

/** Patterns of places that are closed, in the form in which a tree is searched for them. */
export interface ClosedPlaces {
  /** What the patterns say of one path. A pattern that can't be read closes everything. */
  readonly matches: (path: string) => boolean;
  /** Whether an entry of this name can match at all, which most can't. */
  readonly mayMatch: (name: string) => boolean;
  /** Names that a folder may lack and that nobody may give it, and paths below folders that it may lack. */
  readonly lacking: (folder: string, isRoot: boolean) => readonly string[];
  /** Whether a match can lie anywhere below the folder, so that it has to be searched. */
  readonly reachesInto: (folder: string) => boolean;
  readonly isEmpty: boolean;
}

type Literal = { readonly literal: string };

const isLiteral = (component: PathComponent | undefined): component is Literal =>
  component !== undefined && component !== ANY_DEPTH && "literal" in component;

export function closedPlaces(texts: readonly string[], workspace: string): ClosedPlaces {
  const compiled = texts.map((text) => compilePathPattern(text, workspace));
  const isBroken = compiled.some((pattern) => "error" in pattern);
  const patterns = compiled.filter((pattern) => !("error" in pattern)) as readonly PathPattern[];
  const names = new Set<string>();
  let isOpen = isBroken;
  for (const pattern of patterns) {
    const last = lastNamed(pattern);
    if (isLiteral(last)) names.add(last.literal);
    else isOpen = true;
  }
  return {
    matches: (path) => isBroken || patterns.some((pattern) => pattern.matches(path)),
    mayMatch: (name) => isOpen || names.has(name),
    lacking: (folder, isRoot) => patterns.flatMap((pattern) => lackingOf(pattern, folder, isRoot)),
    reachesInto: (folder) => isBroken || patterns.some((pattern) => reachesInto(pattern, folder)),
    isEmpty: texts.length === 0,
  };
}

/** The last component that has a name: `x` of `./x/**`, which matches `x` itself as well. */
const lastNamed = ({ components }: PathPattern): PathComponent | undefined =>
  components.at(-1) === ANY_DEPTH ? components.at(-2) : components.at(-1);

/**
 * The name that would complete the pattern in this folder. A name that is closed wherever it comes to lie can be kept
 * away only from some places: the top of the tree, and folders that are named in the pattern as well (`.git/hooks`).
 */
function lackingOf(pattern: PathPattern, folder: string, isRoot: boolean): readonly string[] {
  const last = lastNamed(pattern);
  if (!isLiteral(last)) return [];
  const { components } = pattern;
  const isFolder = components.at(-1) === ANY_DEPTH;
  const below = writtenOut(components.slice(0, isFolder ? -1 : undefined), folder);
  if (below !== null) return [below];
  const before = components.at(isFolder ? -3 : -2);
  if (!isRoot && !isLiteral(before)) return [];
  const path = `${folder === "/" ? "" : folder}/${last.literal}`;
  return pattern.matches(path) ? [last.literal] : [];
}

/** What is closed by its exact path, and lies in no folder that is there yet, is known from any folder above it. */
function writtenOut(components: readonly PathComponent[], folder: string): string | null {
  const steps = folder === "/" ? [] : folder.slice(1).split("/");
  if (components.length <= steps.length + 1 || !components.every(isLiteral)) return null;
  const names = components.map(({ literal }) => literal);
  return steps.every((step, index) => names[index] === step) ? names.slice(steps.length).join("/") : null;
}

/** By its exact beginning: `/a/b/**` has nothing to do with `/a/c`. */
function reachesInto({ head }: PathPattern, folder: string): boolean {
  const steps = folder.split("/").slice(1);
  return head.every((name, index) => index >= steps.length || steps[index] === name);
}
