import type { AlwaysRule } from "../src/client/answers.ts";
import type { ToolgateClient } from "../src/client/connect.ts";
import { el, fill } from "./dom.ts";
import { endMark, Reading } from "./reading.ts";
import { foreignBlock } from "./shown.ts";

export type Kind = "approve" | "reject";

/** As of a question: what a browser draws without being held up. */
const RULE_CHARS_MAX = 1024 * 1024;

const LEAD = {
  approve: "This rule would be saved. From then on all that it covers runs, whoever calls, and nobody is asked:",
  reject: "This rule would be saved. From then on all that it covers is refused, whoever calls, and nobody is asked:",
} as const satisfies Record<Kind, string>;

export interface ShownRule {
  readonly element: HTMLElement;
  /** The rule was read to its end. */
  readonly reading: Reading;
}

/** The rule that would be saved, whole. It has a scroll bar of its own. */
export function ruleShown(kind: Kind, text: string, readOn: () => void): ShownRule {
  const end = endMark();
  const scroller = el("div", { class: "rule-text", tabindex: "0", "aria-label": "its text" });
  const reading = new Reading(scroller, end, readOn);
  const max = Number.POSITIVE_INFINITY;
  const isWhole = text.length <= RULE_CHARS_MAX;
  fill(
    scroller,
    foreignBlock(isWhole ? text.trimEnd() : text.slice(0, RULE_CHARS_MAX), max),
    isWhole ? null : reading.mustSave(`Download the whole rule (${text.length} characters)`, "rule.yaml", () => text),
    end,
  );
  const label = "the rule that would be saved";
  const element = el("div", { class: "rule", tabindex: "-1", "aria-label": label }, el("p", {}, LEAD[kind]), scroller);
  return { element, reading };
}

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
