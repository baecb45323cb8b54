import { digestOf } from "../domain/digest.ts";
import { type ExecTouch, isFileTouch, type Touch, type Word } from "../domain/touch.ts";
import { literalPattern } from "./path-component.ts";
import type { RuleSource } from "./rule.ts";
import type { TouchSelector } from "./touch-selector.ts";

/** The rule that "always" stores, and the text that is shown before it is saved; or why there can be none. */
export type NarrowestRule = { readonly rule: RuleSource; readonly yaml: string } | { readonly reason: string };

/**
 * Covers what was shown and nothing else: each command word for word, and the command itself, never what it was started
 * through. `timeout 5 npm test` becomes `npm test`.
 */
export function narrowestRule(tool: string, touches: readonly Touch[], workspace: string): NarrowestRule {
  const found = new Map<keyof TouchSelector, Set<string>>();
  for (const touch of touches) {
    const named = namedBy(touch, workspace);
    if ("reason" in named) return named;
    found.set(named.kind, (found.get(named.kind) ?? new Set()).add(named.pattern));
  }
  const touch: TouchSelector = Object.fromEntries([...found].map(([kind, patterns]) => [kind, [...patterns]]));
  const id = `always-${digestOf({ tool, touch }).slice(0, 12)}`;
  const rule: RuleSource = { id, effect: "allow", tools: [tool], touch, because: "Somebody answered with always." };
  return { rule, yaml: yamlFrom(rule, touch) };
}

type Named = { readonly kind: keyof TouchSelector; readonly pattern: string } | { readonly reason: string };

function namedBy(touch: Touch, workspace: string): Named {
  if (isFileTouch(touch)) {
    if (touch.tree === true) return { reason: "a whole folder is touched, which is a rule to be written by hand" };
    return { kind: touch.kind, pattern: pathPattern(touch.path, workspace) };
  }
  switch (touch.kind) {
    case "exec":
      return namedCommand(touch);
    case "connect":
      return { kind: "connect", pattern: `${touch.host.includes(":") ? `[${touch.host}]` : touch.host}:${touch.port}` };
    case "tool":
      return { kind: "tool", pattern: touch.name };
    case "unknown":
      return { reason: `what can't be read can't be allowed once for all: ${touch.reason}` };
    default:
      return { reason: `no rule can name what a \`${touch.kind}\` touch does` };
  }
}

function namedCommand({ argv, env = [], origin }: ExecTouch): Named {
  const words = [...env, ...argv];
  const unknown = words.find(({ known }) => !known);
  if (unknown !== undefined)
    return { reason: `\`${unknown.text}\` is known only when it runs, and may be another thing then` };
  if (origin === "elsewhere") return { reason: `the program \`${argv[0]?.text}\` lies where it can be changed` };
  if (origin === "nowhere") return { reason: `there is no program \`${argv[0]?.text}\` in a toolchain` };
  const pattern = words.map(patternWord).join(" ");
  if (pattern.length > PATTERN_MAX) return { reason: "the command is too long for a rule that a person can read" };
  return { kind: "exec", pattern };
}

/** As long as a config may write it. */
const PATTERN_MAX = 5000;

/** As `commandWords` reads it back. */
const patternWord = ({ text }: Word): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

function pathPattern(path: string, workspace: string): string {
  const below = workspace === "/" ? "/" : `${workspace}/`;
  return path.startsWith(below) ? `./${literalPattern(path.slice(below.length))}` : literalPattern(path);
}

/** JSON texts are YAML texts. */
function yamlFrom({ id, effect, tools = [], because }: RuleSource, touch: TouchSelector): string {
  const listed = (texts: readonly string[]): string => `[${texts.map((text) => JSON.stringify(text)).join(", ")}]`;
  const kinds = Object.entries(touch).map(
    ([kind, patterns]) => `      ${kind}: ${listed(patterns as readonly string[])}`,
  );
  return [
    `  - id: ${id}`,
    `    effect: ${effect}`,
    `    tools: ${listed(tools)}`,
    "    touch:",
    ...kinds,
    `    because: ${JSON.stringify(because)}`,
    "",
  ].join("\n");
}
