import type { JsonObject } from "../../domain/json.ts";
import { type Bound, type BoundScript, bindSlots, boundValues } from "../../shell/bind-slots.ts";
import type { Template } from "../../shell/template.ts";
import { type Piece, unrollTemplate } from "../../shell/unroll-template.ts";

export type FilledScript =
  | {
      readonly ok: true;
      readonly script: BoundScript;
      /** What the script's variables hold, in their order. */
      readonly values: readonly string[];
      readonly pieces: readonly Piece[];
    }
  | Extract<Bound, { ok: false }>;

/** Shapes differ in how often sections are repeated and in what is absent; most tools have a few. */
const SHAPES_MAX = 64;

/** A template whose places are worked out once for each shape of its values, and not for each value. */
export class ScriptTemplate {
  readonly #template: Template;
  readonly #shapes = new Map<string, Bound>();

  constructor(template: Template) {
    this.#template = template;
  }

  fill(input: JsonObject): FilledScript {
    const pieces = unrollTemplate(this.#template.nodes, input);
    const bound = this.#bound(pieces);
    if (!bound.ok) return bound;
    return { ok: true, script: bound.script, values: boundValues(bound.script, pieces), pieces };
  }

  #bound(pieces: readonly Piece[]): Bound {
    const shape = pieces.map(shapeOf).join("");
    const known = this.#shapes.get(shape);
    if (known !== undefined) return known;
    const made = bindSlots(pieces);
    if (this.#shapes.size >= SHAPES_MAX) this.#shapes.clear();
    this.#shapes.set(shape, made);
    return made;
  }
}

/** Templates hold no NUL, so that no two shapes are written the same. */
const shapeOf = (piece: Piece): string =>
  typeof piece === "string" ? piece : `\0${piece.slot.at}${piece.value === null ? "-" : "+"}\0`;
