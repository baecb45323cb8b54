import { visibleJson, visibleLine } from "../../domain/visible.ts";
import type { ExampleResult, RulesInspection } from "../../wiring/inspect-rules.ts";
import type { Invocation } from "./command.ts";
import { EXIT, OUTCOME_EXIT } from "./exit-codes.ts";
import type { Paint } from "./terminal.ts";

/** All problems at once, each with the place that an editor can jump to. */
export function rulesCheck(inspection: RulesInspection, { flags, terminal }: Invocation): number {
  const { path, isTrusted, problems, notes, inForce, examples } = inspection;
  const isGood = inForce !== null;
  if (flags["json"]) {
    const counts = { rules: inForce?.size ?? null, examples: examples.length };
    terminal.out(`${visibleJson({ ok: isGood, path, trusted: isTrusted, ...counts, problems, notes })}\n`);
  } else if (isGood) {
    terminal.out(`${terminal.outPaint("green", "good")} ${visibleLine(path)}: ${counted(inForce.size, "rule")}\n`);
    for (const { file, line, column, message } of notes)
      terminal.err(`${terminal.paint("cyan", "note")} ${visibleLine(`${file}:${line}:${column}: ${message}`)}\n`);
    tellUntrusted(inspection, { terminal });
  } else terminal.out(`${problemLines(inspection, terminal.outPaint).join("\n")}\n`);
  return isGood ? EXIT.ok : OUTCOME_EXIT.failed;
}

/** The examples of all rules that can be read. A rule that can't be is a failure as well. */
export function rulesTest(inspection: RulesInspection, { flags, terminal }: Invocation): number {
  const { examples, problems, inForce } = inspection;
  const isGood = inForce !== null;
  if (flags["json"]) terminal.out(`${visibleJson({ ok: isGood, examples, problems })}\n`);
  else {
    const lines = examples.map((example) => exampleLine(example, terminal.outPaint));
    terminal.out(`${[...lines, `${counted(examples.length, "example")}`].join("\n")}\n`);
    if (!isGood) terminal.err(`${problemLines(inspection, terminal.paint).join("\n")}\n`);
  }
  return isGood ? EXIT.ok : OUTCOME_EXIT.failed;
}

function problemLines({ path, problems }: RulesInspection, paint: Paint): readonly string[] {
  return [
    `${paint("red", "bad")} ${visibleLine(path)}: ${counted(problems.length, "problem")}, so nothing is allowed`,
    ...problems.flatMap(({ file, line, column, message, hint }) => [
      `  ${paint("bold", visibleLine(`${file}:${line}:${column}`))}: ${visibleLine(message)}`,
      ...(hint ? [`    ${paint("cyan", "hint")} ${visibleLine(hint)}`] : []),
    ]),
  ];
}

export function tellUntrusted({ path, isTrusted }: RulesInspection, { terminal }: Pick<Invocation, "terminal">): void {
  if (!isTrusted) terminal.err(`${visibleLine(path)} is not in force: \`toolgate trust\` accepts it\n`);
}

function exampleLine({ ruleId, example, wanted, holds }: ExampleResult, paint: Paint): string {
  const words = wanted === "match" ? "covers" : "leaves";
  return `${holds ? paint("green", "ok  ") : paint("red", "fail")} ${paint("bold", ruleId)} ${words} ${visibleLine(example)}`;
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;
