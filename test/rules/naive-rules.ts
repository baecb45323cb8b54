import type { CallFacts } from "../../src/domain/call-facts.ts";
import type { Effect } from "../../src/domain/decision.ts";
import type { Touch } from "../../src/domain/touch.ts";
import type { RuleSource } from "../../src/rules/rule.ts";
import { CONDITIONS } from "./naive-conditions.ts";

/*
 * The semantics of rules once more, as slow and plain as the design page says them, and sharing nothing with `src/rules`:
 * no index, no order, recursion instead of loops.
 */

export interface NaiveVerdict {
  readonly effect: Effect;
  readonly ruleId: string | null;
  readonly isFault: boolean;
}

export function naiveJudge(
  rules: readonly RuleSource[],
  workspace: string,
  touch: Touch,
  facts: CallFacts,
): NaiveVerdict {
  const selecting = rules.filter((rule) => naiveSelects(rule, workspace, touch, facts));
  return (
    strictest(
      selecting.filter((rule) => rule.otherwise !== true),
      touch,
      facts,
    ) ??
    strictest(
      selecting.filter((rule) => rule.otherwise === true),
      touch,
      facts,
    ) ?? {
      effect: "deny",
      ruleId: null,
      isFault: false,
    }
  );
}

/** A rule that can't be decided denies; else the strictest effect counts, and of equals the first. */
function strictest(rules: readonly RuleSource[], touch: Touch, facts: CallFacts): NaiveVerdict | null {
  const ordered = (["deny", "ask", "allow"] as const).flatMap((effect) => rules.filter((one) => one.effect === effect));
  const answers = ordered.flatMap((rule): NaiveVerdict[] => {
    const answer = rule.when === undefined ? true : CONDITIONS[rule.when]?.(touch, facts);
    if (answer === false) return [];
    return [{ effect: answer === "fault" ? "deny" : rule.effect, ruleId: rule.id, isFault: answer === "fault" }];
  });
  return answers.find(({ effect }) => effect === "deny") ?? answers[0] ?? null;
}

function naiveSelects(rule: RuleSource, workspace: string, touch: Touch, facts: CallFacts): boolean {
  if (rule.tools && !rule.tools.some((pattern) => glob([...pattern], [...facts.tool]))) return false;
  if (rule.containment && !rule.containment.includes(facts.containment)) return false;
  if (rule.sandbox && !(facts.sandbox && rule.sandbox.includes(facts.sandbox))) return false;
  // What is not on the internet is let through by its own name only.
  const isLocal = touch.kind === "connect" && LOCAL_HOSTS.test(touch.host) && rule.effect === "allow";
  if (!rule.touch) return !isLocal && !(rule.effect === "allow" && touch.kind === "unknown");
  switch (touch.kind) {
    case "unknown":
      return rule.touch.unknown === true;
    case "connect":
      return (rule.touch.connect ?? []).some(
        (pattern) =>
          naiveHostMatches(pattern, touch.host, touch.port) && !(isLocal && pattern.slice(0, -1).includes("*")),
      );
    case "model":
      return (rule.touch.model ?? []).some((pattern) => glob([...pattern], [...`${touch.provider}/${touch.model}`]));
    case "tool":
      return (rule.touch.tool ?? []).some((pattern) => glob([...pattern], [...touch.name]));
    case "read":
    case "write":
    case "delete":
      return (rule.touch[touch.kind] ?? []).some((pattern) => naivePathMatches(pattern, workspace, touch.path));
    default:
      return false;
  }
}

/** As far as the generated touches go. */
const LOCAL_HOSTS = /^(?:127\..*|10\..*|192\.168\..*|::1|(?:.*\.)?localhost)$/;

export function naivePathMatches(pattern: string, workspace: string, path: string): boolean {
  const absolute = pattern === "." ? workspace : pattern.startsWith("./") ? workspace + pattern.slice(1) : pattern;
  return components(split(absolute), split(path));
}

function naiveHostMatches(pattern: string, host: string, port: number): boolean {
  const at = pattern.lastIndexOf(":");
  const [wantedHost, wantedPort] = [pattern.slice(0, at).replace(/^\[|\]$/g, ""), pattern.slice(at + 1)];
  if (wantedPort !== "*" && Number(wantedPort) !== port) return false;
  if (wantedHost === "*") return true;
  const [first = "", ...labels] = wantedHost.split(".");
  const isBelow = host.endsWith(`.${labels.join(".")}`);
  return first === "*" ? isBelow : first === "**" ? isBelow || host === labels.join(".") : host === wantedHost;
}

const split = (path: string): string[] => path.split("/").filter((name) => name !== "");

function components([pattern, ...patterns]: readonly string[], names: readonly string[]): boolean {
  if (pattern === undefined) return names.length === 0;
  if (pattern === "**") return names.some((_, i) => components(patterns, names.slice(i))) || components(patterns, []);
  const [name, ...rest] = names;
  return name !== undefined && glob([...pattern], [...name]) && components(patterns, rest);
}

function glob([token, ...tokens]: readonly string[], text: readonly string[]): boolean {
  if (token === undefined) return text.length === 0;
  if (token === "*") return glob(tokens, text) || (text.length > 0 && glob([token, ...tokens], text.slice(1)));
  return text.length > 0 && (token === "?" || token === text[0]) && glob(tokens, text.slice(1));
}
