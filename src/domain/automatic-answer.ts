import type { Feedback, FeedbackStatus } from "./feedback.ts";

/** What something other than a person says to a call, and who was heard. */
export type AutomaticAnswer = Heard & {
  readonly feedback: readonly Feedback[];
};

type Heard =
  /** `policy:docs-edits`, or the governors by name. `optionId` as the policy's file has it. */
  | {
      readonly kind: "approve";
      readonly who: string;
      readonly reason: string | null;
      readonly optionId: string | null;
      /** Governors were heard, and their doubts don't count: only a no does. */
      readonly skipsGovernors: boolean;
    }
  | { readonly kind: "reject"; readonly who: string; readonly reason: string | null }
  /** Somebody wants a person to look, whatever the rules allow. */
  | { readonly kind: "person"; readonly who: string; readonly reason: string }
  /** Nobody objects, and nobody answers. */
  | { readonly kind: "silent" };

const WORDS = {
  approve: "Approve",
  reject: "Reject",
  needs_attention: "Needs attention",
  error: "Error",
} as const satisfies Record<FeedbackStatus, string>;

/** As the file of policies has them. */
const POLICY_WORDS = { approve: "approve", reject: "reject", person: "manual" } as const;

/** A line for each who was heard, as the A2A-ACP system writes them. */
export const summaryOf = (answer: AutomaticAnswer): readonly string[] => [
  ...(answer.kind !== "silent" && answer.who.startsWith("policy:")
    ? [`[${answer.who}] ${POLICY_WORDS[answer.kind]}`]
    : []),
  ...answer.feedback.map(({ id, status, messages: [message] }) =>
    message === undefined ? `[${id}] ${WORDS[status]}` : `[${id}] ${WORDS[status]}: ${message}`,
  ),
];
