import type { Effect } from "../domain/decision.ts";
import { isLocalHost } from "../domain/host.ts";
import type { FileTouch, Touch } from "../domain/touch.ts";
import { commandSteps, moreCommandSteps, type Steps } from "./command-steps.ts";
import { hostSteps } from "./connect-pattern.ts";
import type { Coverage, Pattern } from "./pattern.ts";

/** What a touch is about, in the form that the index walks. */
export interface Subject extends Steps {
  /** Other names for the same, under which rules may speak about it. */
  readonly more?: readonly Steps[];
}

/** For kinds of touch that no pattern speaks about. */
const NAMELESS: Subject = { steps: [] };

/** What patterns match; empty for kinds of touch that no pattern of texts speaks about. */
export function textOf(touch: Touch): string {
  switch (touch.kind) {
    case "read":
    case "write":
    case "delete":
      return touch.path;
    case "connect":
      return `${touch.host}:${touch.port}`;
    case "git":
      return touch.operation;
    case "tool":
      return touch.name;
    default:
      return "";
  }
}

/** Of touches that are no files: a path is walked as it is. */
export function subjectOf(touch: Exclude<Touch, FileTouch>): Subject {
  switch (touch.kind) {
    case "connect":
      return { steps: hostSteps(touch.host) };
    case "tool":
      return { steps: [touch.name] };
    case "git":
      return { steps: [touch.operation] };
    case "exec": {
      const own = commandSteps(touch.argv);
      const more = moreCommandSteps(touch);
      return more === null ? own : { ...own, more };
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
