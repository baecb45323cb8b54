import type { ShownPlan } from "../../domain/question.ts";
import { touchInWords } from "../../domain/touch-in-words.ts";
import { visibleLine, visibleText } from "../../domain/visible.ts";
import type { Terminal } from "./terminal.ts";

/** A question as a person reads it: the whole plan, with what is asked right above the answer. */
export function questionText(
  { plan, ruleId, risk, reasons, digest }: ShownPlan,
  { paint }: Pick<Terminal, "paint">,
): string {
  const lines = [
    `${paint("yellow", "question")} ${visibleLine(plan.tool)}  ${paint("bold", `rule ${ruleId}`)}  risk ${risk}`,
    ...Object.entries(plan.input).map(([name, value]) => `  ${paint("dim", visibleLine(name))} ${shown(value)}`),
    // Last, right above the answer: long arguments must not push it off the screen.
    ...plan.touches.map((touch) => `  ${paint("bold", visibleLine(touchInWords(touch, plan.workspace)))}`),
    ...reasons.map((reason) => `  ${visibleLine(reason)}`),
    paint("dim", `  plan ${digest}`),
  ];
  return `${lines.join("\n")}\n`;
}

/** Whole, however long: what is not shown can't be approved. */
const shown = (value: unknown): string =>
  typeof value === "string" ? visibleText(value).replaceAll("\n", "\n    ") : visibleLine(JSON.stringify(value));
