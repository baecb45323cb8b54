import type { Touch } from "../domain/touch.ts";
import { commandSteps, moreCommandSteps } from "./command-steps.ts";
import { hostSteps } from "./connect-pattern.ts";
import { pathSteps } from "./path-pattern.ts";
import type { Coverage, Pattern, Subject } from "./pattern.ts";

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
    case "exec": {
      const more = moreCommandSteps(touch);
      const own = commandSteps(touch.argv);
      return more === null ? own : { ...own, more };
    }
    default:
      return NAMELESS;
  }
}

export function coverageOf(pattern: Pattern | null, touch: Touch, text: string): Coverage {
  if (pattern === null) return "yes";
  if (touch.kind === "exec" && pattern.covers !== undefined) return pattern.covers(touch);
  return pattern.matches(text) ? "yes" : "no";
}
