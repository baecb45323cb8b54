import type { Effect } from "../domain/decision.ts";
import { isLocalHost } from "../domain/host.ts";
import type { ExecTouch, FileTouch, Touch } from "../domain/touch.ts";
import { hostSteps } from "./connect-pattern.ts";
import { modelText } from "./model-pattern.ts";
import type { Coverage, Pattern } from "./pattern.ts";

/** For kinds of touch that no pattern speaks about. */
const NAMELESS: readonly string[] = [];

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
    case "model":
      return modelText(touch);
    case "tool":
      return touch.name;
    default:
      return "";
  }
}

/** From the general to the special: labels of a host from the right, or one name. Paths and commands are walked as they are. */
export function stepsOf(touch: Exclude<Touch, FileTouch | ExecTouch>): readonly string[] {
  switch (touch.kind) {
    case "connect":
      return hostSteps(touch.host);
    case "model":
      return [modelText(touch)];
    case "tool":
      return [touch.name];
    case "git":
      return [touch.operation];
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
