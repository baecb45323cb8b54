import type { Effect } from "../src/domain/decision.ts";
import type { Plan } from "../src/domain/plan.ts";
import type { Touch } from "../src/domain/touch.ts";
import type { Child } from "./dom.ts";
import { el, fill } from "./dom.ts";
import type { PageParts } from "./page.ts";
import { problemInWords } from "./problem-words.ts";
import { chip, facts, foreign, riskChip, sentence, valueBlock } from "./shown.ts";
import { touchList } from "./touch-list.ts";

interface Explained {
  readonly decision: Effect;
  readonly ruleId?: string | null;
  readonly code?: string;
  readonly risk: string | null;
  readonly reasons: readonly string[];
  readonly hint?: string;
  readonly digest?: string | null;
  readonly plan?: Plan | null;
  readonly touches: readonly (Touch & { readonly decision: Effect; readonly ruleId: string | null })[];
  readonly errors?: readonly { readonly field: string; readonly message: string }[];
}

/** Asks what would become of a call. Nothing is run or recorded. */
export function explainForm(tool: string, { gate, failed }: Pick<PageParts, "gate" | "failed">): HTMLElement {
  const names = el("datalist", { id: "tool-names" });
  const name = el("input", {
    ...({ id: "explain-tool", type: "text", list: "tool-names", autocomplete: "off", spellcheck: "false" } as const),
    value: tool,
  });
  const input = el("textarea", { id: "explain-input", rows: "3", spellcheck: "false" }, "{}");
  const result = el("output", { class: "explained", "aria-live": "polite" });
  gate
    .availableTools()
    .then(({ tools }) => fill(names, ...tools.map((one) => el("option", { value: one.name }))), failed);
  const ask = async () => {
    try {
      const params: unknown = JSON.parse(input.value);
      const got = await gate.explainCall({ tool_name: name.value.trim(), tool_params: params });
      fill(result, ...explained(got as unknown as Explained));
    } catch (error) {
      if (error instanceof SyntaxError) return fill(result, "The input has to be JSON.");
      failed(error);
      fill(result, ...sentence(problemInWords(error)));
    }
  };
  return el(
    "form",
    {
      class: "explain",
      on: {
        submit: (event) => {
          event.preventDefault();
          void ask();
        },
      },
    },
    el("label", { for: "explain-tool" }, "Tool", name),
    names,
    el("label", { for: "explain-input" }, "Input, as JSON", input),
    el("button", { type: "submit" }, "Explain"),
    result,
  );
}

/** More rows hold up a browser; the whole plan is below them. */
const TOUCHES_MAX = 500;

const explained = ({
  decision,
  ruleId,
  code,
  risk,
  reasons,
  hint,
  digest,
  plan,
  touches,
  errors = [],
}: Explained): readonly Child[] => [
  el(
    "p",
    { class: "line" },
    chip(decision, { state: decision }),
    riskChip(risk),
    code === undefined ? null : foreign(code),
  ),
  ...errors.map(({ field, message }) => el("p", {}, el("b", {}, foreign(field)), " ", ...sentence(message))),
  ...reasons.map((reason) => el("p", { class: "reason" }, ...sentence(reason))),
  hint === undefined ? null : el("p", { class: "quiet" }, ...sentence(hint)),
  facts([
    ["rule", ruleId ? foreign(ruleId) : null],
    ["sealed as", digest ? foreign(digest) : null],
  ]),
  touchList(
    touches.map(({ decision: effect, ruleId: byRule, ...touch }) => ({
      touch: touch as Touch,
      effect,
      ruleId: byRule,
    })),
    { workspace: plan?.workspace ?? "/", operands: plan?.operands, max: TOUCHES_MAX },
  ),
  plan ? el("details", {}, el("summary", {}, "the whole plan"), valueBlock(plan)) : null,
];
