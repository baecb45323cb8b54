import { BUILTIN_NAMES } from "../domain/builtin-names.ts";
import { quoted } from "../domain/visible.ts";
import type { RuleContext } from "../rules/compile-rule.ts";
import { compileNamePattern } from "../rules/name-pattern.ts";
import type { RuleSource } from "../rules/rule.ts";
import type { ExampleResult } from "../rules/rule-examples.ts";
import { compileRules, type RuleSet } from "../rules/rule-set.ts";
import type { Path } from "../schema/mismatch.ts";
import { BUILT_IN_PREFIX } from "./built-in-rules.ts";
import type { ConfigProblem } from "./config-problem.ts";
import type { ShapeProblem } from "./config-shape.ts";
import { placed, type YamlSource } from "./yaml-source.ts";

/** A rule of good shape, and where it is written. */
export interface GivenRule {
  readonly rule: RuleSource;
  readonly at: Path;
  readonly source: Pick<YamlSource, "file" | "document">;
}

export interface ConfigRules {
  /** Null = there are problems. */
  readonly rules: RuleSet | null;
  readonly problems: readonly ConfigProblem[];
  /** No mistakes, but worth knowing. */
  readonly notes: readonly ConfigProblem[];
  readonly examples: readonly ExampleResult[];
}

/** The config's rules behind the built-in ones. What is wrong with those is a problem of the config as a whole. */
export function compileConfigRules(
  given: readonly GivenRule[],
  builtIn: readonly RuleSource[],
  context: RuleContext,
  main: GivenRule["source"],
): ConfigRules {
  const reserved = given.filter(({ rule }) => rule.id.startsWith(BUILT_IN_PREFIX));
  const own = given.filter((one) => !reserved.includes(one));
  const compiled = compileRules([...builtIn, ...own.map(({ rule }) => rule)], context);
  const found = compiled.ok ? [] : compiled.problems;
  const problems = [
    ...reserved.map(({ rule, at, source }) => placed(reservedId(rule.id, at), source)),
    ...found.map(({ ruleIndex, field, ...problem }) => {
      const one = own[ruleIndex - builtIn.length];
      const path = one === undefined ? [] : [...one.at, ...pathFromField(field)];
      return placed({ path, what: "value", ...problem }, one?.source ?? main);
    }),
  ];
  return {
    rules: compiled.ok && reserved.length === 0 ? compiled.rules : null,
    problems,
    notes: [...own.filter(({ rule }) => rule.options === "any").map(openOptions), ...own.flatMap(openEverywhere)],
    examples: compiled.examples,
  };
}

function openOptions({ rule, at, source }: GivenRule): ConfigProblem {
  const message = `\`options: any\` lets ${quoted(rule.touch?.exec?.join(", ") ?? "")} take options that are not known to be harmless`;
  return placed({ path: [...at, "options"], what: "value", message }, source);
}

function openEverywhere({ rule, at, source }: GivenRule): readonly ConfigProblem[] {
  const tools = fileToolsEverywhere(rule);
  return tools.length === 0 ? [] : [placed(everywhere(tools, at), source)];
}

/** The file tools that an allow rule lets work on all of the machine, since it has no `touch` that says where. */
function fileToolsEverywhere({ effect, touch, tools, when, containment }: RuleSource): readonly string[] {
  const isLimited = touch !== undefined || when !== undefined || containment?.includes("process") === false;
  if (effect !== "allow" || isLimited) return [];
  const patterns = (tools ?? ["*"]).map(compileNamePattern);
  return BUILTIN_NAMES.files.filter((name) => patterns.some((one) => !("error" in one) && one.matches(name)));
}

const everywhere = (tools: readonly string[], at: Path): ShapeProblem => ({
  path: at,
  what: "value",
  message: `this lets ${tools.map((name) => `\`${name}\``).join(", ")} work on every file of the machine`,
  hint: 'say where: `touch: { read: ["./**"] }`',
});

const reservedId = (id: string, at: Path): ShapeProblem => ({
  path: [...at, "id"],
  what: "value",
  message: `the id ${quoted(id)} begins with \`${BUILT_IN_PREFIX}\`, which is for the gate's own rules`,
  hint: "give the rule another id",
});

/** `touch.read[1]` as `["touch", "read", 1]`: fields of rules have no other characters. */
const pathFromField = (field: string): Path =>
  Array.from(field.matchAll(/[a-zA-Z]+|\d+/g), ([step]) => (/^\d/.test(step) ? Number(step) : step));
