import type { Tool } from "../src/client/answers.ts";
import { el, fill } from "./dom.ts";
import type { Page, PageParts, Place } from "./page.ts";
import { placeAt } from "./page.ts";
import { problemInWords } from "./problem-words.ts";
import { chip, foreign, foreignBlock, riskChip, sentence, valueBlock } from "./shown.ts";

/** What agents can call. */
export function toolsPage(_: Place, { gate, failed }: PageParts): Page {
  const list = el("div", {}, "Loading …");
  gate.availableTools().then(
    ({ tools }) => fill(list, el("ul", { class: "rules" }, ...tools.map(toolShown))),
    (error: unknown) => {
      failed(error);
      fill(list, ...sentence(problemInWords(error)));
    },
  );
  return { title: "Tools", element: el("main", { class: "wide", id: "main" }, el("h1", {}, "Tools"), list) };
}

const toolShown = ({ name, description, risk_level, source, containment, input_schema }: Tool): HTMLElement =>
  el(
    "li",
    {},
    el(
      "details",
      {},
      el(
        "summary",
        {},
        el("b", {}, foreign(name)),
        riskChip(risk_level),
        source === undefined ? null : chip(source),
        containment === undefined ? null : chip(containment),
        el("span", { class: "quiet" }, foreign(firstLine(description))),
      ),
      foreignBlock(description),
      valueBlock(input_schema),
      el("p", {}, el("a", { href: placeAt("rules", null, { tool: name }) }, "what would happen to a call?")),
    ),
  );

const firstLine = (text: string): string => text.split("\n", 1)[0] ?? "";
