import { addAlwaysRule, alwaysText } from "../config/always-rules.ts";
import type { Environment } from "../config/environment.ts";
import { openTrust, type Trusted } from "../config/trust.ts";
import type { ShownPlan } from "../domain/question.ts";
import { CONFIRMATION } from "../pipeline/judge.ts";
import { narrowestRule } from "../rules/narrowest-rule.ts";
import type { RuleSource } from "../rules/rule.ts";
import { compileRules } from "../rules/rule-set.ts";
import type { LiveRules } from "./live-rules.ts";

export type Proposal =
  | { readonly ok: true; readonly rule: RuleSource /** As it will be saved. */; readonly text: string }
  | { readonly ok: false; readonly because: string; readonly hint?: string };

export interface AlwaysParts {
  readonly stateDir: string;
  readonly workspace: string;
  readonly environment: Environment;
  readonly rules: LiveRules;
  readonly nowMs: () => number;
}

/** What "always" would save, and saving it. */
export class Always {
  readonly #parts: AlwaysParts;

  constructor(parts: AlwaysParts) {
    this.#parts = parts;
  }

  /** The narrowest rule that gives this answer from now on. */
  propose({ plan, touches }: ShownPlan, answer: "approve" | "reject"): Proposal {
    const { rules, workspace } = this.#parts;
    const asked = touches.filter(({ effect }) => effect === "ask");
    const plain = asked.find(({ ruleId }) => ruleId !== null && !rules.current().isOtherwise(ruleId));
    if (answer === "approve" && plain !== undefined) {
      return {
        ok: false,
        because: `the rule \`${plain.ruleId}\` asks whatever other rules allow`,
        hint:
          plain.ruleId === CONFIRMATION
            ? "the tool's own `requires_confirmation` says so"
            : `edit that rule, or mark it \`otherwise: true\``,
      };
    }
    const effect = answer === "approve" ? "allow" : "deny";
    const wanted = { effect, tool: plan.tool, touches: asked.map(({ touch }) => touch), workspace } as const;
    const narrowest = narrowestRule(wanted);
    if (!narrowest.ok) return narrowest;
    const { rule } = narrowest;
    return compileRules([rule], { workspace }).ok
      ? { ok: true, rule, text: alwaysText(rule) }
      : { ok: false, because: "no rule can name exactly this" };
  }

  /** In force at once, here and in every gate on this state. */
  async save(rule: RuleSource): Promise<Trusted> {
    const { stateDir, environment, rules, nowMs } = this.#parts;
    const saved = addAlwaysRule(stateDir, rule, openTrust(environment), nowMs());
    if (saved.ok) await rules.reload();
    return saved;
  }
}
