import type { AlwaysRule } from "../src/client/answers.ts";
import type { ToolgateClient } from "../src/client/connect.ts";
import { el } from "./dom.ts";
import { foreignBlock } from "./shown.ts";

export type Kind = "approve" | "reject";

const LEAD = {
  approve: "This rule would be saved. From then on all that it covers runs, whoever calls, and nobody is asked:",
  reject: "This rule would be saved. From then on all that it covers is refused, whoever calls, and nobody is asked:",
} as const satisfies Record<Kind, string>;

/** The rule that would be saved, whole. */
export const ruleShown = (kind: Kind, text: string): HTMLElement =>
  el(
    "div",
    { class: "rule", tabindex: "-1", "aria-label": "the rule that would be saved" },
    el("p", {}, LEAD[kind]),
    foreignBlock(text.trimEnd()),
  );

/** Why there is none. */
export const noRuleInWords = ({ because = "no rule can be saved for this", hint }: AlwaysRule): string =>
  `not always: ${because}${hint === undefined ? "" : `; ${hint}`}`;

type Saved = Awaited<ReturnType<ToolgateClient["approve"]>>["always"];

/** What became of the rule; the answer counts either way. */
export function savedInWords(saved: Saved): string | null {
  if (saved === undefined) return null;
  if (!saved.saved)
    return `the answer counts this once, and the rule was not saved: ${saved.because ?? "nobody said why"}`;
  const name = `the rule \`${saved.rule_id}\` is saved`;
  return saved.in_force ? name : `${name}, and not in force: the settings do not load, see \`toolgate rules check\``;
}
