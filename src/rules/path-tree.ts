import { ANY_DEPTH, matchesComponent } from "./path-component.ts";
import type { PathPattern } from "./path-pattern.ts";
import { pathSteps } from "./path-pattern.ts";

/**
 * How a pattern relates to a folder with everything below it: it matches `all` of that, or the folder itself and not
 * all (`root`), or only something below (`part`), or nothing of it (null).
 */
export type Overlap = "all" | "root" | "part" | null;

/** Exact for one pattern. Several that cover all only together count as what each covers alone. */
export function overlapWithTree(pattern: PathPattern, folder: string): Overlap {
  if (pattern.matches(folder)) return pattern.components.at(-1) === ANY_DEPTH ? "all" : "root";
  return reachesBelow(pattern, folder) ? "part" : null;
}

/**
 * Whether the pattern matches a path below the folder. It does as soon as the folder's own names use up some of its
 * components: each that is left can match some name.
 */
function reachesBelow({ components }: PathPattern, folder: string): boolean {
  let reached = withDepths([0], components);
  for (const name of pathSteps(folder)) {
    const next = reached.flatMap((at) => {
      const component = components[at];
      if (component === undefined) return [];
      if (component === ANY_DEPTH) return [at];
      return matchesComponent(component, name, 0, name.length) ? [at + 1] : [];
    });
    reached = withDepths(next, components);
  }
  return reached.length > 0;
}

/** A `**` may also stand for nothing, so what comes after it is reached with it. */
const withDepths = (reached: readonly number[], components: PathPattern["components"]): readonly number[] => [
  ...new Set(reached.flatMap((at) => (components[at] === ANY_DEPTH ? [at, at + 1] : [at]))),
];
