import type { Command, ParameterExpansionPart, SyntaxNode, Word as SyntaxWord, WordPart } from "unbash";
import { DATE } from "./constant-values.ts";
import { forEachChild } from "./parse-bash.ts";
import { printsNumber } from "./printed-number.ts";
import { ABSENT, VALUES } from "./slot-names.ts";

/** What of the values, by their indexes, is in a text that is put together at run time. */
export interface Flow {
  /** It may hold them, or something that was made of them. */
  readonly holds: ReadonlySet<number>;
  /** It may begin with them, as they are. */
  readonly begins: ReadonlySet<number>;
  /** It may begin with something that was made of them: a part, a line, what a command printed. */
  readonly made: ReadonlySet<number>;
  /** A dash of the author's own stands behind them, which begins the whole if they are empty. */
  readonly hides: ReadonlySet<number>;
  /** Something else stands beside them in the text, before or behind: of a statement they are a part. */
  readonly beside: ReadonlySet<number>;
}

const NONE: ReadonlySet<number> = new Set();
export const NOTHING: Flow = { holds: NONE, begins: NONE, made: NONE, hides: NONE, beside: NONE };

export const flowOf = (holds: ReadonlySet<number>): Flow => ({ ...NOTHING, holds, made: holds });

export function merged(one: Flow, other: Flow): Flow {
  if (one === NOTHING) return other;
  return other === NOTHING
    ? one
    : {
        holds: both(one.holds, other.holds),
        begins: both(one.begins, other.begins),
        made: both(one.made, other.made),
        hides: both(one.hides, other.hides),
        beside: both(one.beside, other.beside),
      };
}

/** Most of them are empty, and a union is always a copy. */
const both = (one: ReadonlySet<number>, other: ReadonlySet<number>): ReadonlySet<number> =>
  other.size === 0 ? one : one.size === 0 ? other : one.union(other);

/** Of many: without a copy for each of them. */
export function mergedAll(flows: readonly Flow[]): Flow {
  const all = (key: keyof Flow): ReadonlySet<number> => new Set(flows.flatMap((flow) => [...flow[key]]));
  return { holds: all("holds"), begins: all("begins"), made: all("made"), hides: all("hides"), beside: all("beside") };
}

export const isSame = (one: Flow, other: Flow): boolean =>
  one.holds.size === other.holds.size &&
  one.begins.size === other.begins.size &&
  one.made.size === other.made.size &&
  one.hides.size === other.hides.size &&
  one.beside.size === other.beside.size;

/** Who knows what is in the variables so far. */
export interface Variables {
  readonly variable: (name: string) => Flow;
  /** What a command may print beside what it is told: a function anything, others names, what they keep, what they find. */
  readonly printedBy: (command: Command) => ReadonlySet<number>;
  readonly isFunction: (name: string) => boolean;
  /** Whether a variable surely holds a text of the author's own here that begins as a name does. */
  readonly isNamed: (name: string, at: number) => boolean;
  /** What a program may come by without being told: from its input, files, descriptors and variables of its environment. */
  readonly inReach: () => ReadonlySet<number>;
  /** What is in the names of files that the script makes: patterns find them, and lists of names hold them. */
  readonly inNames: () => ReadonlySet<number>;
}

/** Arguments of functions and of the script go by one name. */
export const ARGUMENTS = "@";

const nameOf = (parameter: string): string => (/^(?:\d+|[@*])$/.test(parameter) ? ARGUMENTS : parameter);

/** The values that anything inside a node may come from. */
export function mentions(node: SyntaxNode, variables: Variables): ReadonlySet<number> {
  const found = new Set<number>();
  const add = (values: Iterable<number>): void => {
    for (const value of values) found.add(value);
  };
  const visit = (child: SyntaxNode): void => {
    // Bash ends where a value is absent.
    if (child.type === "ParameterExpansion" && child.parameter === ABSENT) return;
    if (child.type === "SimpleExpansion") add(variables.variable(nameOf(child.text.slice(1))).holds);
    else if (child.type === "ParameterExpansion") add(expanded(child, variables).holds);
    else if (child.type === "ArithmeticWord")
      for (const [name] of child.value.matchAll(/[A-Za-z_]\w*/g)) add(variables.variable(name).holds);
    else if (child.type === "Command") add(variables.printedBy(child));
    else if (isPattern(child)) add(variables.inNames());
    else if (child.type === "CommandExpansion" || child.type === "ProcessSubstitution") {
      const counts = child.type === "CommandExpansion" ? printsNumber(child.script) : null;
      if (counts !== null && !variables.isFunction(counts)) return;
      if (!isToldOnly(child)) add(variables.inReach());
    }
    forEachChild(child, visit);
  };
  visit(node);
  return found;
}

/** Programs that print what they were told on their command line, a number, a hash, or something of the machine. */
const TOLD_ONLY: ReadonlySet<string> = new Set(
  `basename cksum command date dirname echo expr hostname id md5sum mktemp nproc printf pwd realpath seq sha1sum sha256sum
  sha512sum sleep stat test true false type uname wc whoami [`.split(/\s+/),
);

/** Whether nothing inside prints what it came by in another way. */
export function isToldOnly(node: SyntaxNode): boolean {
  let isSo = true;
  const visit = (child: SyntaxNode): void => {
    if (child.type === "Command") isSo &&= child.name !== undefined && TOLD_ONLY.has(child.name.text);
    forEachChild(child, visit);
  };
  visit(node);
  return isSo;
}

/** `split`: what stands outside of quotes becomes any number of words, each of which begins with a part of it. */
export type Spread = "kept" | "split";

/** What of the values is in a word, and at its head. */
export function flowOfWord(
  word: Pick<SyntaxWord, "parts"> & { text?: string },
  spread: Spread,
  variables: Variables,
): Flow {
  const head = new Head();
  const [, folder] = FOLDER.exec(word.text ?? "") ?? [];
  if (folder !== undefined) head.add(variables.variable(FOLDERS[folder] ?? "DIRSTACK"));
  for (const part of word.parts ?? []) addPart(head, part, spread, variables);
  return head.flow;
}

/** Folders that bash keeps in variables: `~-/a` is in the one before, `~2` on the stack. */
const FOLDER = /^~([-+]\d*|\d+)(?:\/|$)/;
const FOLDERS: Readonly<Record<string, string>> = { "-": "OLDPWD", "+": "PWD" };

/** Goes through a word from its beginning: what comes first is at its head, and the next one too where that is empty. */
class Head {
  flow: Flow = NOTHING;
  #isOpen = true;
  #isDashed = false;
  /** A value itself stands there: whether it is empty is asked in every call. */
  #isAsked = false;
  /** There is something that is more than the end of a statement. */
  #hasMore = false;

  text(text: string): void {
    if (text === "") return;
    if (!/^[\s;]*$/.test(text)) this.#more();
    if (text.startsWith("-") && this.#isOpen && !this.#isDashed)
      this.flow = { ...this.flow, hides: this.flow.hides.union(this.flow.begins) };
    if (/^-+$/.test(text) && !this.#isAsked) this.#isDashed = true;
    else this.#isOpen = false;
  }

  /** `isMany`: of several words each begins with a part of it, wherever it stands in the one that is written. */
  add(flow: Flow, { isAsked = false, isMany = false } = {}): void {
    const { holds } = flow;
    if (this.#hasMore) this.flow = { ...this.flow, beside: this.flow.beside.union(holds) };
    this.#more();
    if (isMany) this.flow = merged(this.flow, flow);
    else if (!this.#isOpen) this.flow = merged(this.flow, { ...NOTHING, holds });
    else if (this.#isDashed) this.flow = merged(this.flow, flowOf(holds));
    else this.flow = merged(this.flow, flow);
    this.#isAsked ||= isAsked;
  }

  #more(): void {
    this.#hasMore = true;
    this.flow = { ...this.flow, beside: this.flow.beside.union(this.flow.holds) };
  }
}

function addPart(head: Head, part: WordPart, spread: Spread, variables: Variables): void {
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
    case "AnsiCQuoted":
      return void head.text(part.value);
    case "DoubleQuoted":
    case "LocaleString":
      for (const inner of part.parts) addPart(head, inner, "kept", variables);
      return;
    case "SimpleExpansion":
      if (variables.isNamed(part.text.slice(1), part.pos)) head.text("0");
      return void head.add(cut(variables.variable(nameOf(part.text.slice(1))), spread), {
        isMany: spread === "split" || part.text === "$@",
      });
    case "ParameterExpansion":
      if (part.operation === undefined && part.index === undefined && part.prefix === undefined)
        if (variables.isNamed(part.parameter, part.pos)) head.text("0");
      return void head.add(cut(expanded(part, variables), spread), {
        isAsked: part.parameter === VALUES,
        isMany: spread === "split" || part.parameter === "@" || part.index?.text === "@" || holdsList(part),
      });
    case "ArithmeticExpansion":
      // A number, whatever it was computed from.
      return;
    case "ProcessSubstitution":
      // The name of a file.
      head.text("/dev/fd/");
      return void head.add(flowOf(mentions(part, variables)));
    case "Glob":
    case "ExtendedGlob":
    case "BraceExpansion": {
      const values = mentions(part, variables);
      if (values.size === 0 && !isPattern(part)) return void head.text(part.text);
      // For words, and names of files, it stands in words alone: what a variable is set to is the pattern itself.
      if (spread !== "split") return void head.add({ ...NOTHING, holds: values });
      return void head.add(flowOf(values), { isMany: part.parts?.some(isExpansion) === true });
    }
    default:
      // A day or a time, which is never nothing.
      if (DATE.test(part.text) && mentions(part, variables).size === 0) return void head.text("0");
      return void head.add(flowOf(mentions(part, variables)), { isMany: spread === "split" });
  }
}

/** `"${1+$@}"`: all of a list stands for it, as several words. */
const holdsList = ({ operation }: ParameterExpansionPart): boolean =>
  operation?.type === "Default" && /\$(?:@|\{(?:@|\w+\[@\]))/.test(operation.operand.text);

/** Outside of quotes: it becomes any number of words. */
const isExpansion = ({ type }: WordPart): boolean => /^(?:Simple|Parameter|Command)Expansion$/.test(type);

/** What finds files by their names; not one that begins with letters. */
const isPattern = ({ type, text }: { readonly type: string; readonly text?: string }): boolean =>
  (type === "Glob" && !/^\[(?:\w|\w-\w)+\]$/.test(text ?? "")) ||
  type === "ExtendedGlob" ||
  (type === "BraceExpansion" && /[*?[]/.test(text ?? ""));

const cut = (flow: Flow, spread: Spread): Flow => (spread === "split" ? flowOf(flow.holds) : flow);

function expanded(part: ParameterExpansionPart, variables: Variables): Flow {
  const { parameter, index, operation, prefix } = part;
  if (parameter === ABSENT || (prefix === "#" && operation === undefined)) return NOTHING;
  if (parameter === VALUES) {
    const value: ReadonlySet<number> = new Set([Number(index?.text)]);
    return { ...NOTHING, holds: value, begins: value };
  }
  const flow = variables.variable(nameOf(parameter));
  if (operation === undefined && prefix === undefined) return flow;
  if (operation?.type === "Default") {
    const other = flowOfWord(operation.operand, "kept", variables);
    return operation.operator.endsWith("+") ? other : merged(flow, other);
  }
  const inside = new Set(flow.holds);
  if (operation !== undefined)
    forEachChild(part, (child) => {
      for (const value of mentions(child, variables)) inside.add(value);
    });
  return flowOf(inside);
}
