import { CODE_TAKERS } from "./code-programs.ts";
import type { CodeTaker } from "./code-taker.ts";
import { endsOptions } from "./end-of-options.ts";
import { isSameForm, type OperandForm, operandForms } from "./operand-forms.ts";
import { FLAG, optionIn } from "./option-kinds.ts";
import { PROFILES } from "./profiles.ts";
import { programName } from "./program-name.ts";
import { isCarrier } from "./slot-commands.ts";
import { withoutReferences } from "./slot-names.ts";
import { type Flow, NOTHING } from "./value-flow.ts";
import { changesExecution, isCodeToPrograms } from "./variable-names.ts";
import type { Shape } from "./word-shape.ts";

export interface FlowingWord {
  /** Decoded where that can be done; else as it is written, without the quotes before it. */
  readonly text: string;
  readonly raw: string;
  /** With the variables in it that the script's author has set to a text. */
  readonly shape: Shape;
  readonly isStatic: boolean;
  /** It may become several words, or none. */
  readonly isMany: boolean;
  /** It is a slot and nothing else. */
  readonly isValue: boolean;
  readonly flow: Flow;
}

/** A command and what of the values of slots gets to it. */
export interface FlowingCommand {
  /** The program's name; "" = known only at run time. */
  readonly called: string;
  readonly words: readonly FlowingWord[];
  /** What its standard input may hold. */
  readonly fed: ReadonlySet<number>;
  readonly isFunction: boolean;
}

export interface CodeUse {
  /** One of the values. */
  readonly index: number;
  readonly why: string;
  readonly fix: string;
}

/** Where the values of slots get to by way of variables, arguments and pipes. */
export interface SlotFlow {
  /** Variables that may hold a value, or something that was made of one. */
  readonly tainted: ReadonlySet<string>;
  /** Whether a value is computed with where a variable is. */
  readonly isComputedFrom: (name: string) => boolean;
  /** The first use of values that a program, or bash, reads as code. */
  readonly code: CodeUse | null;
  /** At the head of a word, where a program would take it for an option. */
  readonly heads: Heads;
}

/** What values are at the heads of words, and of which form they must not be there. */
export interface Heads extends Pick<Flow, "begins" | "made" | "hides"> {
  /** At the head of an operand of a program that has options by which it runs something. */
  readonly acting: ReadonlySet<number>;
  readonly forms: readonly OperandForm[];
}

export const NO_HEADS: Heads = { ...NOTHING, acting: NOTHING.holds, forms: [] };

export const mergedHeads = (one: Heads, other: Heads): Heads => ({
  begins: one.begins.union(other.begins),
  made: one.made.union(other.made),
  hides: one.hides.union(other.hides),
  acting: one.acting.union(other.acting),
  forms: [...one.forms, ...other.forms.filter((form) => !one.forms.some((known) => isSameForm(known, form)))],
});

/** `NODE_OPTIONS="$x"`: what a variable is set to, by which programs are told what to run. */
export function codeInVariable(name: string, { holds }: Flow, isHarmless: (index: number) => boolean): CodeUse | null {
  const index = [...holds].find((one) => !isHarmless(one));
  if (index === undefined || !(isCodeToPrograms(name) || changesExecution(name))) return null;
  return { index, why: `\`${name}\` changes how bash and other programs work`, fix: "write its value out" };
}

const TAKES_ASSIGNMENTS = /^(?:env|sudo|doas|timeout|nice|nohup|xargs|make|declare|export|local|typeset|readonly)$/;

/** `env PATH="$x" ls`: what is set by the words of who takes assignments from them. */
export function codeInAssignments(
  { called, words }: FlowingCommand,
  isHarmless: (index: number) => boolean,
): CodeUse | null {
  if (!TAKES_ASSIGNMENTS.test(called)) return null;
  for (const { raw, flow } of words) {
    const [, set] = /^["']?([A-Za-z_]\w*)=/.exec(raw) ?? [];
    const code = set === undefined ? null : codeInVariable(set, flow, isHarmless);
    if (code !== null) return code;
  }
  return null;
}

/** Builtins to which nothing is an option, whatever it looks like; `test` and `[` have checks of their own. */
const WITHOUT_OPTIONS: ReadonlySet<string> = new Set(": true false exit return break continue shift test [".split(" "));

/** The values that stand at the head of a word by way of a variable, where the program would take them for an option. */
export function wordsAtHead(command: FlowingCommand, isHarmless: (index: number) => boolean): Heads {
  const { called, words, isFunction, fed } = command;
  if (isFunction) return NO_HEADS;
  const forms = operandForms(words);
  if (WITHOUT_OPTIONS.has(called)) return { ...NO_HEADS, forms };
  const plain = words.map((word) => ({ text: word.text, known: word.isStatic }));
  let { begins, hides } = NOTHING;
  let made: ReadonlySet<number> = NOTHING.made;
  let acting: ReadonlySet<number> = NOTHING.made;
  const taker = actingTaker(words);
  let operands = 0;
  for (let at = 1; at < words.length; at++) {
    const { text, flow, isStatic, raw, isMany } = words[at] as FlowingWord;
    if (text === "--" && isStatic && endsOptions(plain, at)) return { begins, made, hides, acting, forms };
    if (called === "printf" && operands > 0) break;
    if (isStatic && text.startsWith("-")) continue;
    operands++;
    begins = begins.union(flow.begins);
    // Where slots stand themselves, their own words are looked at in the call.
    if (/[$`]/.test(withoutReferences(raw))) hides = hides.union(flow.hides);
    if (taker !== undefined && (isMany || !isBehindOption(taker, words, at)))
      acting = acting.union(flow.begins).union(flow.made);
    if (called !== "echo" && (isMany || !isOptionValue(command, at))) made = made.union(flow.made);
  }
  if (words.some((word) => word.isStatic && word.text === "xargs") && !isGuarded(words)) {
    const found = fed.union(inArgFile(words));
    made = made.union(found);
    if (taker !== undefined) acting = acting.union(found);
  }
  return { begins, made: new Set([...made].filter((index) => !isHarmless(index))), hides, acting, forms };
}

/** The program, or one that it starts, if it runs what some of its options say: `tar --to-command=…`. */
function actingTaker(words: readonly FlowingWord[]): CodeTaker | undefined {
  const isStarting = isCarrier(programName(words[0]?.text ?? ""));
  const takers = words.map(({ text, isStatic }, at) =>
    isStatic && (at === 0 || isStarting) ? takerOf(programName(text)) : undefined,
  );
  return takers.find(
    (taker) => taker !== undefined && taker.stops !== true && (taker.text ?? taker.files ?? taker.loads) !== undefined,
  );
}

const takerOf = (name: string): CodeTaker | undefined => CODE_TAKERS.get(name) ?? ACTING.get(name);

/** Those that are looked at in another way where a value is no option, and which of their options take a value. */
const ACTING: ReadonlyMap<string, CodeTaker> = new Map([
  ["git", { text: "--upload-pack", values: "-m -n -b -S -G --message --max-count --author --grep --since --until" }],
  [
    "find",
    { style: "single", text: "-exec", values: "-name -iname -path -ipath -regex -type -size -mtime -newer -user" },
  ],
]);

/** Whether it is an option's value: what that option is has to be known, since behind a flag it is an option itself. */
function isBehindOption(taker: CodeTaker, words: readonly FlowingWord[], at: number): boolean {
  const before = words[at - 1];
  if (before?.isStatic !== true || !/^-./.test(before.text)) return false;
  const option = optionIn(taker, before.text, true);
  return typeof option === "object" && option.kind !== FLAG && !option.isGlued;
}

/** `head -n "$n"`: the option takes whatever follows, but of several words only the first. */
function isOptionValue({ called, words }: FlowingCommand, at: number): boolean {
  const before = words[at - 1];
  const [, letter] = (before?.isStatic && /^-[A-Za-z]*([A-Za-z])$/.exec(before.text)) || [];
  if (letter === undefined) return false;
  const isListed = CODE_TAKERS.get(called)?.values?.split(" ").includes(`-${letter}`) === true;
  return isListed || (PROFILES.get(called)?.values ?? BUILTIN_VALUES[called] ?? "").includes(letter);
}

const BUILTIN_VALUES: Readonly<Record<string, string>> = { mapfile: "dnOsuc", readarray: "dnOsuc", read: "dinNptu" };

/** `xargs -a f`: words come from a file of that name. */
const inArgFile = (words: readonly FlowingWord[]): ReadonlySet<number> =>
  words.reduce((values, { flow, raw }, at) => {
    const isFile = /^-[a-zA-Z0-9]*a$|^--arg-f/.test(words[at - 1]?.text ?? "") || /^["']?(?:-a|--arg-f)/.test(raw);
    return isFile ? values.union(flow.holds) : values;
  }, NOTHING.holds);

/** `xargs ls --`: what comes from the input stands behind it. A `--` before the command is the carrier's own. */
function isGuarded(words: readonly FlowingWord[]): boolean {
  const xargs = words.findIndex(({ text }) => text === "xargs");
  const command = words.findIndex(
    ({ text }, at) => at > xargs && !text.startsWith("-") && !XARGS_VALUE.test(words[at - 1]?.text ?? ""),
  );
  if (command === -1) return false;
  const mark = markOf(words.slice(xargs, command));
  if (mark !== null) return words.slice(command).every(({ text }) => !text.includes(mark) || isBegun(text, mark));
  // What a shell is given behind its script are arguments of that.
  const rest = words.slice(command).map(({ text, isStatic }) => (isStatic ? text : ""));
  return rest.includes("--") || (/^(?:ba|da|a)?sh$/.test(rest[0] ?? "") && rest.includes("-c"));
}

/** `xargs -I{} cp ./{} b`: what stands for a line of the input, all of which follows something else. */
function markOf(own: readonly FlowingWord[]): string | null {
  for (const [at, { text, isStatic }] of own.entries()) {
    const [, glued] = (isStatic && /^-[0rtpxo]*I(.*)$/s.exec(text)) || [];
    const mark = glued === "" ? own[at + 1] : undefined;
    if (glued !== undefined) return glued || (mark?.isStatic === true ? mark.text || null : null);
  }
  return null;
}

const isBegun = (text: string, mark: string): boolean => /^[\w./]/.test(text) && !text.startsWith(mark);

const XARGS_VALUE = /^(?:-[a-zA-Z0-9]*[nLIPsdEa]|--(?:max-\w+|replace|delimiter|arg-file|eof))$/;
