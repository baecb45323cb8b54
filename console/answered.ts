import type { Approval } from "../src/client/answers.ts";
import { more } from "./buttons.ts";
import { el, fill } from "./dom.ts";
import type { Page, PageParts, Place } from "./page.ts";
import { placeAt } from "./page.ts";
import { answerInWords, problemInWords } from "./problem-words.ts";
import { chip, foreign, sentence } from "./shown.ts";

/** Questions that have their answer, the newest first. */
export function answeredPage(_: Place, { gate, failed }: PageParts): Page {
  const list = el("ol", { class: "rows" });
  const note = el("p", { class: "note", role: "status" });
  const older = more("Older ones", () => void load());
  let next: string | null = null;
  const load = async () => {
    try {
      const got = await gate.listApprovals({ status: "resolved", ...(next !== null && { cursor: next }) });
      list.append(...got.approvals.map(row));
      next = got.next;
      older.hidden = next === null;
      fill(note, list.childElementCount === 0 ? "No question has been answered yet." : "");
    } catch (error) {
      failed(error);
      fill(note, ...sentence(problemInWords(error)));
    }
  };
  older.hidden = true;
  void load();
  return {
    title: "Answered questions",
    element: el(
      "main",
      { class: "wide", id: "main" },
      el("a", { class: "back plain", href: placeAt("questions") }, "Open questions"),
      el("h1", {}, "Answered questions"),
      note,
      list,
      older,
    ),
  };
}

const row = (approval: Approval): HTMLElement =>
  el(
    "li",
    {},
    el(
      "a",
      { class: "row", href: placeAt("questions", approval.approval_id) },
      el(
        "span",
        { class: "row-head" },
        el("b", {}, foreign(approval.tool_name)),
        chip(approval.status, { state: approval.status }),
      ),
      el("span", { class: "row-what" }, ...sentence(approval.description)),
      el("small", {}, ...sentence(answerInWords(approval))),
    ),
  );
