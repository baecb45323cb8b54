import type { Asked } from "./desk.ts";
import { el, fill } from "./dom.ts";
import { areKeysOn, turnKeys } from "./key-choice.ts";
import type { Page, PageParts, Place } from "./page.ts";
import { placeAt } from "./page.ts";
import { type QuestionDetail, questionDetail } from "./question-detail.ts";
import { countdown, foreign, riskChip, sentence } from "./shown.ts";

const WIDE = "(min-width: 860px)";

/**
 * What waits for an answer. INVARIANT (stays): nothing but a person's choice puts another question in the place of the one
 * that is shown.
 */
export function questionsPage(place: Place, parts: PageParts): Page {
  const { desk } = parts;
  const list = el("ol", { class: "rows", "aria-label": "open questions" });
  const count = el("h1", {}, "Questions");
  const old = el("p", { class: "old", role: "status" }, "This list is how it was: it could not be read anew.");
  const pane = el("div", { class: "pane" });
  const keysShown = el("span", {});
  const turn = el("button", {
    type: "button",
    class: "plain",
    on: {
      click: () => {
        turnKeys(areKeysOn() ? "off" : "on");
        showKeys();
      },
    },
  });
  const element = el(
    "main",
    { class: "questions", id: "main" },
    el(
      "div",
      { class: "side" },
      el("header", {}, count, el("a", { href: placeAt("answered") }, "answered ones")),
      old,
      list,
      el("p", { class: "keys" }, keysShown, turn),
    ),
    pane,
  );
  const showKeys = () => {
    const isOn = areKeysOn();
    element.dataset["keys"] = isOn ? "on" : "off";
    fill(keysShown, ...(isOn ? KEYS_HELP() : ["single keys do nothing "]));
    fill(turn, isOn ? "Turn keys off" : "Turn keys on");
  };
  let detail: QuestionDetail | null = null;

  const ids = () => desk.open.map(({ approval }) => approval.approval_id);
  const select = (approvalId: string | null) => {
    if (approvalId !== null && approvalId === detail?.approvalId) return;
    detail =
      approvalId === null
        ? null
        : questionDetail(approvalId, {
            ...parts,
            over: (id, answered) => desk.close(id, answered),
            next: () => move(1),
          });
    element.dataset["selected"] = String(detail !== null);
    fill(pane, detail?.element ?? el("p", { class: "empty" }, nothingSelected(desk.open.length)));
    showList();
  };
  /** By the keyboard: what was chosen so is no step of the history. */
  const move = (by: 1 | -1) => {
    const known = ids();
    const at = known.indexOf(detail?.approvalId ?? "");
    const id = known[at < 0 ? 0 : Math.min(Math.max(at + by, 0), known.length - 1)];
    if (id === undefined || id === detail?.approvalId) return;
    location.replace(placeAt("questions", id));
    select(id);
    list.querySelector<HTMLElement>("[aria-current]")?.focus();
  };
  const showList = () => {
    old.hidden = !desk.isOld;
    count.textContent = desk.open.length === 0 ? "Questions" : `Questions (${desk.open.length})`;
    if (desk.open.length === 0)
      fill(list, el("li", { class: "empty" }, desk.isLoaded ? "Nothing waits for an answer." : "Loading …"));
    else fill(list, ...desk.open.map((asked) => row(asked, asked.approval.approval_id === detail?.approvalId)));
  };
  /** To who has chosen none, where there is room beside the list: whether that was before the list had come, or after. */
  const showFirst = () => {
    const first = ids()[0];
    if (detail !== null || first === undefined || !matchMedia(WIDE).matches) return;
    history.replaceState(null, "", placeAt("questions", first));
    select(first);
  };
  const changed = () => {
    const answered = detail === null ? null : desk.answerTo(detail.approvalId);
    if (detail !== null && answered !== null) detail.close(answered, "elsewhere");
    else if (desk.isLoaded && !desk.isOld && !ids().includes(detail?.approvalId ?? "")) detail?.lookUp();
    showList();
    showFirst();
    if (detail === null) fill(pane, el("p", { class: "empty" }, nothingSelected(desk.open.length)));
  };
  const looked = () => detail?.lookAgain();
  const stop = desk.onChange(changed);
  document.addEventListener("visibilitychange", looked);
  window.addEventListener("focus", looked);
  showKeys();
  select(place.item);
  changed();
  return {
    title: "Questions",
    element,
    goTo: ({ item }) => {
      select(item);
      showFirst();
      return true;
    },
    hear: ({ event, data }) => {
      if (event === "approval.given" && data["approvalId"] === detail?.approvalId) detail?.recount();
    },
    key: (event) => {
      const isInDetail = event.target instanceof Node && pane.contains(event.target);
      const act = KEYS({ move, detail })[event.key];
      if (event.key.length === 1 && !areKeysOn()) return;
      if (act === undefined || (event.key.startsWith("Arrow") && isInDetail)) return;
      event.preventDefault();
      if (!event.repeat || event.key !== "a") act();
    },
    close: () => {
      stop();
      document.removeEventListener("visibilitychange", looked);
      window.removeEventListener("focus", looked);
    },
  };
}

const KEYS_HELP = () => [
  ...[el("kbd", {}, "j"), el("kbd", {}, "k"), " move "],
  ...[el("kbd", {}, "a"), " approve "],
  ...[el("kbd", {}, "r"), " reject "],
];

const KEYS = ({ move, detail }: { move: (by: 1 | -1) => void; detail: QuestionDetail | null }) => {
  const keys: Record<string, () => void> = {
    j: () => move(1),
    ArrowDown: () => move(1),
    k: () => move(-1),
    ArrowUp: () => move(-1),
    a: () => detail?.approve(),
    r: () => detail?.reject(),
  };
  return keys;
};

const nothingSelected = (open: number): string =>
  open === 0 ? "Nothing waits for an answer. What is asked from now on shows up here by itself." : "Choose a question.";

function row({ approval, deadlineMs }: Asked, isSelected: boolean): HTMLElement {
  const { approval_id: id, tool_name, risk_level, description, reasons, requested_by, session_id } = approval;
  return el(
    "li",
    {},
    el(
      "a",
      { class: "row", href: placeAt("questions", id), ...(isSelected && { "aria-current": "true" as const }) },
      el("span", { class: "row-head" }, el("b", {}, foreign(tool_name)), riskChip(risk_level), countdown(deadlineMs)),
      el("span", { class: "row-what" }, ...sentence(description)),
      reasons.length === 0 ? null : el("span", { class: "row-why" }, ...sentence(reasons.join(" "))),
      el("small", {}, foreign(requested_by), session_id === undefined ? null : foreign(session_id)),
    ),
  );
}
