import type { Touch } from "../domain/touch.ts";
import { hostSteps } from "./connect-pattern.ts";
import { pathSteps } from "./path-pattern.ts";

/** What a touch is about, in the form that patterns match and the index walks. */
export interface Subject {
  readonly text: string;
  /** From the general to the special: folders, labels of a host from the right, or the one name of a tool. */
  readonly steps: readonly string[];
}

/** For kinds of touch that no pattern speaks about. */
const NAMELESS: Subject = { text: "", steps: [] };

export function subjectOf(touch: Touch): Subject {
  switch (touch.kind) {
    case "read":
    case "write":
    case "delete":
      return { text: touch.path, steps: pathSteps(touch.path) };
    case "connect":
      return { text: `${touch.host}:${touch.port}`, steps: hostSteps(touch.host) };
    case "tool":
      return { text: touch.name, steps: [touch.name] };
    default:
      return NAMELESS;
  }
}
