import type { CommandArgument, ParsedScript, SyntaxNode } from "unbash";
import type { CodeUse, FlowingWord } from "./flow-uses.ts";
import { forEachChild } from "./parse-bash.ts";
import { staticText } from "./static-text.ts";
import type { Shape } from "./word-shape.ts";

/** Bash's own commands that act on variables, or on the script itself: what they do is read where their name is written out. */
const ACTING: ReadonlySet<string> = new Set(
  `declare typeset local readonly export read mapfile readarray getopts unset let trap alias enable hash set shopt eval source .
  test [ wait bind complete compgen`.split(/\s+/),
);

/** Of those, the ones that need not be given a value to run it: `declare -i n`, and `n` is set to one later. */
const UNASKED = ["declare", "typeset", "local", "readonly", "let", "trap", "eval", "alias", "source"];

type Words = readonly FlowingWord[];

/** Names of such commands that a script holds as texts, beside those that it is written to run: any of them may be in a variable. */
export function textsOfBuiltins(text: string, script: ParsedScript): ReadonlySet<string> {
  const texts = UNASKED.filter((name) => text.includes(name));
  const left = new Map(texts.map((name) => [name, [...text.matchAll(alone(name))].length]));
  const visit = (node: SyntaxNode): void => {
    const name = node.type === "Command" ? (node.name?.text ?? "") : "";
    if (left.has(name)) left.set(name, (left.get(name) ?? 0) - 1);
    forEachChild(node, visit);
  };
  if (texts.length > 0) visit(script);
  return new Set(texts.filter((name) => (left.get(name) ?? 0) > 0));
}

const alone = (name: string): RegExp => new RegExp(`(?<![\\w./$]|\\w-)${name}(?![\\w./-])`, "g");

/**
 * `d=declare; $d -i n`: a command of bash's own whose name is known only at run time. `ways` are those in which the command
 * may come out, `texts` what its name may be where none of them says.
 */
export function namedBuiltin(
  args: readonly CommandArgument[],
  ways: readonly Words[],
  texts: ReadonlySet<string>,
): Omit<CodeUse, "index"> | null {
  const written = args.find(({ text }, at) => !isPrefix(staticText(text) ?? text, at));
  if (written === undefined || staticText(written.text) !== null) return null;
  for (const way of ways) {
    const at = way.findIndex((word, n) => !isPrefix(word.text, n));
    const first = way[at];
    if (first === undefined || first.shape.some((part) => typeof part === "string" && part.includes("/"))) continue;
    const isPrinting = first.text === "printf" && way[at + 1]?.text.startsWith("-v") === true;
    const name = first.isStatic ? first.text : ([...texts][0] ?? (isPutTogether(first.shape) ? "declare" : undefined));
    if (name !== undefined && (ACTING.has(name) || isPrinting))
      return { why: `\`${name}\` may act on it, by a name that is known only at run time`, fix: "write the name out" };
  }
  return null;
}

/** `${d,,}`, `$(echo de"$d")`, `de{clare,}`: any name may come of it, also one that the script nowhere holds as a text. */
const isPutTogether = (shape: Shape): boolean =>
  shape.some(
    (part) => typeof part !== "string" && (MAKES_NAMES.test(part.raw) || (part.raw[0] === "{" && shape.length > 1)),
  );

const MAKES_NAMES = /^\$\{[\w@*[\]]+(?:[#%/^,@]|:(?![-=?+]))|^(?:\$\(|`).*\b(?:echo|printf)\b.*\$/s;

/** `command -p --` before a command. */
export const isPrefix = (text: string, at: number): boolean =>
  /^(?:command|builtin)$/.test(text) || (at > 0 && /^-p?-?$/.test(text));
