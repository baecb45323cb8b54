import type { Assignment, ParsedScript, SyntaxNode, Word as SyntaxWord } from "unbash";
import { forEachChild } from "./parse-bash.ts";
import { VALUES } from "./slot-names.ts";
import { staticText } from "./static-text.ts";
import { type Hole, isCounted, joined, type Shape, shapeOf } from "./word-shape.ts";

/** Builtins that set the variables that they are given the names of. */
const SETS = /^(?:read|mapfile|readarray|getopts|printf|unset|wait|let)$/;
const DECLARES = /^(?:declare|typeset|local|export|readonly)$/;
/** What is read from elsewhere may set anything. */
const SETS_ANYTHING = /^(?:source|\.|eval)$/;
const TEXTS_MAX = 8;
const SPELLED_MAX = 4;
/** A day or a time, which is never nothing. */
export const DATE = /^"?\$\(date(?:\s+-u)?\s+["']?\+[^;|&<>`$()]+\)"?$/;
/** Stands for a number. */
export const SOME_NUMBER = "7";

const SLOT = new RegExp(`^\\$\\{${VALUES}\\[(\\d+)\\]\\}$`);
/** Of a hole that is a slot, and nothing done to it, which of the values it is. */
export const slotIn = ({ raw }: Hole): number | null => {
  const at = SLOT.exec(raw)?.[1];
  return at === undefined ? null : Number(at);
};

/** What of a script's variables its author has written out, wherever they are set. Nothing is said of all others. */
export class ConstantValues {
  readonly #set = new Map<string, (Assignment | SyntaxWord)[]>();
  readonly #unknown = new Set<string>();
  /** Where each is set for sure: a statement of its own, in no loop, branch or function. */
  readonly #since = new Map<string, number>();
  readonly #shadowed = new Set<string>();
  /** Asked in every pass over a script, of which there may be many. */
  readonly #named = new Map<string, boolean>();
  readonly #isHarmless: (index: number) => boolean;
  #isLost = false;

  readonly #script: ParsedScript;

  constructor(script: ParsedScript, isHarmless: (index: number) => boolean) {
    this.#script = script;
    this.#isHarmless = isHarmless;
    this.#visit(script);
    for (const { command } of script.commands) {
      if (command.type !== "Command" || command.name !== undefined) continue;
      for (const part of command.prefix)
        if (part.type === "Assignment" && !this.#since.has(part.name)) this.#since.set(part.name, part.end);
    }
  }

  /** The same for a text that is run sooner or later: nobody knows what has been set before. */
  atAnyTime(): ConstantValues {
    const other = new ConstantValues(this.#script, this.#isHarmless);
    other.#since.clear();
    return other;
  }

  /** The texts that a variable may hold at this place, "" where it may not be set yet; null = nobody knows. */
  texts(name: string, at: number, asked: readonly string[] = []): readonly string[] | null {
    const set = this.#assignments(name);
    if (set === null || asked.includes(name)) return null;
    const texts = new Set<string>(this.#isSetBefore(name, at) ? [] : [""]);
    for (const one of set) {
      const value = one.type === "Word" ? one : one.value;
      if (value.type !== "Word" || (one.type === "Assignment" && (one.append === true || one.index !== undefined)))
        return null;
      const held = this.#held(shapeOf(value.text), at, [...asked, name]);
      if (held === null) return null;
      for (const text of held) texts.add(text);
    }
    return texts.size > TEXTS_MAX ? null : [...texts];
  }

  /** What a list is put together from, in the order of the script; null = nobody knows. */
  list(
    name: string,
    at: number,
  ): readonly { readonly words: readonly SyntaxWord[]; readonly isSure: boolean }[] | null {
    const set = this.#assignments(name);
    if (set === null) return null;
    const groups = set.flatMap((one) =>
      one.type === "Assignment" && one.value.type === "ArrayValue" && one.index === undefined
        ? [{ words: one.value.elements, isSure: this.#isSetBefore(name, at) && this.#since.get(name) === one.end }]
        : [],
    );
    return groups.length === set.length ? groups : null;
  }

  /** How its only assignment is written. */
  definition(name: string): string | null {
    const [only, ...others] = this.#assignments(name) ?? [];
    if (only === undefined || others.length > 0) return null;
    const value = only.type === "Word" ? only : only.value;
    return value.type === "Word" ? value.text : null;
  }

  /** With each variable that is set in one place as it is written there. */
  spelled(shape: Shape, depth = 0): Shape {
    return shape.reduce<Shape>((before, part) => {
      const isPlain = typeof part !== "string" && part.name !== null && !part.isMany && depth < SPELLED_MAX;
      const written = isPlain ? this.definition(part.name ?? "") : null;
      return (written === null ? [part] : this.spelled(shapeOf(written), depth + 1)).reduce(joined, before);
    }, []);
  }

  /** Whether it is surely a text that begins as a name does, and nothing that could be an option or nothing at all. */
  isNamed(name: string, at: number): boolean {
    const key = `${name} ${at}`;
    const known = this.#named.get(key) ?? this.#beginsAsName(name, at);
    this.#named.set(key, known);
    return known;
  }

  #beginsAsName(name: string, at: number): boolean {
    const texts = this.texts(name, at);
    if (texts !== null) return texts.every((text) => /^[\w./]/.test(text));
    return this.#isSetBefore(name, at) && DATE.test(this.definition(name) ?? "");
  }

  isNumber = (hole: Hole): boolean => {
    const slot = slotIn(hole);
    return isCounted(hole.raw) || (slot !== null && this.#isHarmless(slot));
  };

  #assignments(name: string): readonly (Assignment | SyntaxWord)[] | null {
    return this.#isLost || this.#unknown.has(name) ? null : (this.#set.get(name) ?? null);
  }

  #isSetBefore = (name: string, at: number): boolean =>
    !this.#shadowed.has(name) && (this.#since.get(name) ?? Number.POSITIVE_INFINITY) <= at;

  #held(shape: Shape, at: number, asked: readonly string[]): readonly string[] | null {
    let texts: readonly string[] = [""];
    for (const part of shape) {
      const next = typeof part === "string" ? [part] : this.#filled(part, at, asked);
      if (next === null || next.length * texts.length > TEXTS_MAX) return null;
      texts = texts.flatMap((text) => next.map((more) => text + more));
    }
    return texts;
  }

  #filled(hole: Hole, at: number, asked: readonly string[]): readonly string[] | null {
    if (this.isNumber(hole)) return [SOME_NUMBER];
    return hole.name === null ? null : this.texts(hole.name, at, asked);
  }

  #visit = (node: SyntaxNode): void => {
    if (node.type === "Assignment") this.#add(node.name, node);
    else if (node.type === "For" || node.type === "Select") {
      if (node.wordlist === undefined) this.#unknown.add(node.name.text);
      else for (const word of node.wordlist) this.#add(node.name.text, word);
    } else if (node.type === "ParameterExpansion") {
      if (node.operation?.type === "Default" && node.operation.operator.endsWith("="))
        this.#unknown.add(node.parameter);
    } else if (node.type === "ArithmeticUnary" || node.type === "ArithmeticBinary") {
      if (/^(?:\+\+|--|.*=)$/.test(node.operator) && !/^[=!<>]=$/.test(node.operator)) this.#changed(node);
    } else if (node.type === "Command") this.#command(node);
    forEachChild(node, this.#visit);
  };

  #add(name: string, one: Assignment | SyntaxWord): void {
    const before = this.#set.get(name);
    if (before === undefined) this.#set.set(name, [one]);
    else before.push(one);
  }

  #changed(node: SyntaxNode): void {
    if (node.type === "ArithmeticWord") this.#unknown.add(node.value);
    forEachChild(node, (child) => this.#changed(child));
  }

  #command({ name, args }: Extract<SyntaxNode, { readonly type: "Command" }>): void {
    const called = staticText(name?.text ?? "") ?? "";
    // Behind `command` and `builtin` they are what they are.
    const words = [called, ...args.map(({ text }) => staticText(text))];
    if (words.some((word) => word !== null && SETS_ANYTHING.test(word))) this.#isLost = true;
    const isSetting = words.some((word) => word !== null && SETS.test(word));
    if (!isSetting && !DECLARES.test(called)) return;
    const isPlain = !args.some(({ text }) => /^[-+][A-Za-z]*[inulcaA]/.test(text));
    for (const [at, arg] of args.entries()) {
      const text = words[at + 1] ?? null;
      if (arg.type === "Assignment") {
        if (!isPlain || isSetting) this.#unknown.add(arg.name);
      } else if (text === null) {
        // A name that is put together: it may be any. `printf`'s are those behind `-v`.
        if (called !== "printf" || args.some((one) => one.text.startsWith("-v"))) this.#isLost = true;
      } else {
        const [, named] = /^(?:-v)?([A-Za-z_]\w*)/.exec(text) ?? [];
        // `local x` makes one that is not set.
        if (named !== undefined) (isSetting ? this.#unknown : this.#shadowed).add(named);
      }
    }
  }
}
