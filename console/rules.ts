import { el, fill } from "./dom.ts";
import { explainForm } from "./explain-form.ts";
import type { Page, PageParts, Place } from "./page.ts";
import { problemInWords } from "./problem-words.ts";
import { chip, foreign, section, sentence, valueBlock } from "./shown.ts";

type Rule = Readonly<Record<string, unknown>> & {
  readonly id: string;
  readonly effect: "allow" | "ask" | "deny";
  readonly because?: string | null;
};

/** What is in force, and what it says of a call that nobody makes. */
export function rulesPage(place: Place, { gate, failed }: PageParts): Page {
  const list = el("div", {}, "Loading …");
  gate.showRules().then(
    ({ hash, rules }) =>
      fill(
        list,
        el("p", { class: "quiet" }, `${rules.length} rules; every plan is sealed with `, foreign(hash)),
        el("ul", { class: "rules" }, ...(rules as readonly Rule[]).map(ruleShown)),
      ),
    (error: unknown) => {
      failed(error);
      fill(list, ...sentence(problemInWords(error)));
    },
  );
  return {
    title: "Rules",
    element: el(
      "main",
      { class: "wide", id: "main" },
      el("h1", {}, "Rules"),
      section("What would happen?", explainForm(place.query.get("tool") ?? "", { gate, failed })),
      section("In force", list),
    ),
  };
}

function ruleShown({ id, effect, because, ...rest }: Rule): HTMLElement {
  return el(
    "li",
    {},
    el(
      "details",
      {},
      el(
        "summary",
        {},
        chip(effect, { state: effect }),
        el("b", {}, foreign(id)),
        because ? el("span", { class: "quiet" }, ...sentence(because)) : null,
      ),
      valueBlock(rest),
    ),
  );
}
