import { isLocalHost } from "../domain/host.ts";
import { hostOfPattern } from "./connect-pattern.ts";
import { ANY_DEPTH, type PathComponent } from "./path-component.ts";
import type { PathPattern } from "./path-pattern.ts";
import type { Pattern } from "./pattern.ts";
import { ANY_RUN } from "./wildcard.ts";

/** Whether every path that `narrow` matches is matched by `wide` too. A no may be wrong, a yes never is. */
export const coversPath = (wide: PathPattern, narrow: PathPattern): boolean =>
  coversAll(wide.components, narrow.components);

/** The walk of `pathMatcher`: back to the latest `**` only, so that no lease can hold the gate up by its spelling. */
function coversAll(wide: readonly PathComponent[], narrow: readonly PathComponent[]): boolean {
  let part = 0;
  let at = 0;
  let deepPart = -1;
  let deepAt = 0;
  while (at < narrow.length) {
    const [one, other] = [wide[part], narrow[at] as PathComponent];
    if (one === ANY_DEPTH) {
      deepPart = part++;
      deepAt = at;
    } else if (one !== undefined && other !== ANY_DEPTH && coversComponent(one, other)) {
      part++;
      at++;
    } else if (deepPart === -1) {
      return false;
    } else {
      at = ++deepAt;
      part = deepPart + 1;
    }
  }
  if (wide[part] === ANY_DEPTH) part++;
  return part === wide.length;
}

type Named = Exclude<PathComponent, typeof ANY_DEPTH>;

function coversComponent(wide: Named, narrow: Named): boolean {
  if ("literal" in wide) return "literal" in narrow && wide.literal === narrow.literal;
  if (wide.wildcard.length === 1 && wide.wildcard[0] === ANY_RUN) return true;
  return "wildcard" in narrow && wide.wildcard.join() === narrow.wildcard.join();
}

/** For patterns of other things: the same text, or one that names a single thing which the other matches. */
export const coversName = (wide: Pattern, narrow: Pattern): boolean =>
  wide.text === narrow.text || (!narrow.text.includes("*") && wide.matches(narrow.text));

/** As for touches: what is not on the internet is covered by its own name only. */
export const coversHost = (wide: Pattern, narrow: Pattern): boolean =>
  coversName(wide, narrow) && (wide.isExact === true || !isLocalHost(hostOfPattern(narrow.text)));

/** What both let through, as far as patterns can say it: what is lost is never let through. */
export function common<P extends Pattern>(
  a: readonly P[],
  b: readonly P[],
  covers: (wide: P, narrow: P) => boolean,
): readonly P[] {
  const within = (some: readonly P[], others: readonly P[]) =>
    some.filter((narrow) => others.some((wide) => covers(wide, narrow)));
  return distinct([...within(a, b), ...within(b, a)]);
}

export const distinct = <P extends Pattern>(patterns: readonly P[]): readonly P[] => [
  ...new Map(patterns.map((pattern) => [pattern.text, pattern])).values(),
];
