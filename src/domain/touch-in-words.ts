import type { Operand } from "./plan.ts";
import { shownPath } from "./shown-path.ts";
import { isFileTouch, type Touch } from "./touch.ts";
import { quoted, visibleLine } from "./visible.ts";

/** What is approved is shown to its last character. */
const WHOLE = { max: Number.POSITIVE_INFINITY };

/** A touch as refusals, questions and explanations name it; with the plan's operands, also whether a file is new. */
export function touchInWords(touch: Touch, workspace: string, operands: readonly Operand[] = []): string {
  if (isFileTouch(touch)) {
    const path = quoted(shownPath(workspace, touch.path), WHOLE);
    const operand = touch.kind === "write" ? operands.find((one) => one.path === touch.path) : undefined;
    const how = operand === undefined ? "" : operand.before === null ? " (a new file)" : " (which is there already)";
    return `${touch.kind} ${path}${touch.tree ? " and everything below it" : ""}${how}`;
  }
  switch (touch.kind) {
    case "exec":
      return `exec ${quoted(touch.argv.map((word) => word.text).join(" "), WHOLE)}`;
    case "connect":
      return `connect ${quoted(`${touch.host}:${touch.port}`, WHOLE)}`;
    case "git":
      return `git ${quoted(touch.operation, WHOLE)}`;
    case "model":
      return `model ${quoted(`${touch.provider}/${touch.model}`, WHOLE)}`;
    case "tool":
      return `tool ${quoted(touch.name, WHOLE)}`;
    case "unknown":
      return `something that can't be read before it runs (${visibleLine(touch.reason)})`;
    default:
      return touch satisfies never;
  }
}
