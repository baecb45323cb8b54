import { isJsonObject, type JsonObject, type JsonValue } from "../domain/json.ts";
import type { TemplateNode, TemplateSection, TemplateSlot } from "./template.ts";
import { type Scope, scopesOf } from "./template-scope.ts";

/** A slot and what it holds. */
export interface FilledSlot {
  readonly slot: TemplateSlot;
  /** The parameter that the value comes from, through however many sections. */
  readonly parameter: string;
  /** Null = absent, and there is no default. */
  readonly value: string | null;
  /** It is what the template's author wrote down for want of another. */
  readonly isFallback?: true;
}

/** The author's own text, and between it slots: a value is never a part of a text. */
export type Piece = string | FilledSlot;

type Scopes = readonly Scope<JsonValue | undefined>[];

/** Of slots in one script: what is made of them is checked as a whole before it runs, in which nobody else gets a turn. */
export const SLOTS_MAX = 1000;

/** Repeats and leaves out sections as the values say, and puts each slot's value beside it. Ends soon after there are too many. */
export function unrollTemplate(nodes: readonly TemplateNode[], input: JsonObject): readonly Piece[] {
  const script = new Unrolled();
  unroll(nodes, [], input, script);
  return script.pieces;
}

const PIECES_MAX = 4 * SLOTS_MAX;
/** Sections inside of sections that come to nothing are gone through all the same. */
const STEPS_MAX = 100 * PIECES_MAX;

class Unrolled {
  readonly pieces: Piece[] = [];
  #steps = 0;

  /** Whether there are too many; what took too long to find is given back as too many. */
  get isFull(): boolean {
    if (++this.#steps > STEPS_MAX) while (this.pieces.length <= PIECES_MAX) this.pieces.push("");
    return this.pieces.length > PIECES_MAX;
  }
}

function unroll(nodes: readonly TemplateNode[], scopes: Scopes, input: JsonObject, script: Unrolled): void {
  for (const node of nodes) {
    if (script.isFull) return;
    if (node.kind === "text") script.pieces.push(node.text);
    else if (node.kind === "slot") script.pieces.push(filled(node, scopes, input));
    else
      for (const inner of repeats(node, scopes, input)) {
        if (script.isFull) return;
        unroll(node.body, [...scopes, inner], input, script);
      }
  }
}

function found(name: string, scopes: Scopes, input: JsonObject): FoundValue {
  const [inner] = scopesOf(name, scopes);
  if (inner !== undefined) return { parameter: inner.parameter, value: inner.names[name] };
  return { parameter: name, value: Object.hasOwn(input, name) ? input[name] : undefined };
}

interface FoundValue {
  readonly parameter: string;
  readonly value: JsonValue | undefined;
}

function filled(slot: TemplateSlot, scopes: Scopes, input: JsonObject): FilledSlot {
  const { parameter, value: given } = found(slot.name, scopes, input);
  const value = given ?? slot.fallback;
  if (value === undefined || value === null) return { slot, parameter, value: null };
  const isFallback = (given ?? null) === null;
  return { slot, parameter, value: textOf(value, slot.json), ...(isFallback && { isFallback }) };
}

const textOf = (value: Exclude<JsonValue, null>, json: boolean): string =>
  typeof value === "number"
    ? numberText(value)
    : json || typeof value === "object"
      ? JSON.stringify(value)
      : String(value);

/** Without an exponent: `1e21` before a letter is a command to some languages. */
function numberText(value: number): string {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?e([+-]\d+)$/.exec(String(value)) ?? [];
  if (whole === "") return String(value);
  const digits = whole + fraction;
  const point = whole.length + Number(exponent);
  if (point <= 0) return `${sign}0.${"0".repeat(-point)}${digits}`;
  return sign + digits.padEnd(point, "0");
}

function repeats({ name, inverted }: TemplateSection, scopes: Scopes, input: JsonObject): Scopes {
  const { parameter, value } = found(name, scopes, input);
  const isEmpty = isNothing(value);
  if (inverted) return isEmpty ? [{ parameter, names: {} }] : [];
  if (isEmpty) return [];
  if (Array.isArray(value)) return value.map((item: JsonValue) => ({ parameter, names: { ".": item } }));
  if (isJsonObject(value))
    return Object.entries(value).map(([key, item]) => ({ parameter, names: { key, value: item } }));
  return [{ parameter, names: { ".": value } }];
}

/** Absent, null, false, "", [] and {} are nothing. A number is something, zero too. */
const isNothing = (value: JsonValue | undefined): boolean =>
  value === undefined ||
  value === null ||
  value === false ||
  value === "" ||
  (typeof value === "object" && Object.keys(value).length === 0);
