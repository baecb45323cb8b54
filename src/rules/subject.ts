import type { Effect } from "../domain/decision.ts";
import { isLocalHost } from "../domain/host.ts";
import type { Touch } from "../domain/touch.ts";
import { commandSteps, moreCommandSteps, type Steps } from "./command-steps.ts";
import { hostSteps } from "./connect-pattern.ts";
import { pathSteps } from "./path-pattern.ts";
import type { Coverage, Pattern } from "./pattern.ts";

/** What a touch is about, in the form that patterns match and the index walks. */
export interface Subject extends Steps {
  readonly text: string;
  /** Other names for the same, under which rules may speak about it. */
  readonly more?: readonly Steps[];
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
    case "git":
      return { text: touch.operation, steps: [touch.operation] };
    case "tool":
      return { text: touch.name, steps: [touch.name] };
    case "exec": {
      const { steps, isOpen } = commandSteps(touch.argv);
      const more = moreCommandSteps(touch);
      return more === null ? { text: "", steps, isOpen } : { text: "", steps, isOpen, more };
    }
    default:
      return NAMELESS;
  }
}

/** `effect`: of the rule that has the pattern. */
export function coverageOf(pattern: Pattern | null, touch: Touch, text: string, effect: Effect): Coverage {
  // What is not on the internet (this machine, its network, a cloud's metadata) is let through by its own name only.
  if (effect === "allow" && touch.kind === "connect" && pattern?.isExact !== true && isLocalHost(touch.host))
    return "no";
  if (pattern === null) return "yes";
  if (touch.kind === "exec" && pattern.covers !== undefined) return pattern.covers(touch);
  return pattern.matches(text) ? "yes" : "no";
}
