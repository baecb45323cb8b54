import type { ScriptParameter } from "../../domain/script-tool.ts";
import type { BoundSlot } from "../../shell/bind-slots.ts";
import type { OperandForm } from "../../shell/operand-forms.ts";
import type { FilledSlot } from "../../shell/unroll-template.ts";
import type { FilledScript } from "./script-template.ts";

/** A value that a program would take for something else, and why. */
export interface OddValue {
  readonly parameter: string;
  readonly why: string;
  readonly fix: string;
}

const DASHES = "the tool's author can put `--` before it, or set `allow_dash: true`";

/**
 * The parameter whose value a program would take for an option: the word that it is in, or that a variable carries it to,
 * begins with `-`, be that its own or one that stands behind it when it is empty. Not where `--` stands before it, nor
 * where the parameter allows it. Or one that the program knows by another form. Null = there is none.
 */
export function optionValue(
  { script, pieces, heads }: Extract<FilledScript, { ok: true }>,
  parameters: readonly ScriptParameter[],
): OddValue | null {
  const begun = new Set<number>();
  let at = 0;
  for (const piece of pieces) {
    if (typeof piece === "string") continue;
    const bound = script.slots[at];
    const index = script.indexes[at++] ?? -1;
    const { value } = piece;
    if (value === null || bound === undefined) continue;
    const { parameter, place } = bound;
    const isGuarded = place?.argument?.isBehindDashes === true;
    if (value === "") {
      // Of one word, what stands behind it begins it.
      const isBare = isOpen(bound, begun) && place?.argument?.hidesDash === true && !isGuarded;
      if (isBare || heads.hides.has(index)) return emptied(parameter);
      const isTaken = place?.argument?.isGlued === true && !isGuarded && !isOwn(piece, parameters);
      if (isTaken && !isListed(parameter, parameters)) return swallowing(parameter);
      continue;
    }
    const isHead = isAtHead(bound, begun);
    if (isOwn(piece, parameters)) continue;
    const known = parameters.find(({ name }) => name === parameter);
    const isOneOf = isListed(parameter, parameters);
    const form = isOneOf ? undefined : heads.forms.find((one) => one.index === index && one.refused.test(value));
    if (form !== undefined) return formed(parameter, form);
    if (!value.startsWith("-")) continue;
    const isAllowed = isOneOf || known?.allowsDash === true;
    const isRefused = isHead && !isGuarded;
    if (isRefused && (!isAllowed || place?.argument?.isTested)) return dashed(parameter);
    if (heads.begins.has(index) && !isAllowed) return dashed(parameter);
  }
  return null;
}

const dashed = (parameter: string): OddValue => ({
  parameter,
  why: "begins with `-`, so that a program would take it for an option",
  fix: `give another value; ${DASHES}`,
});

const emptied = (parameter: string): OddValue => ({
  parameter,
  why: "is empty, so that a program would take what stands behind it for an option",
  fix: "give a value that is not empty; the tool's author can put `--` before the word, or `./` at its head",
});

const formed = (parameter: string, { program, fix }: OperandForm): OddValue => ({
  parameter,
  why: `is of a form that means something else to \`${program}\``,
  fix:
    fix ?? "give a plain name; the tool's author can put `./` before that of a file, or list the values in an `enum`",
});

const swallowing = (parameter: string): OddValue => ({
  parameter,
  why: "is empty, so that the option before it would take the next word for its value",
  fix: "give a value that is not empty; the tool's author can put a space before the slot",
});

const isListed = (parameter: string, parameters: readonly ScriptParameter[]): boolean =>
  parameters.some(({ name, values }) => name === parameter && values !== null);

const isOpen = ({ place }: BoundSlot, begun: ReadonlySet<number>): boolean =>
  place?.argument?.isHead === true && !begun.has(place.argument.word);

function isAtHead(bound: BoundSlot, begun: Set<number>): boolean {
  if (!isOpen(bound, begun)) return false;
  begun.add(bound.place?.argument?.word ?? -1);
  return true;
}

/** What the author wrote out is no model's choice. */
const isOwn = ({ value, parameter, isFallback }: FilledSlot, parameters: readonly ScriptParameter[]): boolean =>
  isFallback === true ||
  parameters.some(({ name, fallback }) => name === parameter && fallback !== undefined && String(fallback) === value);
