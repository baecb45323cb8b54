import type { JsonObject } from "../../domain/json.ts";
import { type BoundScript, boundValues } from "../../shell/bind-slots.ts";
import { type CheckedPieces, checkPieces, type Declared } from "../../shell/check-pieces.ts";
import type { Heads } from "../../shell/flow-uses.ts";
import type { Template } from "../../shell/template.ts";
import { type Piece, SLOTS_MAX, unrollTemplate } from "../../shell/unroll-template.ts";

export type FilledScript =
  | {
      readonly ok: true;
      readonly script: BoundScript;
      /** What the script's variables hold, in their order. */
      readonly values: readonly string[];
      readonly pieces: readonly Piece[];
      /** Which of the values begin a word by way of a variable, where a program would take them for an option, and the like. */
      readonly heads: Heads;
    }
  | Extract<CheckedPieces, { ok: false }>;

const TOO_MANY: FilledScript = {
  ...{ ok: false, slot: null, why: `its sections are repeated too often: a script has at most ${SLOTS_MAX} values` },
  fix: "give fewer at once; the tool's author can take a list as one value, `{{list|tojson}}`",
};

/** Shapes differ in how often sections are repeated and in what is absent; most tools have a few. */
const SHAPES_MAX = 64;

/**
 * A template whose places are worked out once for each shape of its values, and not for each value. What really runs is
 * checked as it was when the tool was loaded: no shape is left to be like those that were tried then.
 */
export class ScriptTemplate {
  readonly #template: Template;
  readonly #declared: Declared;
  readonly #dataFor: ReadonlySet<string>;
  readonly #shapes = new Map<string, CheckedPieces>();

  constructor(template: Template, declared: Declared, dataFor: readonly string[] = []) {
    this.#template = template;
    this.#declared = declared;
    this.#dataFor = new Set(dataFor);
  }

  fill(input: JsonObject): FilledScript {
    const pieces = unrollTemplate(this.#template.nodes, input);
    if (pieces.length > 4 * SLOTS_MAX || pieces.filter((piece) => typeof piece !== "string").length > SLOTS_MAX)
      return TOO_MANY;
    const checked = this.#checked(pieces);
    if (!checked.ok) return checked;
    const { script, heads } = checked;
    return { ok: true, script, values: boundValues(script, pieces), pieces, heads };
  }

  #checked(pieces: readonly Piece[]): CheckedPieces {
    const shape = pieces.map(shapeOf).join("");
    const known = this.#shapes.get(shape);
    if (known !== undefined) return known;
    const checked = checkPieces(pieces, this.#declared, this.#dataFor);
    if (this.#shapes.size >= SHAPES_MAX) this.#shapes.clear();
    this.#shapes.set(shape, checked);
    return checked;
  }
}

/** Templates hold no NUL, so that no two shapes are written the same. */
const shapeOf = (piece: Piece): string =>
  typeof piece === "string" ? piece : `\0${piece.slot.at}${piece.value === null ? "-" : "+"}${piece.parameter}\0`;
