import { isJsonObject, type JsonValue } from "../../domain/json.ts";
import type { Content, Outcome, Truncation } from "../../domain/outcome.ts";
import { visibleJson, visibleLine, visibleText } from "../../domain/visible.ts";
import type { Flags } from "./command.ts";
import type { Terminal } from "./terminal.ts";

/** Content to stdout, everything else to stderr. In a pipe, content goes out byte for byte. */
export function showOutcome(outcome: Outcome, flags: Flags, terminal: Terminal): void {
  if (flags["json"]) {
    terminal.out(`${visibleJson(outcome)}\n`);
    return;
  }
  if (outcome.kind === "completed" || outcome.kind === "failed") {
    for (const item of outcome.content) terminal.out(contentText(item, terminal.isOutTerminal));
  }
  const lines = outcomeLines(outcome, terminal);
  if (lines.length > 0) terminal.err(`${lines.join("\n")}\n`);
}

/** In a pipe, bytes come out as the bytes they are; a terminal is shown their base64. */
function contentText(item: Content, isTerminal: boolean): string | Uint8Array {
  const text = plainText(item);
  if (isTerminal) return visibleText(text.endsWith("\n") ? text : `${text}\n`);
  const isBytes = item.type === "image" || (item.type === "resource" && item.text === undefined);
  return isBytes ? Buffer.from(text, "base64") : text;
}

function plainText(item: Content): string {
  switch (item.type) {
    case "text":
      return item.text;
    case "diff":
      return item.diff;
    case "image":
      return item.data;
    case "resource":
      return item.text ?? item.blob ?? "";
    default:
      return item satisfies never;
  }
}

/** Also in a pipe, where nobody may look at the middle of what came out. */
function truncatedLines(truncated: Truncation | undefined): readonly string[] {
  if (truncated === undefined) return [];
  const { bytes, blob } = truncated;
  const whole = blob === null ? "the whole could not be kept" : `the whole: toolgate blobs get ${blob}`;
  return [`  truncated: ${bytes} bytes in all; ${whole}`];
}

/** Some tools know what to do about a failure; those of files say nothing else in `detail`. More than a line is no hint. */
function hintLines(detail: JsonValue | undefined, paint: Terminal["paint"]): readonly string[] {
  const hint = isJsonObject(detail) ? detail["hint"] : detail;
  if (typeof hint !== "string" || hint === "") return [];
  if (!hint.includes("\n")) return [`  ${paint("cyan", "hint")} ${visibleLine(hint)}`];
  return hint
    .trimEnd()
    .split("\n")
    .map((line) => `  ${visibleLine(line)}`);
}

function outcomeLines(outcome: Outcome, { paint, isOutTerminal }: Terminal): readonly string[] {
  const where = outcome.receipt
    ? paint("dim", `ledger entry ${outcome.receipt.seq}`)
    : paint("dim", "not in the ledger");
  const tool = visibleLine(outcome.tool.slice(0, 64));
  switch (outcome.kind) {
    case "completed":
      return [
        ...(isOutTerminal ? [`${paint("green", "completed")} ${tool}  ${where}`] : []),
        ...truncatedLines(outcome.truncated),
      ];
    case "failed":
      return [
        `${paint("red", "failed")} ${tool}  ${paint("bold", outcome.error.code)}  ${where}`,
        `  ${visibleLine(outcome.error.message)}`,
        ...hintLines(outcome.error.detail, paint),
        ...truncatedLines(outcome.truncated),
      ];
    case "unknown":
      return [
        `${paint("yellow", "unknown")} ${tool}  ${paint("bold", outcome.error.code)}  ${where}`,
        `  ${visibleLine(outcome.error.message)}`,
      ];
    case "pending": {
      const { id, risk, reasons, deadline } = outcome.approval;
      return [
        `${paint("yellow", "pending")} ${tool}  ${paint("bold", id)}  risk ${risk}  until ${deadline}  ${where}`,
        ...reasons.map((reason) => `  ${visibleLine(reason)}`),
        `  ${paint("cyan", "hint")} \`toolgate approvals show ${id}\` shows it, \`toolgate approvals approve ${id}\` runs it`,
      ];
    }
    case "refused": {
      const { code, message, hint, errors = [] } = outcome.refusal;
      return [
        `${paint("red", "refused")} ${tool}  ${paint("bold", code)}  ${where}`,
        `  ${visibleLine(message)}`,
        ...errors.map(
          ({ field, rule, message: wrong }) =>
            `  - ${visibleLine(field) || "the arguments"} (${rule}): ${visibleLine(wrong)}`,
        ),
        ...(hint ? [`  ${paint("cyan", "hint")} ${visibleLine(hint)}`] : []),
      ];
    }
    default:
      return outcome satisfies never;
  }
}
