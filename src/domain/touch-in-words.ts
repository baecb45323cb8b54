import { shownPath } from "./shown-path.ts";
import { isFileTouch, type Touch } from "./touch.ts";
import { quoted, visibleLine } from "./visible.ts";

/** What is approved is shown to its last character. */
const WHOLE = { max: Number.POSITIVE_INFINITY };

/** A touch as refusals, questions and explanations name it. */
export function touchInWords(touch: Touch, workspace: string): string {
  if (isFileTouch(touch)) {
    const path = quoted(shownPath(workspace, touch.path), WHOLE);
    return `${touch.kind} ${path}${touch.tree ? " and everything below it" : ""}`;
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
