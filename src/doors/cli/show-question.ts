import { programInWords } from "../../domain/program-in-words.ts";
import type { Question, ShownPlan } from "../../domain/question.ts";
import { touchInWords } from "../../domain/touch-in-words.ts";
import { visibleLine, visibleText } from "../../domain/visible.ts";
import type { Terminal } from "./terminal.ts";

/** A question as a person reads it: the whole plan, with what is asked right above the answer. */
export function questionText(shown: ShownPlan, { paint }: Pick<Terminal, "paint">): string {
  const { plan, ruleId, risk, reasons, digest, actor, preview } = shown;
  const lines = [
    `${paint("yellow", "question")} ${visibleLine(plan.tool)}  ${paint("bold", `rule ${visibleLine(ruleId)}`)}  risk ${risk}  from ${visibleLine(actor)}`,
    ...Object.entries(plan.input).map(([name, value]) => `  ${paint("dim", visibleLine(name))} ${shownValue(value)}`),
    ...(preview === undefined ? [] : previewLines(preview, paint)),
    // Last, right above the answer: long arguments must not push it off the screen.
    ...plan.touches.map(
      (touch) => `  ${paint("bold", visibleLine(touchInWords(touch, plan.workspace, plan.operands)))}`,
    ),
    ...programInWords(shown).map((line) => `  ${visibleLine(line)}`),
    ...reasons.map((reason) => `  ${visibleLine(reason)}`),
    paint("dim", `  plan ${digest}`),
  ];
  return `${lines.join("\n")}\n`;
}

/** A question in a list. */
export function questionLine(question: Question): string {
  const { approvalId, deadlineMs, shown: plan } = question;
  const touches = plan.plan.touches.map((touch) => touchInWords(touch, plan.plan.workspace)).join(", ");
  const until = question.answer === null ? `until ${new Date(deadlineMs).toISOString()}` : answerInWords(question);
  return visibleLine(`${approvalId}  ${plan.risk.padEnd(6)}  ${plan.plan.tool}  ${touches}  ${until}`);
}

export function answerInWords({ answer }: Pick<Question, "answer">): string {
  switch (answer?.kind) {
    case undefined:
      return "open";
    case "approve":
      return `approved by ${visibleLine(answer.who)}${because(answer.reason)}`;
    case "reject":
      return `rejected by ${visibleLine(answer.who)}${because(answer.reason)}`;
    case "expired":
      return "expired";
    case "cancelled":
      return "cancelled by its caller";
    default:
      return answer satisfies never;
  }
}

const because = (reason: string | undefined): string => (reason ? `: ${visibleLine(reason)}` : "");

const DIFF_STYLES = { "+": "green", "-": "red", "@": "cyan" } as const;

function previewLines(preview: string, paint: Terminal["paint"]): readonly string[] {
  return preview
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => {
      const style = DIFF_STYLES[line[0] as keyof typeof DIFF_STYLES];
      return style === undefined ? `    ${visibleLine(line)}` : `    ${paint(style, visibleLine(line))}`;
    });
}

/** Whole, however long: what is not shown can't be approved. */
const shownValue = (value: unknown): string =>
  typeof value === "string" ? visibleText(value).replaceAll("\n", "\n    ") : visibleLine(JSON.stringify(value));
