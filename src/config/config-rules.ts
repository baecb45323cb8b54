import { quoted } from "../domain/visible.ts";
import type { RuleSource } from "../rules/rule.ts";
import { compileRules, type RuleSet } from "../rules/rule-set.ts";
import type { Path } from "../schema/mismatch.ts";
import { BUILT_IN_PREFIX } from "./built-in-rules.ts";
import type { ShapeProblem } from "./config-shape.ts";

export type ConfigRules =
  | { readonly ok: true; readonly rules: RuleSet }
  | { readonly ok: false; readonly problems: readonly ShapeProblem[] };

/** The config's rules behind the built-in ones. `null` stands for a rule whose shape is bad already. */
export function compileConfigRules(
  given: readonly (RuleSource | null)[],
  builtIn: readonly RuleSource[],
  workspace: string,
): ConfigRules {
  const numbered = given.flatMap((rule, index) => (rule === null ? [] : [{ rule, index }]));
  const reserved = numbered.filter(({ rule }) => rule.id.startsWith(BUILT_IN_PREFIX));
  const own = numbered.filter((one) => !reserved.includes(one));
  const compiled = compileRules([...builtIn, ...own.map(({ rule }) => rule)], { workspace });
  if (compiled.ok && reserved.length === 0) return compiled;

  const found = compiled.ok ? [] : compiled.problems;
  return {
    ok: false,
    problems: [
      ...reserved.map(({ rule, index }) => reservedId(rule.id, index)),
      ...found.map(({ ruleIndex, field, ...problem }): ShapeProblem => {
        const index = own[ruleIndex - builtIn.length]?.index;
        return {
          path: index === undefined ? [] : ["rules", index, ...pathFromField(field)],
          what: "value",
          ...problem,
        };
      }),
    ],
  };
}

const reservedId = (id: string, index: number): ShapeProblem => ({
  path: ["rules", index, "id"],
  what: "value",
  message: `the id ${quoted(id)} begins with \`${BUILT_IN_PREFIX}\`, which is for the gate's own rules`,
  hint: "give the rule another id",
});

/** `touch.read[1]` as `["touch", "read", 1]`: fields of rules have no other characters. */
const pathFromField = (field: string): Path =>
  Array.from(field.matchAll(/[a-zA-Z]+|\d+/g), ([step]) => (/^\d/.test(step) ? Number(step) : step));
