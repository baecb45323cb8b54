import type { Approvers } from "../domain/approvers.ts";
import type { AutomaticAnswer } from "../domain/automatic-answer.ts";
import type { JudgedCall } from "../domain/call.ts";
import type { Digest } from "../domain/digest.ts";
import type { Feedback } from "../domain/feedback.ts";
import type { JsonObject } from "../domain/json.ts";
import { isFileTouch } from "../domain/touch.ts";
import type { Automatic } from "../ports/automatic.ts";
import type { Clock } from "../ports/clock.ts";
import type { Files } from "../ports/files.ts";
import type { Governors } from "../ports/governor.ts";
import type { Redactor } from "../redact/redactor.ts";
import type { AutoApproval, AutoObjection } from "../rules/auto-approval.ts";
import { peopleNeeded, whyNotEligible } from "./eligible.ts";
import { hearGovernors } from "./hear-governors.ts";
import { heardAnswer } from "./heard-answer.ts";
import { possiblePaths, touchedPaths } from "./touched-paths.ts";

export interface AutomaticParts {
  /** In force now. */
  readonly policies: () => readonly AutoApproval[];
  /** Those of the policies that object, for what rules can't see. */
  readonly objections: () => readonly AutoObjection[];
  /** Null: there are none. */
  readonly governors: () => Promise<Governors> | null;
  /** Of both. */
  readonly hash: () => Digest | null;
  readonly files: Pick<Files, "locate">;
  readonly clock: Clock;
  readonly redactor: Redactor;
  /** Whom the rules want to hear about a call. */
  readonly approversOf: (call: JudgedCall) => readonly Approvers[];
}

interface InForce {
  readonly policies: readonly AutoApproval[];
  readonly objections: readonly AutoObjection[];
  readonly governors: Promise<Governors> | null;
}

const NONE: readonly never[] = [];
const NOBODY: Governors = { governors: [], stopOnFirstReject: false, autoDecision: null };

/** Auto-approvals answer questions; governors hear every call, also one that a rule allows. */
export class AutomaticAnswers implements Automatic {
  readonly #parts: AutomaticParts;

  constructor(parts: AutomaticParts) {
    this.#parts = parts;
  }

  hear(call: JudgedCall, signal: AbortSignal): Promise<AutomaticAnswer> | null {
    const governors = this.#parts.governors();
    const policies = call.verdict.effect === "ask" ? this.#parts.policies() : NONE;
    const objections = this.#objectionsTo(call);
    if (governors === null && policies.length === 0 && objections.length === 0) return null;
    return this.#hear(call, { policies, objections, governors }, signal);
  }

  async foresee(call: JudgedCall): Promise<readonly string[]> {
    const governors = (await this.#parts.governors())?.governors ?? [];
    const policies = call.verdict.effect === "ask" ? this.#parts.policies() : NONE;
    const [policy] = await this.#approving(call, policies);
    const who = policy && `policy:${policy.id}`;
    const objecting = await this.#objecting(call, this.#objectionsTo(call));
    return [
      ...(who !== undefined && this.#isEnough(call, who) ? [`\`${who}\` would answer this question`] : []),
      ...objecting.map(({ id }) => `\`policy:${id}\` would object`),
      ...governors.map(({ id }) => `\`governor:${id}\` would be heard before it starts`),
    ];
  }

  hash(): Digest | null {
    return this.#parts.hash();
  }

  isGoverned(): boolean {
    return this.#parts.governors() !== null;
  }

  async #hear(
    call: JudgedCall,
    { policies, objections, governors }: InForce,
    signal: AbortSignal,
  ): Promise<AutomaticAnswer> {
    const all = (await governors) ?? NOBODY;
    const [approving, objecting, feedback] = await Promise.all([
      this.#approving(call, policies),
      this.#objecting(call, objections),
      this.#feedback(call, all, signal),
    ]);
    const answer = heardAnswer({
      policies: approving,
      objections: objecting,
      feedback,
      autoDecision: all.autoDecision,
    });
    return answer.kind === "approve" && !this.#isEnough(call, answer.who) ? { kind: "silent", feedback } : answer;
  }

  /** Nobody's, of nearly all calls, which must not pay for those of others. */
  #objectionsTo(call: JudgedCall): readonly AutoObjection[] {
    const objections = this.#parts.objections();
    return objections.length === 0 || isSeenByRules(call) ? NONE : objections;
  }

  async #approving(call: JudgedCall, policies: readonly AutoApproval[]): Promise<readonly AutoApproval[]> {
    if (policies.length === 0) return [];
    const { tool, input, touches } = call.plan;
    const approvable = { tool, input, touches, paths: await touchedPaths(call, this.#parts.files) };
    return policies.filter((policy) => policy.approves(approvable));
  }

  async #objecting(call: JudgedCall, objections: readonly AutoObjection[]): Promise<readonly AutoObjection[]> {
    if (objections.length === 0) return [];
    const { tool, input } = call.plan;
    const paths = await possiblePaths(call, this.#parts.files);
    return objections.filter((policy) => policy.objects({ tool, input, paths }));
  }

  async #feedback(call: JudgedCall, all: Governors, signal: AbortSignal): Promise<readonly Feedback[]> {
    if (all.governors.length === 0) return [];
    return await hearGovernors(all, this.#questionAbout(call), { clock: this.#parts.clock }, signal);
  }

  /** INVARIANT (people): where a rule wants to hear somebody, or two of them, nothing automatic stands in for them. */
  #isEnough(call: JudgedCall, who: string): boolean {
    const approvers = this.#parts.approversOf(call);
    const shown = { approvers, actor: call.actor };
    return peopleNeeded(shown) === 1 && whyNotEligible(shown, { who, roles: [] }) === null;
  }

  /** What operators' programs are told: everything that a person would be shown, without the values of secrets. */
  #questionAbout({ callId, session, plan, verdict, seal, actor }: JudgedCall): JsonObject {
    const { tool, input, touches } = plan;
    const { effect: decision, ruleId, risk } = verdict;
    const toolCall = { toolId: tool, name: tool, parameters: input, touches, risk, decision, ruleId, actor };
    const question = { phase: "permission", taskId: callId, sessionId: session.id, toolCall, planDigest: seal.digest };
    return this.#parts.redactor.certain.redactJson(question).value as unknown as JsonObject;
  }
}

/** Its touches are all that it does, and policies that object are rules about those. */
const isSeenByRules = ({ plan, tool }: JudgedCall): boolean =>
  tool.definition.source === "builtin" || plan.touches.every(isFileTouch);
