import { peopleNeeded } from "../approval/eligible.ts";
import { addAlwaysRule, alwaysLock, alwaysText } from "../config/always-rules.ts";
import type { Environment } from "../config/environment.ts";
import { openConditions } from "../config/open-conditions.ts";
import { openTrust, type Trusted } from "../config/trust.ts";
import type { TouchVerdict } from "../domain/call.ts";
import { type Digest, digestOfText } from "../domain/digest.ts";
import { isoTime } from "../domain/iso-time.ts";
import type { JsonObject } from "../domain/json.ts";
import type { Refusal } from "../domain/outcome.ts";
import type { ShownPlan } from "../domain/question.ts";
import { CONFIRMATION } from "../pipeline/judge.ts";
import type { Clock } from "../ports/clock.ts";
import type { Journal } from "../ports/journal.ts";
import { containsMarker } from "../redact/marker.ts";
import { narrowestRule } from "../rules/narrowest-rule.ts";
import type { GrantSource, RuleSource } from "../rules/rule.ts";
import { compileRules } from "../rules/rule-set.ts";
import { whileLocked } from "../store/sqlite/locked-file.ts";
import type { LiveRules } from "./live-rules.ts";

export type Proposal =
  | ProposedRule
  /** Why there is no rule that would give this answer. */
  | { readonly ok: false; readonly because: string; readonly hint?: string };

export interface ProposedRule {
  readonly ok: true;
  readonly rule: RuleSource;
  /** As it will be saved, and so as it has to be shown. */
  readonly text: string;
  /** Of the text: who says always says it to this one. */
  readonly digest: Digest;
}

/** Who said always, and to which question. */
export interface SaidAlways {
  /** As the door has verified it. */
  readonly who: string;
  readonly approvalId: string;
}

export type SavedRule =
  /** Not in force: what else is in the settings does not load now. */
  | { readonly ok: true; readonly ruleId: string; readonly isInForce: boolean }
  | { readonly ok: false; readonly message: string; readonly hint?: string };

export interface AlwaysParts {
  readonly stateDir: string;
  readonly workspace: string;
  readonly environment: Environment;
  readonly rules: LiveRules;
  readonly clock: Clock;
  readonly journal: Pick<Journal, "note" | "questions">;
}

/** What "always" would save, and saving it. */
export class Always {
  readonly #parts: AlwaysParts;

  constructor(parts: AlwaysParts) {
    this.#parts = parts;
  }

  /** The narrowest rule that gives this answer from now on. */
  propose({ plan, touches, approvers }: ShownPlan, answer: "approve" | "reject"): Proposal {
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
    if (answer === "approve" && peopleNeeded({ ...(approvers && { approvers }) }) > 1) {
      return {
        ok: false,
        because: "several people have to say yes to this each time, and always would be the word of one",
        hint: "write the rule yourselves",
      };
    }
    const effect = answer === "approve" ? "allow" : "deny";
    const grants = answer === "approve" ? grantsOf(asked, rules.current().sources) : [];
    if (grants.length > 1) return { ok: false, because: "its commands are let run by rules with different grants" };
    const touched = asked.map(({ touch }) => touch);
    // A rule that names the mark instead of the secret would cover something else.
    if (containsMarker(JSON.stringify(touched)))
      return { ok: false, because: "it names a secret, which no rule may hold" };
    const wanted = { effect, tool: plan.tool, touches: touched, workspace, grant: grants[0] } as const;
    const narrowest = narrowestRule(wanted);
    if (!narrowest.ok) return narrowest;
    const { rule } = narrowest;
    if (!compileRules([rule], { workspace, conditions: openConditions() }).ok)
      return { ok: false, because: "no rule can name exactly this" };
    const text = alwaysText(rule);
    return { ok: true, rule, text, digest: digestOfText(text) };
  }

  /**
   * In force at once, here and in every gate on this state. INVARIANT (told first): the ledger knows who said it, and to
   * what, before anything is written.
   */
  async save({ rule, digest }: ProposedRule, said: SaidAlways): Promise<SavedRule> {
    const { rules } = this.#parts;
    const ruleId = rule.id;
    const told = await this.#tell("policy.always", said, { rule: rule as unknown as JsonObject, digest, ruleId });
    if (told !== null) return { ok: false, ...told };
    const saved = await this.#add(rule);
    if (!saved.ok) {
      const { message } = saved;
      await this.#tell("policy.refused", said, { message, ruleId, rulesHash: rules.current().hash });
      return saved;
    }
    await rules.reload();
    return { ok: true, ruleId, isInForce: rules.current().sources.some(({ id }) => id === ruleId) };
  }

  /** INVARIANT (none lost): the file is read, and another put in its place, by one process at a time. */
  async #add(rule: RuleSource): Promise<Trusted> {
    const { stateDir, environment, clock } = this.#parts;
    const add = () => addAlwaysRule(stateDir, rule, openTrust(environment), clock.nowMs());
    const added = await whileLocked(alwaysLock(stateDir), clock, add);
    if (added.ok) return added.value;
    return { ok: false, message: `the rule can't be saved now (${added.reason})`, hint: "say it again" };
  }

  /** Null: the ledger has it, with the call that it is about. */
  async #tell(
    kind: "policy.always" | "policy.refused",
    { who, approvalId }: SaidAlways,
    body: JsonObject,
  ): Promise<Pick<Refusal, "message"> | null> {
    const { journal, clock } = this.#parts;
    const question = await journal.questions.find(approvalId);
    if (question === null) return { message: "there is no such question" };
    const { project, sessionId, callId, shown } = question;
    const about = { project, sessionId, callId, planDigest: shown.digest };
    const at = isoTime(clock.nowMs());
    const noted = await journal.note({ at, kind, ...about, actor: who.toWellFormed(), body: { approvalId, ...body } });
    return noted.kind === "failed" ? noted.refusal : null;
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
