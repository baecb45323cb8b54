import { shownPath } from "./shown-path.ts";
import { isFileTouch, type Touch } from "./touch.ts";

/** A touch as refusals, questions and explanations name it. */
export function touchInWords(touch: Touch, workspace: string): string {
  if (isFileTouch(touch)) return `${touch.kind} \`${shownPath(workspace, touch.path)}\``;
  switch (touch.kind) {
    case "exec":
      return `exec \`${touch.argv.map((word) => word.text).join(" ")}\``;
    case "connect":
      return `connect \`${touch.host}:${touch.port}\``;
    case "git":
      return `git \`${touch.operation}\``;
    case "model":
      return `model \`${touch.provider}/${touch.model}\``;
    case "tool":
      return `tool \`${touch.name}\``;
    case "unknown":
      return `something that can't be read before it runs (${touch.reason})`;
    default:
      return touch satisfies never;
  }
}
