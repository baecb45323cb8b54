import { programInWords } from "../../domain/program-in-words.ts";
import type { ShownPlan } from "../../domain/question.ts";
import { touchInWords } from "../../domain/touch-in-words.ts";
import { visibleLine, visibleText } from "../../domain/visible.ts";

/** A question as a client shows it to its person, line by line. INVARIANT (shown whole): all of the plan is in it. */
export function planInWords(shown: ShownPlan): readonly string[] {
  const { plan, risk, ruleId, reasons, digest, actor, preview, touches } = shown;
  return [
    `${visibleLine(plan.tool)} asks to run (risk ${risk}, rule ${visibleLine(ruleId)}, from ${visibleLine(actor)})`,
    ...Object.entries(plan.input).map(([name, value]) => `${visibleLine(name)}: ${shownValue(value)}`),
    ...(preview === undefined ? [] : [visibleText(preview)]),
    "It would:",
    ...touches.map(({ touch, hazard }) => {
      const words = visibleLine(touchInWords(touch, plan.workspace, plan.operands));
      return hazard === undefined ? `- ${words}` : `- ${words} (hazard: ${hazard})`;
    }),
    ...programInWords(shown).map((line) => `- ${visibleLine(line)}`),
    ...reasons.map(visibleLine),
    `plan ${digest}`,
  ];
}

const shownValue = (value: unknown): string =>
  typeof value === "string" ? visibleText(value) : visibleLine(JSON.stringify(value));
