import { type Bound, type BoundScript, bindSlots } from "./bind-slots.ts";
import type { Heads, SlotFlow } from "./flow-uses.ts";
import { readScript } from "./read-script.ts";
import type { Reading } from "./reading.ts";
import { FILLED_BY_BASH } from "./script-reader.ts";
import { slotFlow } from "./slot-flow.ts";
import { holdsReference } from "./slot-names.ts";
import type { TemplateSlot } from "./template.ts";
import type { Piece } from "./unroll-template.ts";

/** What a template has to know of a parameter. */
export interface TemplateParameter {
  readonly name: string;
  readonly type: "string" | "number" | "boolean" | "object" | "array";
  /** The values are written out (an enumeration), so that none of them is the model's own. */
  readonly isClosed: boolean;
  /** A value may begin with `-` where a program would take it for an option. */
  readonly allowsDash?: boolean;
}

export type Declared = ReadonlyMap<string, TemplateParameter>;

export const byName = (parameters: readonly TemplateParameter[]): Declared =>
  new Map(parameters.map((parameter) => [parameter.name, parameter]));

type Unfit = Extract<Bound, { ok: false }>;

export type CheckedPieces =
  | {
      readonly ok: true;
      readonly script: BoundScript;
      /** What it runs, with nothing known of the values. */
      readonly reading: Reading;
      /** Which of the values begin a word by way of a variable, where a program would take them for an option, and the like. */
      readonly heads: Heads;
    }
  | Unfit;

const NOBODY: ReadonlySet<string> = new Set();

/**
 * That every slot of a script is in a place where a value stays data: before there is a value, and in every call. `dataFor`:
 * programs that no table knows and to which all is data, by their author's word.
 */
export function checkPieces(pieces: readonly Piece[], declared: Declared, dataFor = NOBODY): CheckedPieces {
  const bound = bindSlots(pieces, ({ slot, parameter }) => isNumber(slot, declared.get(parameter)));
  if (!bound.ok) return bound;
  const { script } = bound;
  const numbers = numbersOf(script);
  const slots = numbers.map((number, at) => (isNumeric(script, at, declared) ? number : null));
  const flow = slotFlow(script.text, {
    isHarmless: (index) => isNumeric(script, index, declared),
    isWrittenOut: (index) => isWrittenOut(script, index, declared),
    dataFor,
  });
  const reading = readScript(script.text, { slots });
  const unfit =
    unfitSlot(script, declared) ?? unfitFlow(script, flow, declared) ?? readAsCode(script, flow, reading, numbers);
  return unfit ?? { ok: true, script, reading, heads: flow.heads };
}

const problemAt = (slot: TemplateSlot | null, why: string, fix: string): Unfit => ({ ok: false, slot, why, fix });

/** `-{{x}}`: which option it is must not be the model's own choice. */
function unfitSlot({ slots }: BoundScript, declared: Declared): Unfit | null {
  for (const { slot, parameter, place } of slots) {
    const known = declared.get(parameter);
    const isHarmless = known !== undefined && (known.isClosed || known.type === "number" || known.type === "boolean");
    if (place?.argument?.isOptionName === true && !isHarmless)
      return problemAt(
        slot,
        "the value would say which option it is",
        "write the option out, or declare a number or an `enum`",
      );
  }
  return null;
}

/** What values come to by way of variables and pipes: code, or the head of a word that may be an option. */
function unfitFlow(script: BoundScript, { code, heads }: SlotFlow, declared: Declared): Unfit | null {
  const slotOf = (index: number) => script.slots[script.indexes.indexOf(index)];
  if (code !== null) return problemAt(slotOf(code.index)?.slot ?? null, code.why, code.fix);
  for (const index of heads.acting) {
    const { slot, parameter } = slotOf(index) ?? {};
    const known = declared.get(parameter ?? "");
    if (slot !== undefined && known?.allowsDash === true && !known.isClosed)
      return problemAt(
        slot,
        "with `allow_dash` it may be an option by which the program runs something",
        "put `--` before it, or do without `allow_dash`",
      );
  }
  for (const index of heads.made) {
    const { slot, parameter } = slotOf(index) ?? {};
    const known = declared.get(parameter ?? "");
    if (slot === undefined || known?.isClosed === true || known?.allowsDash === true) continue;
    return problemAt(
      slot,
      "what is made of it begins a word further on, where a program may take it for an option",
      "put a variable that has none into double quotes, `--` before that word or `./` at its head, or set `allow_dash: true` for the parameter",
    );
  }
  return null;
}

/** Hazards of words that a program takes for code. */
const CODE = /\bcode\b|is a program that|run another one/;
/** What the reader says where a variable's value becomes code or a name, whatever it holds. */
const MAKES_CODE =
  /a script is known only at run time|makes values into code|inside a value|follows a name|named only at run time|a name is tested|an alias changes|runs commands$|^bash reads the name behind|^it computes with|^what a command prints is computed|^a subscript or offset is computed/;
/** The variable that is computed with. */
const COMPUTED = /^the value of `(\w+)` is computed with/;
/** The word that is a command's name. */
const AT_RUN_TIME = /^a command is known only at run time: (.*)$/s;
/** What it says where a value stays data, and only the rules have to know it. */
const STAYS_DATA =
  /^a file is (?:opened|written) whose name|can't be told which file|^where a command begins|^what is tested is known only/;

/**
 * Asks the reader of commands: what it finds to be code, or a command, with any value in the slots, and not with
 * numbers, becomes so because of a slot.
 */
function readAsCode(
  script: BoundScript,
  { tainted, isComputedFrom }: SlotFlow,
  anything: Reading,
  numbers: readonly string[],
): Unfit | null {
  const [first] = script.slots;
  if (first === undefined || anything.tooComplex !== null) return null;
  const plain = readScript(script.text, { slots: numbers });
  const isFilled = (name: string): boolean => isComputedFrom(name) || FILLED_BY_BASH.has(name);
  const isTainted = (text: string): boolean =>
    holdsReference(text) || [...tainted].some((name) => new RegExp(`\\$\\{?${name}\\b`).test(text));
  const marked = anything.commands
    .flatMap(({ argv }) => argv.filter((_, at) => !isBehindWord(argv, at)))
    .find(({ text, known, hazard }) => !known && hazard !== undefined && CODE.test(hazard) && isTainted(text));
  const reasons = anything.unknown.filter((reason) => !STAYS_DATA.test(reason));
  const because = reasons.find(
    (reason) =>
      MAKES_CODE.test(reason) ||
      !plain.unknown.includes(reason) ||
      isFilled(COMPUTED.exec(reason)?.[1] ?? "") ||
      isTainted(AT_RUN_TIME.exec(reason)?.[1] ?? ""),
  );
  const text = marked?.text ?? because;
  if (text === undefined) return null;
  const at = /\[(\d+)\]/.exec(text)?.[1];
  const index = at === undefined ? -1 : script.indexes.indexOf(Number(at));
  const slot = (script.slots[index] ?? script.slots.find(({ parameter }) => mentions(text, parameter)) ?? first).slot;
  const why = marked === undefined ? shortened(text) : "a program reads it as code";
  return problemAt(slot, why, FIXES.find(([reason]) => reason.test(text))?.[1] ?? AS_DATA);
}

const AS_DATA = "give the value as an argument, a file or standard input of a script that is written out";
/** What to write instead, by what the reader says. */
const FIXES: readonly (readonly [RegExp, string])[] = [
  [/^a variable is named only/, "write the variable's name out, with no quotes before it: `export NAME={{x}}`"],
  [/\bcomputed\b/, "declare the parameter as a number; instead of a table (`declare -A`), use `case`"],
];

/** `pip show -- {{x}}`: what the program does was said by a word before, and is no longer the value's to say. */
const isBehindWord = (argv: Reading["commands"][number]["argv"], at: number): boolean =>
  argv[at]?.hazard === "runs code of packages" &&
  argv.slice(1, at).some(({ text, known }) => known && !text.startsWith("-"));

/** A value that is a number, or nothing at all, is no code anywhere. */
function isNumeric({ slots, indexes }: BoundScript, index: number, declared: Declared): boolean {
  const { parameter, slot } = slots[indexes.indexOf(index)] ?? {};
  return slot !== undefined && isNumber(slot, declared.get(parameter ?? ""));
}

const isNumber = ({ fallback }: TemplateSlot, known: TemplateParameter | undefined): boolean =>
  known?.type === "number" && (fallback === undefined || fallback === "" || typeof fallback === "number");

/** None of the model's own words: a number, a boolean, or one of those that the author has listed. */
function isWrittenOut({ slots, indexes }: BoundScript, index: number, declared: Declared): boolean {
  const known = declared.get(slots[indexes.indexOf(index)]?.parameter ?? "");
  return known !== undefined && (known.isClosed || known.type === "number" || known.type === "boolean");
}

const mentions = (text: string, parameter: string): boolean => text.toLowerCase().includes(parameter.toLowerCase());

const shortened = (reason: string): string => (holdsReference(reason) ? reason.replace(/: `.*$/s, "") : reason);

const numbersOf = ({ indexes }: BoundScript): readonly string[] =>
  [...new Set(indexes.filter((index) => index !== null))].map((index) => String(7_000_000 + index));
