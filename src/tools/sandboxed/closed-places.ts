import { ANY_DEPTH, type PathComponent } from "../../rules/path-component.ts";
import { compilePathPattern, type PathPattern } from "../../rules/path-pattern.ts";

/** Patterns of places that are closed, in the form in which a tree is searched for them. */
export interface ClosedPlaces {
  /** What the patterns say of one path. A pattern that can't be read closes everything. */
  readonly matches: (path: string) => boolean;
  /** Whether an entry of this name can match at all, which most can't. */
  readonly mayMatch: (name: string) => boolean;
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
    reachesInto: (folder) => isBroken || patterns.some((pattern) => reachesInto(pattern, folder)),
    isEmpty: texts.length === 0,
  };
}

/** The last component that has a name: `x` of `./x/**`, which matches `x` itself as well. */
const lastNamed = ({ components }: PathPattern): PathComponent | undefined =>
  components.at(-1) === ANY_DEPTH ? components.at(-2) : components.at(-1);

/** By its exact beginning: `/a/b/**` has nothing to do with `/a/c`. */
function reachesInto({ head }: PathPattern, folder: string): boolean {
  const steps = folder.split("/").slice(1);
  return head.every((name, index) => index >= steps.length || steps[index] === name);
}
