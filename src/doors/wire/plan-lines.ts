import { programInWords } from "../../domain/program-in-words.ts";
import type { ShownPlan } from "../../domain/question.ts";
import { touchInWords } from "../../domain/touch-in-words.ts";
import { visibleLine, visibleText } from "../../domain/visible.ts";

/** All of a plan, for a person whom a client shows plain text. INVARIANT (shown whole): nothing of it is left out. */
export function planLines(shown: ShownPlan): readonly string[] {
  const { plan, risk, ruleId, reasons, digest, actor, preview } = shown;
  return [
    `${visibleLine(plan.tool)} asks to run (risk ${risk}, rule ${visibleLine(ruleId)}, from ${visibleLine(actor)})`,
    ...Object.entries(plan.input).map(([name, value]) => `${visibleLine(name)}: ${shownValue(value)}`),
    ...(preview === undefined ? [] : [visibleText(preview)]),
    "It would:",
    ...plan.touches.map((touch) => `- ${visibleLine(touchInWords(touch, plan.workspace, plan.operands))}`),
    ...programInWords(shown).map((line) => `- ${visibleLine(line)}`),
    ...reasons.map(visibleLine),
    `plan ${digest}`,
  ];
}

const shownValue = (value: unknown): string =>
  typeof value === "string" ? visibleText(value) : visibleLine(JSON.stringify(value));
