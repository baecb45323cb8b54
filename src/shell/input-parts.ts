import type { Command, HereDoc, Redirection, SyntaxNode, Word as SyntaxWord } from "unbash";
import { partsIn } from "./flowing-text.ts";
import { programName } from "./program-name.ts";
import { staticText } from "./static-text.ts";
import { type Flow, flowOfWord, mentions, type Variables } from "./value-flow.ts";
import { type Hole, type Shape, shapeOf } from "./word-shape.ts";

type Values = ReadonlySet<number>;
const NONE: Values = new Set();

/** What of a redirection's values stands inside a line that somebody else has written. A file's name is no part of its text. */
export function insideRedirect(redirect: Redirection, variables: Variables): Values {
  if (redirect.type === "HereDoc") return insideHereDoc(redirect, variables);
  if (redirect.target === undefined) return NONE;
  return redirect.operator === "<<<"
    ? insideWord(redirect.target, variables)
    : insideSubstitution(redirect.target, variables);
}

/** What is written out of a heredoc or a here-string, and what bash fills in between. */
export function shapeGiven(redirect: Redirection): readonly Shape[] {
  if (redirect.type !== "HereDoc")
    return redirect.operator === "<<<" && redirect.target !== undefined ? [shapeOf(redirect.target.text)] : [];
  return [redirect.body?.parts?.map((part) => (part.type === "Literal" ? part.value : holeOf(part.text))) ?? []];
}

const holeOf = (raw: string): Hole => {
  const [hole] = shapeOf(`"${raw}"`).filter((part) => typeof part !== "string");
  return hole ?? { raw, name: null, isMany: false };
};

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

const insideWord = (word: SyntaxWord, variables: Variables): Values => partsIn(flowOfWord(word, "kept", variables));

/** `< <(echo "…")`: what the command in there prints; several are followed by nobody. */
function insideSubstitution({ parts }: SyntaxWord, variables: Variables): Values {
  return (parts ?? []).reduce<Values>((all, part) => {
    if (part.type !== "ProcessSubstitution") return all;
    const [only, ...others] = part.script?.commands ?? [];
    const isOne = only?.command.type === "Command" && others.length === 0;
    return all.union(isOne ? insidePrinted(only.command, variables) : mentions(part, variables));
  }, NONE);
}

/** A value is a statement where nothing stands before it that has not ended, and nothing behind it but an end. */
function insideHereDoc({ body }: HereDoc, variables: Variables): Values {
  const lines = new StatementLines();
  for (const part of body.parts ?? [])
    if (part.type === "Literal") lines.text(part.value);
    else lines.values(flowOfWord({ parts: [part] }, "kept", variables));
  return lines.inside;
}

/** The texts and values of an input, from its beginning. */
class StatementLines {
  inside: Values = NONE;
  /** What its author has written since the last end, and of that what is on this line. */
  #open = "";
  #line = "";
  /** Values behind which nothing has ended. */
  #waiting = NONE;

  text(text: string): void {
    for (const [at, line] of text.split("\n").entries()) {
      if (at > 0) this.#next();
      if (/^[\s;]*$/.test(line)) {
        if (line.includes(";")) this.#waiting = NONE;
        continue;
      }
      const isCommand = this.#line === "" && /^\s*\./.test(line);
      if (!isCommand) this.inside = this.inside.union(this.#waiting);
      this.#waiting = NONE;
      this.#line += line;
      if (!isCommand) this.#open += `${line}\n`;
    }
  }

  values(flow: Flow): void {
    const isPart = this.#line !== "" || this.#open !== "" || this.#waiting.size > 0;
    this.inside = this.inside.union(partsIn(flow)).union(isPart ? flow.holds.union(this.#waiting) : NONE);
    this.#waiting = flow.holds;
  }

  /** A line that ends a statement, unless that is inside quotes. */
  #next(): void {
    const quotes = this.#open.match(/['"`]/g) ?? [];
    if (/;\s*$/.test(this.#open) && quotes.length % 2 === 0) this.#open = "";
    this.#line = "";
  }
}
