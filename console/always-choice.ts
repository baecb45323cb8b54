import type { AlwaysRule } from "../src/client/answers.ts";
import type { ToolgateClient } from "../src/client/connect.ts";
import { el, fill } from "./dom.ts";
import { problemInWords } from "./problem-words.ts";
import { type Kind, noRuleInWords, ruleShown, type ShownRule } from "./rule-shown.ts";

interface ChoiceParts {
  readonly approvalId: string;
  readonly gate: Pick<ToolgateClient, "showApproval">;
  /** Whether what was pressed counts: it has stood there long enough, and nothing is on its way. */
  readonly isHeard: (button: HTMLElement) => boolean;
  readonly say: (text: string) => void;
  readonly failed: (error: unknown) => void;
  /** The rule is to be shown, and the second question put. */
  readonly ask: (kind: Kind, rule: ShownRule) => void;
  /** The reader has gone on in the rule. */
  readonly readOn: () => void;
  readonly give: (kind: Kind, ruleDigest: string) => void;
}

export interface AlwaysChoice {
  /** That lead to the rule. */
  readonly buttons: readonly HTMLButtonElement[];
  /** That saves it. */
  readonly sure: HTMLButtonElement;
  /** Which answer is asked about a second time. */
  readonly asked: () => Kind | null;
  /** Nothing is asked any more, nor what was on its way. */
  readonly leave: () => void;
}

const LABELS = {
  approve: { always: "Allow always…", sure: "Save the rule and approve", look: "yes" },
  reject: { always: "Reject always…", sure: "Save the rule and reject", look: "no" },
} as const satisfies Record<Kind, object>;

const NOT_ALWAYS: AlwaysRule = { available: false, because: "this token may not save rules, or the question is over" };

/**
 * An answer for good. INVARIANT (shown = saved): the rule is looked up when it is wanted, stands there whole, and what is
 * sent is its digest.
 */
export function alwaysChoice({ approvalId, gate, isHeard, say, failed, ask, readOn, give }: ChoiceParts): AlwaysChoice {
  let asked: { readonly kind: Kind; readonly digest: string } | null = null;
  /** Counts what was pressed: what was looked up for something before is not shown. */
  let turn = 0;
  const leave = () => {
    turn++;
    asked = null;
  };

  async function propose(kind: Kind, button: HTMLElement): Promise<void> {
    if (!isHeard(button)) return;
    leave();
    const own = turn;
    say("looking up the rule …");
    const found = await gate.showApproval({ approval_id: approvalId }).catch((error: unknown) => {
      failed(error);
      if (own === turn) say(problemInWords(error));
      return null;
    });
    if (found === null || own !== turn) return;
    const rule = found.always?.[kind] ?? NOT_ALWAYS;
    const { available, text, digest } = rule;
    if (!available || text === undefined || digest === undefined) return say(noRuleInWords(rule));
    asked = { kind, digest };
    fill(sure, LABELS[kind].sure);
    sure.className = LABELS[kind].look;
    ask(kind, ruleShown(kind, text, readOn));
  }

  const button = (label: string, look: string, click: () => void) =>
    el("button", { type: "button", class: look, on: { click } }, label);
  const sure = button("", "yes", () => {
    if (asked !== null && isHeard(sure)) give(asked.kind, asked.digest);
  });
  const buttons = (["approve", "reject"] as const).map((kind) => {
    const made = button(LABELS[kind].always, "always", () => void propose(kind, made));
    return made;
  });
  return { buttons, sure, asked: () => asked?.kind ?? null, leave };
}
