import type { CodeTaker } from "./code-taker.ts";

export type OptionKind = "text" | "file" | "load" | "value" | "pair" | "flag";
export const FLAG = "flag";

export interface KnownOption {
  readonly kind: OptionKind;
  readonly isGlued: boolean;
  /** Of the option without its value. */
  readonly length: number;
}

/** `cut`: the author's text ends before it is clear which option it is. */
export type FoundOption = KnownOption | "unknown" | "cut";

const UNKNOWN = "unknown";
const CUT = "cut";

/** Which option a word is, by the author's own text at its head; `isWhole`: there is no more of it. */
export function optionIn(taker: CodeTaker, head: string, isWhole: boolean): FoundOption {
  const isLong = head.startsWith("--") || taker.style === "single";
  if (!isLong && !head.startsWith("+")) return lettersIn(taker, head, isWhole);
  const equals = head.indexOf("=");
  const name = equals === -1 ? head : head.slice(0, equals);
  if (equals === -1 && !isWhole) return taker.style === "single" ? (gluedName(taker, name) ?? CUT) : CUT;
  const kind = longKind(taker, taker.style === "single" ? name.replace(/^--/, "-") : name);
  if (kind === null) return (taker.style === "single" && gluedName(taker, head)) || UNKNOWN;
  return { kind, isGlued: equals !== -1, length: equals + 1 };
}

/** `-Dname=value`, `-Wl,…` of those whose letters are names. */
function gluedName(taker: CodeTaker, head: string): FoundOption | null {
  for (const [kind, names] of listsOf(taker))
    for (const name of names)
      if (head.startsWith(name) && head.length > name.length) return { kind, isGlued: true, length: name.length };
  return null;
}

function longKind(taker: CodeTaker, name: string): OptionKind | null {
  const lists = listsOf(taker);
  for (const [kind, names] of lists) if (names.has(name)) return kind;
  if (taker.flagged?.test(name)) return FLAG;
  // Cut short it may be any that begins so: what is code comes first.
  for (const [kind, names] of lists)
    if (name.length > 2 && [...names].some((one) => one.startsWith(name) && one.startsWith("--"))) return kind;
  return null;
}

function lettersIn(taker: CodeTaker, head: string, isWhole: boolean): FoundOption {
  const lists = listsOf(taker);
  // `-TT` is one of its own.
  for (const [kind, names] of lists)
    if (head.length > 2 && names.has(head) && isWhole) return { kind, isGlued: false, length: head.length };
  for (let at = 1; at < head.length; at++) {
    const letter = head[at] as string;
    const isLast = at === head.length - 1;
    if (taker.glued?.includes(letter)) return { kind: FLAG, isGlued: true, length: at + 1 };
    const kind = lists.find(([, names]) => names.has(`-${letter}`))?.[0];
    if (kind === undefined && taker.strict === true) return UNKNOWN;
    if (kind !== undefined && kind !== FLAG) return { kind, isGlued: !(isLast && isWhole), length: at + 1 };
  }
  return isWhole ? { kind: FLAG, isGlued: false, length: head.length } : CUT;
}

type Lists = readonly (readonly [OptionKind, ReadonlySet<string>])[];
const known = new WeakMap<CodeTaker, Lists>();

const named = (list: string | undefined): ReadonlySet<string> => new Set(list?.split(" ").filter((one) => one !== ""));

/** What is code comes first, so that a doubt is settled in its favour. */
function listsOf(taker: CodeTaker): Lists {
  const lists = known.get(taker) ?? [
    ["text", named(taker.text)] as const,
    ["file", named(taker.files)] as const,
    ["load", named(taker.loads)] as const,
    ["value", named(taker.values)] as const,
    ["pair", named(taker.pairs)] as const,
    [FLAG, named(taker.flags)] as const,
  ];
  known.set(taker, lists);
  return lists;
}
