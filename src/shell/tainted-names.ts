import { VALUES } from "./slot-names.ts";

const REFERENCE = new RegExp(`\\$\\{${VALUES}\\[(\\d+)\\]\\}`, "g");
const ASSIGNED = /(?<![\w$-])([A-Za-z_]\w*)(?:\[[^\]\n]*\])?\+?=/g;
/** What fills variables from elsewhere: where that comes from is not looked for. */
const FILLED =
  /\b(?:read|mapfile|readarray|getopts|printf\s+-v)\b([^\n;|&<]*)|\b(?:for|select)\s+([A-Za-z_]\w*)\b|\$\{([A-Za-z_]\w*):?=/g;
const NAME = /[A-Za-z_]\w*/g;

/**
 * The variables of a script that may hold what a slot holds, or a part of it: each that is set on a line with a slot, or
 * with such a variable, or filled by something else than an assignment. More than there are, never fewer on purpose.
 */
export function taintedNames(script: string, isHarmless: (index: number) => boolean): ReadonlySet<string> {
  const tainted = new Set<string>();
  const lines = script.split("\n");
  const hasSlot = (text: string): boolean =>
    [...text.matchAll(REFERENCE)].some(([, index]) => !isHarmless(Number(index)));
  if (!hasSlot(script)) return tainted;
  for (const [, operands = "", looped = "", defaulted = ""] of script.matchAll(FILLED))
    for (const [name] of `${operands} ${looped} ${defaulted}`.matchAll(NAME)) tainted.add(name);
  for (let before = -1; before < tainted.size; ) {
    before = tainted.size;
    for (const line of lines) {
      if (!hasSlot(line) && !mentions(line, tainted)) continue;
      for (const [, name = ""] of line.matchAll(ASSIGNED)) tainted.add(name);
    }
  }
  return tainted;
}

/** Any mention will do: inside arithmetic and in indirections a variable has no dollar sign before it. */
const mentions = (line: string, names: ReadonlySet<string>): boolean => {
  for (const [name] of line.matchAll(NAME)) if (names.has(name)) return true;
  return false;
};
