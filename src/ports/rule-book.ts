import type { Approvers } from "../domain/approvers.ts";
import type { TouchVerdict } from "../domain/call.ts";
import type { CallFacts } from "../domain/call-facts.ts";
import type { Digest } from "../domain/digest.ts";
import type { Grant } from "../domain/plan.ts";
import type { Touch } from "../domain/touch.ts";

/** The rules in force, judged one touch at a time. Pure: an erring rule is a deny. */
export interface Rules {
  readonly hash: Digest;
  /** Who has to say yes; left out: anybody who may answer questions. */
  readonly approvers?: (verdicts: readonly TouchVerdict[], facts: CallFacts) => readonly Approvers[];
  readonly judge: (touch: Touch, facts: CallFacts) => TouchVerdict;
  /** What the programs of a call may do by themselves, and what rules say of that; null = it runs none. */
  readonly grant: (request: {
    readonly facts: CallFacts;
    readonly verdicts: readonly TouchVerdict[];
  }) => { readonly grant: Grant; readonly spoken: readonly TouchVerdict[] } | null;
}

/** Which rules are in force now. They may have changed since the last question. */
export interface RuleBook {
  readonly current: () => Rules;
}
