import type { Effect } from "../../src/domain/decision.ts";
import type { Touch } from "../../src/domain/touch.ts";
import type { RuleSource } from "../../src/rules/rule.ts";

/*
 * The semantics of rules once more, as slow and plain as the design page says them, and sharing nothing with `src/rules`:
 * no index, no order, recursion instead of loops.
 */

export function naiveJudge(rules: readonly RuleSource[], workspace: string, touch: Touch, tool: string) {
  const covering = rules.filter((rule) => naiveCovers(rule, workspace, touch, tool));
  const plain = covering.filter((rule) => rule.otherwise !== true);
  const speaking = plain.length > 0 ? plain : covering;
  for (const effect of ["deny", "ask", "allow"] satisfies Effect[]) {
    const first = speaking.find((rule) => rule.effect === effect);
    if (first) return { effect, ruleId: first.id };
  }
  return { effect: "deny", ruleId: null };
}

function naiveCovers(rule: RuleSource, workspace: string, touch: Touch, tool: string): boolean {
  if (rule.tools && !rule.tools.some((pattern) => glob([...pattern], [...tool]))) return false;
  if (!rule.touch) return !(rule.effect === "allow" && touch.kind === "unknown");
  if (touch.kind === "unknown") return rule.touch.unknown === true;
  if (!("path" in touch)) return false;
  return (rule.touch[touch.kind] ?? []).some((pattern) => naivePathMatches(pattern, workspace, touch.path));
}

export function naivePathMatches(pattern: string, workspace: string, path: string): boolean {
  const absolute = pattern === "." ? workspace : pattern.startsWith("./") ? workspace + pattern.slice(1) : pattern;
  return components(split(absolute), split(path));
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
