import type { JsonObject } from "../../domain/json.ts";
import { type Bound, type BoundScript, bindSlots, boundValues } from "../../shell/bind-slots.ts";
import { slotFlow } from "../../shell/slot-flow.ts";
import type { Template } from "../../shell/template.ts";
import { type Piece, unrollTemplate } from "../../shell/unroll-template.ts";

export type FilledScript =
  | {
      readonly ok: true;
      readonly script: BoundScript;
      /** What the script's variables hold, in their order. */
      readonly values: readonly string[];
      readonly pieces: readonly Piece[];
      /** Which of the values begin a word by way of a variable, where a program would take them for an option. */
      readonly heads: ReadonlySet<number>;
    }
  | Extract<Bound, { ok: false }>;

/** Shapes differ in how often sections are repeated and in what is absent; most tools have a few. */
const SHAPES_MAX = 64;

interface Shape {
  readonly bound: Bound;
  readonly heads: ReadonlySet<number>;
}

const NONE: ReadonlySet<number> = new Set();

/** A template whose places are worked out once for each shape of its values, and not for each value. */
export class ScriptTemplate {
  readonly #template: Template;
  readonly #shapes = new Map<string, Shape>();

  constructor(template: Template) {
    this.#template = template;
  }

  fill(input: JsonObject): FilledScript {
    const pieces = unrollTemplate(this.#template.nodes, input);
    const { bound, heads } = this.#shape(pieces);
    if (!bound.ok) return bound;
    return { ok: true, script: bound.script, values: boundValues(bound.script, pieces), pieces, heads };
  }

  #shape(pieces: readonly Piece[]): Shape {
    const shape = pieces.map(shapeOf).join("");
    const known = this.#shapes.get(shape);
    if (known !== undefined) return known;
    const bound = bindSlots(pieces);
    const made = { bound, heads: bound.ok ? slotFlow(bound.script.text, () => false).heads.begins : NONE };
    if (this.#shapes.size >= SHAPES_MAX) this.#shapes.clear();
    this.#shapes.set(shape, made);
    return made;
  }
}

/** Templates hold no NUL, so that no two shapes are written the same. */
const shapeOf = (piece: Piece): string =>
  typeof piece === "string" ? piece : `\0${piece.slot.at}${piece.value === null ? "-" : "+"}\0`;
