import { ANY_DEPTH, matchesComponent, type PathComponent } from "./path-component.ts";
import type { Wildcard } from "./wildcard.ts";

/** Splits off the components that are exact, since most patterns are decided by them alone. */
export function pathMatcher(components: readonly PathComponent[]): (path: string) => boolean {
  const firstOpen = components.findIndex((component) => component === ANY_DEPTH || "wildcard" in component);
  const exact = firstOpen === -1 ? components : components.slice(0, firstOpen);
  const head = exact.map((component) => `/${(component as { literal: string }).literal}`).join("");
  const tail = components.slice(exact.length);
  if (tail.length === 0) return (path) => path === (head === "" ? "/" : head);

  const { longest, last } = textsOf(tail);
  return (path) => {
    // Three cheap looks send nearly every path away; only the walk says yes.
    if (!path.endsWith(last) || !path.startsWith(head) || !path.includes(longest)) return false;
    const end = path === "/" ? 0 : path.length;
    return (end === head.length || path[head.length] === "/") && matchesTail(tail, path, head.length, end);
  };
}

/** Texts that every matching path holds: the longest one within, and the one at the end. Empty = none is sure. */
function textsOf(tail: readonly PathComponent[]): { longest: string; last: string } {
  const texts = [""];
  for (const component of tail) {
    if (component === ANY_DEPTH) texts.push("");
    else if ("literal" in component) texts.push(`${texts.pop()}/${component.literal}`);
    else texts.push(...textsOfWildcard(`${texts.pop()}/`, component.wildcard));
  }
  const longest = texts.reduce((a, b) => (b.length > a.length ? b : a));
  return { longest, last: texts.at(-1) as string };
}

function textsOfWildcard(before: string, wildcard: Wildcard): readonly string[] {
  const texts = [before];
  for (const token of wildcard) {
    if (token < 0) texts.push("");
    else texts.push(`${texts.pop()}${String.fromCodePoint(token)}`);
  }
  return texts;
}

/** The walk of `matchesWildcard`, a component at a time: back to the latest `**` only, so never exponential. */
function matchesTail(tail: readonly PathComponent[], path: string, from: number, end: number): boolean {
  let at = from;
  let part = 0;
  let deepPart = -1;
  let deepAt = from;
  while (at < end) {
    const component = tail[part];
    if (component === ANY_DEPTH) {
      if (part === tail.length - 1) return true;
      deepPart = part++;
      deepAt = at;
      continue;
    }
    const next = componentEnd(path, at + 1);
    if (component !== undefined && matchesComponent(component, path, at + 1, next)) {
      at = next;
      part++;
    } else if (deepPart === -1) {
      return false;
    } else {
      deepAt = componentEnd(path, deepAt + 1);
      at = deepAt;
      part = deepPart + 1;
    }
  }
  if (tail[part] === ANY_DEPTH) part++;
  return part === tail.length;
}

function componentEnd(path: string, from: number): number {
  const slash = path.indexOf("/", from);
  return slash === -1 ? path.length : slash;
}
