// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the message speaks of bash

import type {
  Assignment,
  Command,
  HereDoc,
  ParsedScript,
  SyntaxNode,
  Word as SyntaxWord,
  TestExpression,
  WordPart,
} from "unbash";
import type { Word } from "../domain/touch.ts";
import { type ArgumentPlace, argumentPlace, type InWord } from "./argument-place.ts";
import { endsOptions } from "./end-of-options.ts";
import { forEachChild } from "./parse-bash.ts";
import { programName } from "./program-name.ts";
import { DECLARES, isArrayOption, isCarrier, mayVanish, READS_CODE } from "./slot-commands.ts";
import { hasToken, tokenOf, tokensIn } from "./slot-names.ts";
import { staticText } from "./static-text.ts";
import { changesExecution, isCodeToPrograms } from "./variable-names.ts";

/** How the text around a slot is quoted, which decides how the variable is written there. */
export type Quoting = "bare" | "double" | "single" | "ansi";

export interface SlotPlace {
  readonly quoting: Quoting;
  readonly argument: ArgumentPlace | null;
}

export interface UnsafeSlot {
  readonly index: number;
  readonly why: string;
  readonly fix: string;
}

/** By the slot's index. A slot that is in no place of the script is in a comment, or where nobody has looked. */
export interface FoundPlaces {
  readonly places: ReadonlyMap<number, SlotPlace>;
  readonly unsafe: UnsafeSlot | null;
}

/** Where each slot stands in a script that has tokens in their places. */
export function slotPlaces(
  text: string,
  script: ParsedScript,
  isNumber: (index: number) => boolean = () => false,
): FoundPlaces {
  const finder = new PlaceFinder(text, isNumber);
  finder.visit(script);
  return { places: finder.places, unsafe: finder.unsafe };
}

const VARIABLE_FIRST = 'give it to a variable first (`value="{{x}}"`) and use that in quotes';
const COMPUTES = /^-(?:eq|ne|lt|le|gt|ge)$/;
const CALCULATED = "bash computes with what stands here, and runs what a value holds in brackets";
const NUMBER_FIRST = "declare the parameter as a number";
class PlaceFinder {
  readonly places = new Map<number, SlotPlace>();
  unsafe: UnsafeSlot | null = null;
  readonly #text: string;
  readonly #isNumber: (index: number) => boolean;
  #words = 0;

  constructor(text: string, isNumber: (index: number) => boolean) {
    this.#text = text;
    this.#isNumber = isNumber;
  }

  readonly visit = (node: SyntaxNode): void => {
    if (this.unsafe !== null || !hasToken(this.#text, node.pos, this.#endOf(node))) return;
    switch (node.type) {
      case "Command":
        return void this.#command(node);
      case "Assignment":
        return void this.#assignment(node);
      case "Word":
        return void this.#word(node, null);
      case "HereDoc":
        return void this.#hereDoc(node);
      case "TestUnary":
      case "TestBinary":
        return void this.#test(node);
      case "ArithmeticCommand":
        return void this.#computed(node.body);
      case "ArithmeticFor":
        this.#computed(this.#text.slice(node.pos, node.body.pos));
        return void this.visit(node.body);
      case "Function":
      case "For":
      case "Select":
      case "Coproc":
        this.#refuse(node.name?.text ?? "", "the value would name a variable or a function", VARIABLE_FIRST);
        return void forEachChild(node, this.visit);
      case "Redirect":
        if (node.descriptor?.type === "FileDescriptorVariable")
          this.#refuse(node.descriptor.name, "the value would name a variable", "write the variable's name out");
        if (node.operator === ">&" || node.operator === "<&")
          this.#refuse(node.target?.text ?? "", "bash reads a name behind `>&` twice", "write `> {{x}} 2>&1`");
        if (node.target !== undefined) this.visit(node.target);
        return;
      default:
        return void forEachChild(node, this.visit);
    }
  };

  /** The body of a heredoc stands behind the line that opens it, and so behind all that holds it. */
  #endOf(node: SyntaxNode): number {
    return node.type === "Word" || node.type === "Assignment" ? node.end : this.#text.length;
  }

  #refuse(text: string, why: string, fix: string): void {
    const [index] = tokensIn(text);
    if (index !== undefined) this.unsafe ??= { index, why, fix };
  }

  readonly #areNumbers = (text: string): boolean => tokensIn(text).every(this.#isNumber);

  /** Where bash computes, a number is what it is, and nothing else may stand there. */
  #computed(text: string): void {
    if (!this.#areNumbers(text) || /["'`\\]|\$\(|\$\{/.test(text.replace(/^\$\(\(/, "")))
      return void this.#refuse(text, CALCULATED, NUMBER_FIRST);
    this.#place(text, "double", null);
  }

  #command({ name, prefix, suffix }: Command): void {
    for (const part of prefix) this.visit(part);
    if (name !== undefined)
      this.#refuse(name.text, "the value would be the command's own name", "write the command out, or use `case`");
    const called = programName(name?.value ?? "");
    const isTested = called === "test" || called === "[";
    // What is tested may become `-v` and a name, if the words before it are not as many as they seem.
    const isUnsteady = isTested && suffix.some((part) => part.type === "Word" && mayVanish(part));
    let vanishes = isUnsteady || (name !== undefined && mayVanish(name));
    const becomesCode = DECLARES.test(called) && (called !== "export" || suffix.some(isArrayOption));
    let isBehindDashes = false;
    let operands = 0;
    const words = [wordOf(name ?? { text: "" })];
    for (const part of suffix) {
      const isArgument = part.type === "Word" || part.type === "Assignment";
      if (isArgument && vanishes && !(isTested && this.#areNumbers(part.text)))
        this.#refuse(
          part.text,
          "a word before it may be nothing, and the value would take its place",
          "put it in quotes",
        );
      if (isArgument && becomesCode)
        this.#refuse(
          part.text,
          `\`${called}\` reads a list's value once more`,
          "set the variable by itself: `x={{y}}`",
        );
      if (isArgument && READS_CODE.has(called))
        this.#refuse(part.text, `\`${called}\` reads its arguments as commands`, "do without it, or write it out");
      if (part.type !== "Word") {
        if (part.type === "Assignment") words.push(wordOf(part));
        this.visit(part);
        continue;
      }
      words.push(wordOf(part));
      const isOperand = isBehindDashes || !part.value.startsWith("-");
      if (called === "printf" && isOperand && operands === 0)
        this.#refuse(part.text, "the value would be the format of `printf`", "write `printf '%s' \"{{x}}\"`");
      // What follows the format is text, whatever it looks like.
      const isText = called === "printf" && operands > 0;
      this.#word(part, { isBehindDashes: isBehindDashes || isText, isTested });
      if (isOperand) operands++;
      // Behind a carrier the next word may be the command's name as well.
      vanishes ||= isCarrier(called) && mayVanish(part);
      if (part.text === "--") isBehindDashes ||= endsOptions(words, words.length - 1);
    }
  }

  #assignment({ name, index, value, text }: Assignment): void {
    this.#refuse(name, "the value would name a variable", "write the variable's name out");
    this.#refuse(index?.text ?? "", CALCULATED, "use a plain variable, or a number that was written out");
    if (changesExecution(name) || isCodeToPrograms(name))
      this.#refuse(text, `\`${name}\` changes how bash and other programs work`, "write its value out");
    if (value.type === "Word") return void this.visit(value);
    for (const element of value.elements) {
      if (element.text.startsWith("["))
        this.#refuse(element.text, CALCULATED, "list the elements without their indexes");
      this.visit(element);
    }
  }

  #hereDoc({ delimiter, body }: HereDoc): void {
    this.#refuse(delimiter?.text ?? "", "the value would end the text that follows", "write the delimiter out");
    if (delimiter?.quoted !== false)
      this.#refuse(body.text, "in a heredoc with a quoted delimiter no variable is expanded", "take off its quotes");
    else if (body.parts === undefined) this.#place(body.text, "double", null);
    else for (const part of body.parts) this.#part(part, "double", null);
  }

  #test(node: Extract<TestExpression, { type: "TestUnary" | "TestBinary" }>): void {
    const whole = this.#text.slice(node.pos, node.end);
    if (node.type === "TestUnary") {
      if (node.operator === "-v" || node.operator === "-R")
        this.#refuse(whole, "the value would name a variable, and a name's index is computed", "use `[[ -n … ]]`");
      return void this.visit(node.operand);
    }
    if (COMPUTES.test(node.operator) && !this.#areNumbers(whole)) this.#refuse(whole, CALCULATED, NUMBER_FIRST);
    if (node.operator === "=~") {
      const bare = node.right.parts?.filter(({ type }) => type !== "DoubleQuoted" && type !== "SingleQuoted");
      const text = bare === undefined ? node.right.text : bare.map((part) => part.text).join("");
      this.#refuse(text, "the value would be a regular expression", "put it into double quotes, or use `==`");
    }
    this.visit(node.left);
    this.visit(node.right);
  }

  #word(word: SyntaxWord, command: Pick<ArgumentPlace, "isBehindDashes" | "isTested"> | null): void {
    const { text, parts } = word;
    if (tokensIn(text).length === 0) return;
    const argument = command === null ? null : { ...command, word: this.#words++, text };
    if (parts === undefined) return void this.#place(text, "bare", argument);
    for (const part of parts) this.#part(part, "bare", argument);
  }

  #part(part: WordPart, quoting: Quoting, argument: InWord | null): void {
    const { text } = part;
    if (tokensIn(text).length === 0) return;
    switch (part.type) {
      case "Literal":
        return void this.#place(text, quoting, argument);
      case "SingleQuoted":
        return void this.#place(text, "single", argument);
      case "AnsiCQuoted":
        return void this.#place(text, "ansi", argument);
      case "DoubleQuoted":
        for (const inner of part.parts) this.#part(inner, "double", argument);
        return;
      case "CommandExpansion":
        if (text.startsWith("`"))
          return void this.#refuse(text, "backticks read their text twice", "write `$(…)` instead of backticks");
        return void (part.script === undefined
          ? this.#refuse(text, NOT_READ, VARIABLE_FIRST)
          : this.visit(part.script));
      case "ProcessSubstitution":
        return void (part.script === undefined
          ? this.#refuse(text, NOT_READ, VARIABLE_FIRST)
          : this.visit(part.script));
      case "ArithmeticExpansion":
        return void this.#computed(text);
      case "SimpleExpansion":
        return void this.#refuse(
          text,
          "the value would be a part of a variable's name",
          "put braces or quotes around the name",
        );
      case "ParameterExpansion":
        return void this.#refuse(text, "bash reads what stands inside `${…}` once more", VARIABLE_FIRST);
      case "LocaleString":
        return void this.#refuse(text, "the text is looked up in a catalog of messages", 'write `"…"` without the `$`');
      case "Glob":
      case "BraceExpansion":
      case "ExtendedGlob":
        return void this.#refuse(text, "the value would be a part of a pattern", "write the pattern out");
      default:
        this.#refuse(text, NOT_READ, VARIABLE_FIRST);
        part satisfies never;
    }
  }

  #place(text: string, quoting: Quoting, argument: InWord | null): void {
    for (const index of tokensIn(text)) {
      const at = this.#text.indexOf(tokenOf(index));
      const before = this.#text.slice(Math.max(0, at - 64), at);
      const slashes = /\\*$/.exec(before)?.[0].length ?? 0;
      if (quoting !== "single" && slashes % 2 === 1)
        return void this.#refuse(text, "a backslash before the slot takes its meaning away", "take out the backslash");
      if (quoting === "bare" && /(?:^|[\s:=])~[\w-]*$/.test(before))
        return void this.#refuse(text, "the value would name a user's home folder", "write the folder out");
      if (quoting !== "single" && before.endsWith("$"))
        return void this.#refuse(text, "a dollar sign before the slot makes a name of it", "take out the dollar sign");
      this.places.set(index, { quoting, argument: argument && argumentPlace(argument, index) });
    }
  }
}

/** Known where its author has written it out, and nothing is filled in. */
function wordOf({ text }: { readonly text: string }): Word {
  const known = tokensIn(text).length > 0 ? null : staticText(text);
  return { text: known ?? text, known: known !== null };
}

const NOT_READ = "what stands here can't be read";
