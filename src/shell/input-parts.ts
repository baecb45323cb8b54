import type { Command, HereDoc, Redirection, SyntaxNode, Word as SyntaxWord, WordPart } from "unbash";
import { programName } from "./program-name.ts";
import { staticText } from "./static-text.ts";
import { flowOfWord, mentions, type Variables } from "./value-flow.ts";

type Values = ReadonlySet<number>;
const NONE: Values = new Set();

/** What of a redirection's values stands inside a line that somebody else has written. A file's name is no part of its text. */
export function insideRedirect(redirect: Redirection, variables: Variables): Values {
  if (redirect.type === "HereDoc") return insideHereDoc(redirect, variables);
  return redirect.operator === "<<<" && redirect.target !== undefined ? insideWord(redirect.target, variables) : NONE;
}

/** The same of what a command prints. Only a few print what they are given and nothing else. */
export function insidePrinted(command: SyntaxNode, variables: Variables): Values {
  if (command.type !== "Command" || command.prefix.length > 0) return mentions(command, variables);
  const called = programName(staticText(command.name?.text ?? "") ?? "");
  const given = command.redirects.reduce<Values>((all, one) => all.union(insideRedirect(one, variables)), NONE);
  if (called === "cat") return given;
  const words = command.args.filter((word) => word.type === "Word");
  const [first, ...rest] = words;
  if (called === "echo") return insideWords(words, variables);
  const isPlain = called === "printf" && PLAIN_FORMAT.test(staticText(first?.text ?? "") ?? "");
  return isPlain ? insideWords(rest, variables) : mentions(command, variables).union(wordsOf(command, variables));
}

const PLAIN_FORMAT = /^%s;?(?:\\n)?$/;

const wordsOf = ({ args }: Command, variables: Variables): Values =>
  args.reduce<Values>((all, word) => all.union(mentions(word, variables)), NONE);

/** Of several words, none begins the line for sure. */
function insideWords(words: readonly SyntaxWord[], variables: Variables): Values {
  const [only, ...others] = words;
  if (only === undefined) return NONE;
  return others.length === 0
    ? insideWord(only, variables)
    : words.reduce<Values>((all, word) => all.union(mentions(word, variables)), NONE);
}

const insideWord = (word: SyntaxWord, variables: Variables): Values => {
  const { holds, begins } = flowOfWord(word, "kept", variables);
  return holds.difference(begins);
};

/** A line is a value and nothing else, but for what ends a statement. */
function insideHereDoc({ body }: HereDoc, variables: Variables): Values {
  let inside = NONE;
  let line: WordPart[] = [];
  const end = (): void => {
    const { holds, begins } = flowOfWord({ parts: line }, "kept", variables);
    inside = inside.union(line.length === 1 ? holds.difference(begins) : holds);
    line = [];
  };
  for (const part of body.parts ?? []) {
    if (part.type !== "Literal") line.push(part);
    else
      for (const [at, text] of part.value.split("\n").entries()) {
        if (at > 0) end();
        if (!/^[\s;]*$/.test(text)) line.push({ ...part, value: text, text });
      }
  }
  end();
  return inside;
}
