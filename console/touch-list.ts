import type { TouchVerdict } from "../src/domain/call.ts";
import type { Operand } from "../src/domain/plan.ts";
import { touchInWords } from "../src/domain/touch-in-words.ts";
import { el } from "./dom.ts";
import { chip, foreign, sentence } from "./shown.ts";

/** What a call does to the world, in the words of the terminal, and what the rules say of each. */
export const touchList = (
  touches: readonly Omit<TouchVerdict, "because">[],
  workspace: string,
  operands: readonly Operand[] = [],
): HTMLElement =>
  el(
    "ul",
    { class: "touches" },
    ...touches.map(({ touch, effect, ruleId, fault, hide = [] }) =>
      el(
        "li",
        {},
        chip(effect, { state: effect }),
        el("b", {}, ...sentence(touchInWords(touch, workspace, operands))),
        ruleId === null ? null : el("small", {}, "rule ", foreign(ruleId)),
        fault === undefined ? null : el("small", {}, "which could not be decided: ", foreign(fault)),
        hide.length === 0 ? null : el("small", {}, "kept from it: ", foreign(hide.join(", "))),
      ),
    ),
  );
