import { addAlwaysRule, alwaysText } from "../config/always-rules.ts";
import type { Environment } from "../config/environment.ts";
import { openTrust, type Trusted } from "../config/trust.ts";
import type { TouchVerdict } from "../domain/call.ts";
import type { ShownPlan } from "../domain/question.ts";
import { CONFIRMATION } from "../pipeline/judge.ts";
import { narrowestRule } from "../rules/narrowest-rule.ts";
import type { GrantSource, RuleSource } from "../rules/rule.ts";
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
    const grants = answer === "approve" ? grantsOf(asked, rules.current().sources) : [];
    if (grants.length > 1) return { ok: false, because: "its commands are let run by rules with different grants" };
    const touched = asked.map(({ touch }) => touch);
    const wanted = { effect, tool: plan.tool, touches: touched, workspace, grant: grants[0] } as const;
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

/**
 * What the rules that asked about its commands grant them. The new rule speaks in their place, so without it the next call
 * would be let run and could not do what the person said yes to.
 */
function grantsOf(
  asked: readonly TouchVerdict[],
  sources: readonly RuleSource[],
): readonly (GrantSource | undefined)[] {
  const ids = new Set(asked.flatMap(({ touch, ruleId }) => (touch.kind === "exec" ? [ruleId] : [])));
  const grants = sources.filter(({ id }) => ids.has(id)).map(({ grant }) => grant);
  return grants.filter((one, at) => grants.findIndex((other) => sameJson(one, other)) === at);
}

const sameJson = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
