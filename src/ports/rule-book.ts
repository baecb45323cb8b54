import type { TouchVerdict } from "../domain/call.ts";
import type { CallFacts } from "../domain/call-facts.ts";
import type { Digest } from "../domain/digest.ts";
import type { Touch } from "../domain/touch.ts";

/** The rules in force, judged one touch at a time. Pure: an erring rule is a deny. */
export interface Rules {
  readonly hash: Digest;
  readonly judge: (touch: Touch, facts: CallFacts) => TouchVerdict;
}

/** Which rules are in force now. They may have changed since the last question. */
export interface RuleBook {
  readonly current: () => Rules;
}
