import type { PersonsAnswer, ShownPlan } from "../../src/domain/question.ts";
import type { Approver } from "../../src/ports/desk.ts";

/** Somebody who thinks until a test says what they say. */
export interface OpenApprover {
  readonly approver: Approver;
  /** The question is in front of them. */
  readonly asked: Promise<ShownPlan>;
  readonly answer: (answer: PersonsAnswer | null) => void;
  /** Of the last question. */
  readonly signal: () => AbortSignal | undefined;
}

export const YES: PersonsAnswer = { kind: "approve", who: "ann" };
export const NO: PersonsAnswer = { kind: "reject", who: "ann" };

export function openApprover(): OpenApprover {
  const asked = Promise.withResolvers<ShownPlan>();
  const answered = Promise.withResolvers<PersonsAnswer | null>();
  let last: AbortSignal | undefined;
  return {
    approver: {
      ask: (question, _deadlineMs, signal) => {
        last = signal;
        asked.resolve(question);
        return answered.promise;
      },
    },
    asked: asked.promise,
    answer: answered.resolve,
    signal: () => last,
  };
}
