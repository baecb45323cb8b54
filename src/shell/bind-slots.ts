import { parseBash } from "./parse-bash.ts";
import { ABSENT, MISSING, RESERVED, tokenOf, tokensIn, VALUES } from "./slot-names.ts";
import { type Quoting, type SlotPlace, slotPlaces } from "./slot-places.ts";
import type { TemplateSlot } from "./template.ts";
import type { FilledSlot, Piece } from "./unroll-template.ts";

export interface BoundSlot {
  readonly slot: TemplateSlot;
  readonly parameter: string;
  /** Null: it stands in a comment. */
  readonly place: SlotPlace | null;
}

/**
 * A script whose slots are variables. INVARIANT (bound): its text is the author's, and names of ours; what the values
 * are changes no letter of it, only how often a section stands there and what is absent.
 */
export interface BoundScript {
  readonly text: string;
  /** One for each slot piece, in their order. */
  readonly slots: readonly BoundSlot[];
  /** For each slot piece, which of the values is its own; null = it is absent. */
  readonly indexes: readonly (number | null)[];
}

export type Bound =
  | { readonly ok: true; readonly script: BoundScript }
  | { readonly ok: false; readonly slot: TemplateSlot | null; readonly why: string; readonly fix: string };

/** Turns each slot into a variable that is fit for its place, or says which one is in no place that is fit. */
export function bindSlots(pieces: readonly Piece[], isNumber: (slot: FilledSlot) => boolean = () => false): Bound {
  const filled = pieces.filter((piece) => typeof piece !== "string");
  if (pieces.some((piece) => typeof piece === "string" && RESERVED.test(piece)))
    return { ok: false, slot: null, why: "it uses a name that is reserved for slots", fix: "choose another name" };
  let count = 0;
  const text = pieces.map((piece) => (typeof piece === "string" ? piece : tokenOf(count++))).join("");
  const script = parseBash(text);
  const [error] = script.errors ?? [];
  if (error !== undefined) {
    const [near] = tokensIn(text.slice(error.pos));
    const slot = near === undefined ? null : (filled[near]?.slot ?? null);
    return { ok: false, slot, why: `bash could not read it: ${error.message}`, fix: "correct the script" };
  }
  const isNumberAt = (index: number): boolean => {
    const slot = filled[index];
    return slot !== undefined && isNumber(slot);
  };
  const { places, unsafe } = slotPlaces(text, script, isNumberAt);
  if (unsafe !== null) return { ok: false, slot: filled[unsafe.index]?.slot ?? null, why: unsafe.why, fix: unsafe.fix };
  for (const index of filled.keys()) {
    if (!places.has(index) && !isInComment(text, index, places.size, isNumberAt))
      return { ok: false, slot: filled[index]?.slot ?? null, why: "what stands here can't be read", fix: "move it" };
  }
  return { ok: true, script: written(pieces, filled, places) };
}

function written(
  pieces: readonly Piece[],
  filled: readonly FilledSlot[],
  places: ReadonlyMap<number, SlotPlace>,
): BoundScript {
  const known = new Map<string, number>();
  let values = 0;
  const indexes = filled.map((one): number | null => {
    if (one.value === null) return null;
    const key = keyOf(one);
    const index = key === null ? undefined : known.get(key);
    if (index !== undefined) return index;
    if (key !== null) known.set(key, values);
    return values++;
  });
  let at = 0;
  const text = pieces
    .map((piece) => {
      if (typeof piece === "string") return piece;
      const [place, index] = [places.get(at), indexes[at]];
      at++;
      if (place === undefined) return piece.slot.name;
      return QUOTED[place.quoting](index == null ? absent(piece.slot) : `\${${VALUES}[${index}]}`);
    })
    .join("");
  const slots = filled.map(({ slot, parameter }, index) => ({ slot, parameter, place: places.get(index) ?? null }));
  return { text, slots, indexes };
}

/** The values of the script's variables, in their order. */
export function boundValues(script: BoundScript, pieces: readonly Piece[]): readonly string[] {
  const values: string[] = [];
  let at = 0;
  for (const piece of pieces) {
    if (typeof piece === "string") continue;
    const index = script.indexes[at++];
    if (index != null && piece.value !== null) values[index] = piece.value;
  }
  return values;
}

/** The same parameter in two places is one variable; what a section repeats is not the same each time. */
const keyOf = ({ slot, parameter }: FilledSlot): string | null =>
  slot.name === parameter ? JSON.stringify([slot.name, slot.json, slot.fallback ?? null]) : null;

const absent = ({ name }: TemplateSlot): string => `\${${ABSENT}?$(${MISSING} ${name === "." ? "item" : name})}`;

const QUOTED = {
  bare: (reference) => `"${reference}"`,
  double: (reference) => reference,
  single: (reference) => `'"${reference}"'`,
  ansi: (reference) => `'"${reference}"$'`,
} as const satisfies Record<Quoting, (reference: string) => string>;

/** In a comment if the script is the same to bash without it: all other slots are where they were. */
function isInComment(text: string, index: number, others: number, isNumber: (index: number) => boolean): boolean {
  const at = text.indexOf(tokenOf(index));
  const lineStart = text.lastIndexOf("\n", at) + 1;
  const lineEnd = text.indexOf("\n", at) === -1 ? text.length : text.indexOf("\n", at);
  const [comment] = /(?:^|[\s;&|()])#.*$/s.exec(text.slice(lineStart, at)) ?? [];
  if (comment === undefined) return false;
  const start = at - comment.length + (comment.startsWith("#") ? 0 : 1);
  const without = text.slice(0, start) + text.slice(lineEnd);
  const script = parseBash(without);
  return script.errors === undefined || script.errors.length === 0
    ? slotPlaces(without, script, isNumber).places.size === others
    : false;
}
