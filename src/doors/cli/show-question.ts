import { diffLineKinds } from "../../domain/diff-lines.ts";
import { programInWords } from "../../domain/program-in-words.ts";
import type { Question, ShownPlan } from "../../domain/question.ts";
import { touchCountInWords, touchesInLine, touchInWords } from "../../domain/touch-in-words.ts";
import { visibleLine, visibleText } from "../../domain/visible.ts";
import type { Terminal } from "./terminal.ts";

/** Fewer touches are seen at once. */
const COUNTED_FROM = 3;

/** A question as a person reads it: the whole plan, with what is asked right above the answer. */
export function questionText(shown: ShownPlan, { paint }: Pick<Terminal, "paint">): string {
  const { plan, ruleId, risk, reasons, digest, actor, preview, touches } = shown;
  const lines = [
    `${paint("yellow", "question")} ${visibleLine(plan.tool)}  ${paint("bold", `rule ${visibleLine(ruleId)}`)}  risk ${risk}  from ${visibleLine(actor)}`,
    ...Object.entries(plan.input).map(([name, value]) => `  ${paint("dim", visibleLine(name))} ${shownValue(value)}`),
    ...(preview === undefined ? [] : previewLines(preview, paint)),
    // Last, right above the answer, and the most hazardous at the very end: what is long scrolls away upwards.
    ...touches.toReversed().map(({ touch, hazard }) => {
      const words = paint("bold", visibleLine(touchInWords(touch, plan.workspace, plan.operands)));
      return hazard === undefined ? `  ${words}` : `  ${words} ${paint("red", `hazard: ${hazard}`)}`;
    }),
    ...(touches.length > COUNTED_FROM ? [paint("bold", `  ${touchCountInWords(touches)}`)] : []),
    ...programInWords(shown).map((line) => `  ${visibleLine(line)}`),
    ...reasons.map((reason) => `  ${visibleLine(reason)}`),
    paint("dim", `  plan ${digest}`),
  ];
  return `${lines.join("\n")}\n`;
}

/** A question in a list. */
export function questionLine(question: Question): string {
  const { approvalId, deadlineMs, shown: plan } = question;
  const touches = touchesInLine(
    plan.touches.map(({ touch }) => touch),
    plan.plan.workspace,
  );
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

const DIFF_STYLES = { added: "green", removed: "red", place: "cyan", same: null } as const;

function previewLines(preview: string, paint: Terminal["paint"]): readonly string[] {
  const lines = preview.replace(/\n$/, "").split("\n");
  return diffLineKinds(lines).map((kind, at) => {
    const style = DIFF_STYLES[kind];
    const line = visibleLine(lines[at] ?? "");
    return style === null ? `    ${line}` : `    ${paint(style, line)}`;
  });
}

/** Whole, however long: what is not shown can't be approved. One line may be a path, and shows all its blanks. */
const shownValue = (value: unknown): string => {
  if (typeof value !== "string") return visibleLine(JSON.stringify(value));
  return value.includes("\n") ? visibleText(value).replaceAll("\n", "\n    ") : visibleLine(value);
};
