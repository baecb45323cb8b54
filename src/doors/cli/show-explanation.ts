import { touchInWords } from "../../domain/touch-in-words.ts";
import { visibleLine } from "../../domain/visible.ts";
import type { Explanation } from "../../wiring/gate.ts";
import type { Paint } from "./terminal.ts";

const COLOUR = { allow: "green", ask: "yellow", deny: "red" } as const;

/** What would happen, a touch a line, each with the rule that decides it. */
export function explanationText(toolName: string, explanation: Explanation, paint: Paint): string {
  const { decision, ruleId, code, risk, touches, reasons, hint, errors = [], digest, plan } = explanation;
  const by = ruleId ? `rule ${ruleId}` : (code ?? "");
  const lines = [
    `${paint(COLOUR[decision], decision)} ${visibleLine(toolName.slice(0, 64))}  ${paint("bold", by)}${risk ? `  risk ${risk}` : ""}`,
    ...touches.map((touch) => {
      const what = visibleLine(touchInWords(touch, plan?.workspace ?? "/"));
      return `  ${paint(COLOUR[touch.decision], touch.decision.padEnd(5))} ${what}  ${paint("dim", touch.ruleId ?? "no rule")}`;
    }),
    ...reasons.map((reason) => `  ${visibleLine(reason)}`),
    ...errors.map(
      ({ field, rule, message }) => `  - ${visibleLine(field) || "the arguments"} (${rule}): ${visibleLine(message)}`,
    ),
    ...(hint ? [`  ${paint("cyan", "hint")} ${visibleLine(hint)}`] : []),
    ...(digest ? [paint("dim", `  plan ${digest}`)] : []),
  ];
  return `${lines.join("\n")}\n`;
}
