import type { TouchVerdict } from "../domain/call.ts";
import type { Refusal } from "../domain/outcome.ts";
import type { Plan } from "../domain/plan.ts";
import type { Touch } from "../domain/touch.ts";
import { touchInWords, uncoveredWord } from "../domain/touch-in-words.ts";

/** The refusal that a denied touch makes: which rule, why, and what to do next. */
export function deniedBy({ touch, ruleId, because, fault }: TouchVerdict, plan: Plan): Refusal {
  const what = touchInWords(touch, plan.workspace);
  if (ruleId === null) {
    return {
      code: "DEFAULT_DENY",
      stage: "judge",
      message: `no rule covers ${what}`,
      hint: `${wildcardHint(touch)}if it should be possible, add a rule ${coveringIt(touch)} to toolgate.yaml; \`toolgate explain ${typed(plan.tool)} JSON\` shows how each touch is judged`,
    };
  }
  if (fault !== undefined) {
    return {
      code: "POLICY_FAULT",
      stage: "judge",
      ruleId,
      message: `rule \`${ruleId}\` can't judge ${what}: ${fault}`,
      hint: "a rule that can't be decided denies; correct its condition, for instance by asking `has(…)` first",
    };
  }
  return {
    code: "RULE_DENY",
    stage: "judge",
    ruleId,
    message: `rule \`${ruleId}\` denies ${what}${because ? `: ${because}` : ""}`,
    hint: isOwn(ruleId)
      ? "it is a rule of the gate's own, which no other rule and no person can overrule"
      : "a deny can't be overruled by another rule or a person; if it is wrong, change that rule",
  };
}

function wildcardHint(touch: Touch): string {
  const word = uncoveredWord(touch);
  return word === null ? "" : `${word}; `;
}

/** What a rule has to say that covers it: of some touches more than a pattern. */
function coveringIt(touch: Touch): string {
  if (touch.kind === "unknown") return "with `touch: { unknown: true }`";
  return touch.kind === "exec" && touch.argv.some(({ known }) => !known) ? "with `dynamic: true` for it" : "for it";
}

/** Rules of a file have other ids, and nobody finds these in one. */
const isOwn = (ruleId: string): boolean => ruleId.startsWith("builtin:");

/** As somebody may paste it: the name of a resource can hold anything. */
const typed = (tool: string): string => (/^\w[\w./:-]*$/.test(tool) ? tool : "TOOL");
