import type { CodeUse, FlowingWord } from "./flow-uses.ts";
import type { WhereValuesAre } from "./where-values-are.ts";
import { headOf } from "./word-shape.ts";

type Argv = readonly FlowingWord[];

/** What some of bash's own commands make of a word, which to others would be a text. */
export function builtinUse(name: string, argv: Argv, where: WhereValuesAre): CodeUse | null {
  if (name === "test" || name === "[") return inTest(name, argv, where);
  if (name === "printf") return inFormat(argv, where);
  if (name === "jobs") return inJobs(argv, where);
  return TAKES_NAMES.has(name) ? amongNames(name, argv, where) : null;
}

/** They take names of variables, and bash computes the index of a name (`a[…]`), and runs what it holds. */
const TAKES_NAMES: ReadonlySet<string> = new Set(["read", "mapfile", "readarray", "getopts", "unset", "wait"]);

/** `read -d $v name`: of several words only the first is the option's. */
function amongNames(name: string, argv: Argv, where: WhereValuesAre): CodeUse | null {
  for (const word of argv) {
    const index = word.isMany ? where.free(word.flow.holds) : undefined;
    if (index !== undefined)
      return {
        index,
        why: `\`${name}\` would take one of the words that it becomes for the name of a variable`,
        fix: "put it into double quotes",
      };
  }
  return null;
}

/** `[ $v = a ]`: one of several words may be `-v`, which computes the index of the name that follows, and runs what it holds. */
function inTest(name: string, argv: Argv, where: WhereValuesAre): CodeUse | null {
  for (const [at, word] of argv.entries()) {
    const isUnclear = word.isMany || (headOf(word.shape) === "" && !isBeforeOperator(argv[at + 1]));
    const index = isUnclear ? where.free(word.flow.holds) : undefined;
    if (index !== undefined)
      return {
        index,
        why: `\`${name}\` would take it, or one of the words that it becomes, for an operator`,
        fix: "put it into double quotes, with an operator behind it, or use `[[ … ]]`",
      };
  }
  return null;
}

/** What stands before an operator is text, whatever it looks like; so is the last word. */
const isBeforeOperator = (next: FlowingWord | undefined): boolean =>
  next === undefined || (next.isStatic && /^(?:\]|=|==|!=|<|>|-(?:eq|ne|lt|le|gt|ge|nt|ot|ef|a|o))$/.test(next.text));

/** Behind options the first word is the format: signs and backslashes in it mean something. */
function inFormat(argv: Argv, where: WhereValuesAre): CodeUse | null {
  let at = 1;
  for (
    let text = argv[at]?.text ?? "";
    argv[at]?.isStatic === true && text.startsWith("-");
    text = argv[at]?.text ?? ""
  ) {
    at += text === "-v" ? 2 : 1;
    if (text === "--") break;
  }
  const index = where.free(argv[at]?.flow.holds ?? new Set<number>());
  return index === undefined
    ? null
    : { index, why: "it would be in the format of `printf`", fix: "write `printf '%s' \"$value\"`" };
}

function inJobs(argv: Argv, where: WhereValuesAre): CodeUse | null {
  if (!argv.some(({ text }) => /^-[a-z]*x/.test(text))) return null;
  const values = argv.reduce<ReadonlySet<number>>((all, { flow }) => all.union(flow.holds), new Set<number>());
  const index = where.odd(values);
  return index === undefined ? null : { index, why: "`jobs -x` runs what it is given", fix: "do without it" };
}
