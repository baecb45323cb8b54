import { quoted } from "../domain/visible.ts";
import { type BoundScript, bindSlots } from "./bind-slots.ts";
import { parseTemplate } from "./parse-template.ts";
import { readScript } from "./read-script.ts";
import type { Reading } from "./reading.ts";
import { FILLED_BY_BASH } from "./script-reader.ts";
import { type SlotFlow, slotFlow } from "./slot-flow.ts";
import { holdsReference } from "./slot-names.ts";
import {
  sectionsOf,
  slotsOf,
  type Template,
  type TemplateNode,
  type TemplateProblem,
  type TemplateSection,
  type TemplateSlot,
} from "./template.ts";
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

export type CheckedTemplate =
  | {
      readonly ok: true;
      readonly template: Template;
      /** Names that are used with a default and were not declared: optional strings. */
      readonly undeclared: readonly string[];
      /** What its scripts run, with nothing known of the values. */
      readonly readings: readonly Reading[];
    }
  | { readonly ok: false; readonly problems: readonly TemplateProblem[] };

/**
 * Everything that can be said of a template before any value is there: its names, and that every slot is in a place
 * where a value stays data, however often its sections are repeated.
 */
export function checkTemplate(text: string, parameters: readonly TemplateParameter[]): CheckedTemplate {
  const parsed = parseTemplate(text);
  if (!parsed.ok) return { ok: false, problems: [parsed.problem] };
  const { nodes } = parsed.template;
  const declared = new Map(parameters.map((parameter) => [parameter.name, parameter]));
  const names = nameProblems(nodes, declared);
  if (names.length > 0) return { ok: false, problems: names };
  const readings: Reading[] = [];
  for (const pieces of variants(nodes, declared)) {
    const bound = bindSlots(pieces);
    if (!bound.ok) return { ok: false, problems: [problemAt(bound.slot, bound.why, bound.fix)] };
    const flow = slotFlow(bound.script.text, (index) => isNumeric(bound.script, index, declared));
    const unfit =
      unfitSlot(bound.script, declared) ??
      unfitFlow(bound.script, flow, declared) ??
      readAsCode(bound.script, flow, declared, readings);
    if (unfit !== null) return { ok: false, problems: [unfit] };
  }
  const undeclared = [...slotsOf(nodes)].flatMap(({ slot, within }) =>
    isOfSection(slot.name, within, declared) || declared.has(slot.name) ? [] : [slot.name],
  );
  return { ok: true, template: parsed.template, undeclared: [...new Set(undeclared)], readings };
}

const problemAt = (slot: TemplateSlot | null, why: string, fix: string): TemplateProblem => ({
  code: slot === null ? "TEMPLATE_INVALID" : "TEMPLATE_UNSAFE_SLOT",
  message: slot === null ? why : `the slot ${quoted(`{{${slot.name}}}`)} can't stand here: ${why}`,
  hint: fix,
  at: slot?.at ?? 0,
});

type Declared = ReadonlyMap<string, TemplateParameter>;

function nameProblems(nodes: readonly TemplateNode[], declared: Declared): readonly TemplateProblem[] {
  const undeclared = (name: string, at: number): TemplateProblem => ({
    code: "TEMPLATE_UNDECLARED",
    message: `${quoted(`{{${name}}}`)} is no parameter of this tool`,
    hint: `declare \`${name}\` under \`parameters\`, or give the slot a default`,
    at,
  });
  return [
    ...[...slotsOf(nodes)].flatMap(({ slot, within }) =>
      isOfSection(slot.name, within, declared) || declared.has(slot.name) || isOptional(slot)
        ? []
        : [undeclared(slot.name, slot.at)],
    ),
    ...[...sectionsOf(nodes)].flatMap(({ section, within }) =>
      isOfSection(section.name, within, declared) || declared.has(section.name)
        ? []
        : [undeclared(section.name, section.at)],
    ),
  ];
}

const isOptional = ({ name, fallback }: TemplateSlot): boolean => name !== "." && fallback !== undefined;

/** `.` in any section; `key` and `value` in one over an object, or over what may be one. */
function isOfSection(name: string, within: readonly TemplateSection[], declared: Declared): boolean {
  const open = within.filter(({ inverted }) => !inverted);
  if (name === ".") return open.length > 0;
  if (name !== "key" && name !== "value") return false;
  return open.some((section) => {
    const type = declared.get(section.name)?.type;
    return type === "object" || type === undefined;
  });
}

/** No section, each of them once, and each by itself not at all and twice: what one adds must not change what follows. */
function* variants(nodes: readonly TemplateNode[], declared: Declared): Generator<readonly Piece[]> {
  yield repeated(nodes, () => 1);
  const sections = [...sectionsOf(nodes)].map(({ section }) => section);
  if (sections.length > 0) yield repeated(nodes, () => 0);
  for (const one of sections)
    for (const count of mayRepeat(one, declared) ? [0, 2] : [0])
      yield repeated(nodes, (section) => (section === one ? count : 1));
}

/** Of a boolean, a text or a number there is one at the most. */
const mayRepeat = ({ name, inverted }: TemplateSection, declared: Declared): boolean => {
  const type = declared.get(name)?.type;
  return !inverted && (type === undefined || type === "array" || type === "object");
};

function repeated(nodes: readonly TemplateNode[], count: (section: TemplateSection) => number): readonly Piece[] {
  return nodes.flatMap((node): readonly Piece[] => {
    if (node.kind === "text") return [node.text];
    if (node.kind === "slot") return [{ slot: node, parameter: node.name, value: "" }];
    const inside = repeated(node.body, count).map((piece) =>
      typeof piece !== "string" && isInner(piece.slot.name) ? { ...piece, parameter: node.name } : piece,
    );
    return Array.from({ length: count(node) }, () => inside).flat();
  });
}

const isInner = (name: string): boolean => name === "." || name === "key" || name === "value";

/** `-{{x}}`: which option it is must not be the model's own choice. */
function unfitSlot({ slots }: BoundScript, declared: Declared): TemplateProblem | null {
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
function unfitFlow(script: BoundScript, { code, heads }: SlotFlow, declared: Declared): TemplateProblem | null {
  const slotOf = (index: number) => script.slots[script.indexes.indexOf(index)];
  if (code !== null) return problemAt(slotOf(code.index)?.slot ?? null, code.why, code.fix);
  for (const index of heads.made) {
    const { slot, parameter } = slotOf(index) ?? {};
    const known = declared.get(parameter ?? "");
    if (slot === undefined || known?.isClosed === true || known?.allowsDash === true) continue;
    return problemAt(
      slot,
      "what is made of it begins a word further on, where a program may take it for an option",
      "put `--` before that word, or `./` at its head, or set `allow_dash: true` for the parameter",
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
  { tainted }: SlotFlow,
  declared: Declared,
  readings: Reading[],
): TemplateProblem | null {
  const [first] = script.slots;
  const numbers = numbersOf(script);
  const slots = numbers.map((number, at) => (isNumeric(script, at, declared) ? number : null));
  const anything = readScript(script.text, { slots });
  readings.push(anything);
  if (anything.tooComplex !== null) return problemAt(null, anything.tooComplex, "split the tool into several");
  if (first === undefined) return null;
  const plain = readScript(script.text, { slots: numbers });
  const isFilled = (name: string): boolean => tainted.has(name) || FILLED_BY_BASH.has(name);
  const isTainted = (text: string): boolean =>
    holdsReference(text) || [...tainted].some((name) => new RegExp(`\\$\\{?${name}\\b`).test(text));
  const marked = anything.commands
    .flatMap(({ argv }) => argv)
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
  return problemAt(
    slot,
    why,
    "give the value as an argument, a file or standard input of a script that is written out",
  );
}

/** A value that is a number, or nothing at all, is no code anywhere. */
function isNumeric({ slots, indexes }: BoundScript, index: number, declared: Declared): boolean {
  const { parameter, slot } = slots[indexes.indexOf(index)] ?? {};
  const isEmpty = slot?.fallback === undefined || slot.fallback === "" || typeof slot.fallback === "number";
  return declared.get(parameter ?? "")?.type === "number" && isEmpty;
}

const mentions = (text: string, parameter: string): boolean => text.toLowerCase().includes(parameter.toLowerCase());

const shortened = (reason: string): string => (holdsReference(reason) ? reason.replace(/: `.*$/s, "") : reason);

const numbersOf = ({ indexes }: BoundScript): readonly string[] =>
  [...new Set(indexes.filter((index) => index !== null))].map((index) => String(7_000_000 + index));
