import type { Feedback } from "./feedback.ts";

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
