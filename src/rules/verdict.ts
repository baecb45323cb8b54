import type { TouchVerdict } from "../domain/call.ts";
import type { Touch } from "../domain/touch.ts";
import type { Rule } from "./rule.ts";

export const covered = (touch: Touch, { effect, id, because }: Rule): TouchVerdict => ({
  touch,
  effect,
  ruleId: id,
  because,
});

export const faulty = (touch: Touch, { id, because }: Rule, fault: string): TouchVerdict => ({
  touch,
  effect: "deny",
  ruleId: id,
  because,
  fault,
});

export const uncovered = (touch: Touch, because: string | null = null): TouchVerdict => ({
  touch,
  effect: "deny",
  ruleId: null,
  because,
});
