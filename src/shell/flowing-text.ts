import type { FlowingWord } from "./flow-uses.ts";
import type { OptionKind } from "./option-kinds.ts";
import type { Flow } from "./value-flow.ts";
import type { WhereValuesAre } from "./where-values-are.ts";
import { headOf, tailOf } from "./word-shape.ts";

type Values = ReadonlySet<number>;

export const holdsIn = (argv: readonly FlowingWord[]): Values => new Set(argv.flatMap(({ flow }) => [...flow.holds]));

export const isCode = (kind: OptionKind): boolean => kind === "text" || kind === "file" || kind === "load";

/** Code with something filled in that is no value: a name stands for it. */
export const withNames = ({ shape }: FlowingWord): string =>
  shape.map((part) => (typeof part === "string" ? part : "h")).join("");

/** `--file=a.sql`: what of a word stands behind the name of its option. */
export function withoutHead(word: FlowingWord, length: number): FlowingWord {
  const [head, ...rest] = word.shape;
  const shape = [typeof head === "string" ? head.slice(length) : "", ...rest];
  return { ...word, shape, text: word.isStatic ? word.text.slice(length) : word.text };
}

export const hasText = ({ shape }: FlowingWord): boolean =>
  shape.some((part) => typeof part === "string" && part.trim() !== "");

export const shown = ({ raw }: FlowingWord): string => raw.replace(/\$\{__toolgate_v\[\d+\]\}/g, "…");

/** What is no statement of its own. */
export const partsIn = ({ holds, begins, beside }: Flow): ReadonlySet<number> => holds.difference(begins).union(beside);

/** Not one that begins as a name does, ends in a folder's entry, or is a value: those are looked at in every call. */
export function mayBeOption({ shape, flow, isMany }: FlowingWord, { odd }: Pick<WhereValuesAre, "odd">): boolean {
  if (isMany) return true;
  if (headOf(shape) !== "" || tailOf(shape).includes("/")) return false;
  return odd(flow.holds) === undefined;
}
