import type { Operand } from "../src/domain/plan.ts";
import type { ShownTouch } from "../src/domain/question.ts";
import { touchInWords } from "../src/domain/touch-in-words.ts";
import { el } from "./dom.ts";
import { chip, foreign, sentence } from "./shown.ts";

interface ListOptions {
  readonly workspace: string;
  readonly operands?: readonly Operand[] | undefined;
  /** Further ones are counted. */
  readonly max?: number;
}

/** What a call does to the world, in the words of the terminal, and what the rules say about each touch. */
export const touchList = (
  touches: readonly Omit<ShownTouch, "because">[],
  { workspace, operands = [], max = touches.length }: ListOptions,
): HTMLElement =>
  el(
    "ul",
    { class: "touches" },
    ...touches
      .slice(0, max)
      .map(({ touch, effect, ruleId, fault, hazard, hide = [] }) =>
        el(
          "li",
          { ...(hazard !== undefined && { "data-risk": "HIGH" }) },
          chip(effect, { state: effect }),
          hazard === undefined ? null : chip(hazard, { risk: "HIGH" }),
          el("b", {}, ...sentence(touchInWords(touch, workspace, operands))),
          ruleId === null ? null : el("small", {}, "rule ", foreign(ruleId)),
          fault === undefined ? null : el("small", {}, "which could not be decided: ", foreign(fault)),
          hide.length === 0 ? null : el("small", {}, "kept from it: ", foreign(hide.join(", "))),
        ),
      ),
    touches.length > max && el("li", {}, `and ${touches.length - max} more, which are in the download`),
  );
