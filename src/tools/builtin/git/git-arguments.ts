import type { GitOperation } from "../../../domain/git-operations.ts";
import { quoted } from "../../../domain/visible.ts";
import { OPERATIONS, type OperationForm } from "./operations.ts";

export type GitArguments =
  | { readonly ok: true; readonly words: readonly string[] }
  | { readonly ok: false; readonly why: string };

/** Names as git takes them (`git help check-ref-format`), and nothing that could be an option or a path elsewhere. */
const NAME = /^(?![-./])(?!.*(?:\.\.|@\{|\.lock(?:\/|$)|\/\/))[^\s~^:?*[\]\\\p{Cc}]+$/u;
const REVISION = /^(?!-)(?!.*@\{.*[^\w.\-}/])[^\s?*[\]\\\p{Cc}]+$/u;
const ADDRESS = /^(?:https?:\/\/[^\s\p{Cc}]+|(?!-)(?!.*::)(?![\w.-]+@)[\w./@+-]+)$/u;

const WORDS = {
  names: [NAME, "is no name that git would take here"],
  revisions: [REVISION, "is no revision"],
  address: [ADDRESS, "is neither an address over http nor a plain path"],
} as const satisfies Record<OperationForm["words"], readonly [RegExp, string]>;

/** INVARIANT (options are listed): what a model writes is an option only if its operation has it, or data behind it. */
export function gitArguments(operation: GitOperation, given: readonly string[]): GitArguments {
  const form: OperationForm = OPERATIONS[operation];
  const words: string[] = [form.command];
  const [first = "", ...others] = given;
  if (form.alone?.includes(first))
    return others.length === 0 ? ok([...words, first]) : no(`${quoted(first)} stands alone`);
  let rest = [...given];
  if (form.subcommands !== undefined && rest[0] !== undefined && !rest[0].startsWith("-")) {
    if (!form.subcommands.includes(rest[0])) return no(`${quoted(rest[0])} is no part of ${operation}`);
    words.push(rest[0]);
    rest = rest.slice(1);
  }
  words.push(...(form.fixed ?? []));
  const [pattern, why] = WORDS[form.words];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === "--") return ok([...words, "--", ...rest]);
    if (word.startsWith("-")) {
      const taken = optionOf(form, word, rest);
      if (taken === null) return no(`${quoted(word)} is no option that ${operation} may have`);
      words.push(...taken);
    } else if (pattern.test(word) || (form.words === "names" && isPath(operation, word))) words.push(word);
    else return no(`${quoted(word)} ${why}`);
  }
  return ok(words);
}

/** ADD takes paths: behind `--`, where nothing is an option. */
const isPath = (operation: GitOperation, word: string): boolean => operation === "ADD" && !word.includes("\0");

const ok = (words: readonly string[]): GitArguments => ({ ok: true, words });
const no = (why: string): GitArguments => ({ ok: false, why });

function optionOf({ options }: OperationForm, word: string, rest: string[]): readonly string[] | null {
  if (options.includes(word)) return [word];
  if (options.some((option) => option.endsWith("=") && word.startsWith(option))) return [word];
  if (options.includes("-U") && /^-U\d+$/.test(word)) return [word];
  if (options.includes("-n ") && /^-n?\d+$/.test(word)) return [word];
  const value = rest[0];
  if (!options.includes(`${word} `) || value === undefined || value.startsWith("-")) return null;
  rest.shift();
  return [word, value];
}
