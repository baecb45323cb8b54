import type { ToolgateClient } from "../src/client/connect.ts";
import { ProblemError } from "../src/client/problem-error.ts";
import { alwaysChoice } from "./always-choice.ts";
import { Armed } from "./armed.ts";
import type { Answered } from "./desk.ts";
import { el, fill } from "./dom.ts";
import { areKeysOn } from "./key-choice.ts";
import { problemInWords, winnerOf } from "./problem-words.ts";
import type { Reading } from "./reading.ts";
import { type Kind, type ShownRule, savedInWords } from "./rule-shown.ts";
import { sentence } from "./shown.ts";

interface BarParts {
  readonly approvalId: string;
  /** Of the plan that stands above: what is answered is what was shown. */
  readonly planDigest: string;
  /** How far the plan was read. */
  readonly reading: Reading;
  /** How many touches there are, in words. */
  readonly count: string;
  /** Whether this person may save rules. */
  readonly always: "offered" | "not theirs";
  readonly gate: Pick<ToolgateClient, "approve" | "reject" | "showApproval">;
  /** It has its answer: this one, or another that was faster. `saved`: what became of the rule. */
  readonly over: (answered: Answered, by: "me" | "faster", saved?: string | null) => void;
  /** What was on its way has arrived, or has not. */
  readonly idle: () => void;
  readonly announce: (text: string) => void;
  readonly failed: (error: unknown) => void;
}

export interface AnswerBar {
  readonly element: HTMLElement;
  /** As if the button had been pressed. */
  readonly approve: () => void;
  readonly reject: () => void;
  /** More of the plan was read. */
  readonly readOn: () => void;
  /** Somebody looks at it only now. */
  readonly lookAgain: () => void;
  readonly isSending: () => boolean;
}

/** What an answer leaves a question as. */
const STATUSES: ReadonlySet<unknown> = new Set<Answered["status"]>(["approved", "rejected", "pending"]);
const REASON_MAX = "1000";
const UNKNOWN = "It is not known whether your answer has arrived: what came back is none of the server's. Try again.";
const TOO_SOON = "That was too fast to have been read. Look at it, then answer.";

const keyed = (key: string) => (areKeysOn() ? { "aria-keyshortcuts": key } : {});

/** Yes or no. It stands at one place of the screen, and its buttons mean the same question for as long as they are there. */
export function answerBar(parts: BarParts): AnswerBar {
  const { approvalId, planDigest, reading, count, always, gate, over, idle, announce, failed } = parts;
  const note = el("output", { class: "note", "aria-live": "polite" });
  const reason = el("input", {
    id: "reason",
    type: "text",
    maxlength: REASON_MAX,
    autocomplete: "off",
    placeholder: "why not; goes to the caller and the ledger",
  });
  const reasonRow = el("label", { class: "reason-row", for: "reason" }, "Reason", reason);
  const yes = el(
    "button",
    { type: "button", class: "yes", ...keyed("a"), on: { click: () => approve() } },
    ...["Approve once", el("kbd", {}, "a")],
  );
  const no = el("button", { type: "button", class: "no", ...keyed("r"), on: { click: () => reject() } });
  const back = el("button", { type: "button", class: "plain", on: { click: () => leave() } }, "Back");
  const ruleRow = el("div", {});
  const buttons = el("div", { class: "buttons" });
  let isSending = false;

  const say = (text: string) => fill(note, ...sentence(text));
  let rule: ShownRule | null = null;
  /** What has to be read before a button may be pressed, and is not read yet. A no needs nothing. */
  const unread = (button: HTMLElement): string | null => {
    if (button === choice.sure)
      return (choice.asked() === "approve" ? reading.left : null) ?? rule?.reading.left ?? null;
    return button === yes || button === choice.buttons[0] ? reading.left : null;
  };
  const isHeard = (button: HTMLElement): boolean => {
    if (isSending) return false;
    const left = unread(button);
    if (!armed.isReady) say(TOO_SOON);
    else if (left !== null) say(left);
    return left === null && armed.isReady;
  };
  const readOn = () => {
    armed.show();
    if (armed.isReady && !isSending) fill(note);
  };
  const choice = alwaysChoice({
    ...{ approvalId, gate, isHeard, say, failed },
    ask: (kind, shown) => {
      if (kind === "approve") reason.value = "";
      reasonRow.hidden = kind === "approve";
      fill(note);
      rule?.reading.close();
      rule = shown;
      fill(ruleRow, shown.element);
      fill(buttons, choice.sure, back);
      armed.again(); // what can be pressed means something else now
      shown.element.focus();
    },
    readOn: () => armed.show(),
    give: (kind, ruleDigest) => void give(kind, { rule_digest: ruleDigest }),
  });
  const armed = new Armed([yes, no, choice.sure, ...choice.buttons], (button) => unread(button) === null);

  /** The first question, with nothing said yet. */
  const first = () => {
    choice.leave();
    reasonRow.hidden = true;
    reason.value = "";
    fill(no, "Reject…", el("kbd", {}, "r"));
    fill(ruleRow);
    rule?.reading.close();
    rule = null;
    fill(
      buttons,
      yes,
      el("span", { class: "count-shown", ...(/hazardous/.test(count) && { "data-risk": "HIGH" }) }, count),
      no,
      ...(always === "offered" ? choice.buttons : []),
    );
    armed.again();
  };

  async function give(answer: Kind, saving?: { readonly rule_digest: string }): Promise<void> {
    isSending = true;
    say("sending your answer …");
    try {
      const text = answer === "reject" ? reason.value.trim() : "";
      const said = { plan_digest: planDigest, ...(text !== "" && { reason: text }), ...(saving && { always: saving }) };
      const got = await gate[answer]({ approval_id: approvalId, ...said });
      // What stands between here and the server may say something else in its place.
      if (!STATUSES.has(got.status)) say(UNKNOWN);
      else if (got.status === "pending") {
        const words = `your yes counts: ${got.approvals_given} of ${got.approvals_needed} that are needed`;
        say(words);
        announce(words);
      } else {
        const answered = { status: got.status, resolved_by: "you", reason: text === "" ? null : text };
        over(answered, "me", savedInWords(got.always));
      }
    } catch (error) {
      failed(error);
      // The rule may be another one by now: it is looked up anew before it is offered again.
      if (saving !== undefined) first();
      say(problemInWords(error));
      const winner = error instanceof ProblemError ? winnerOf(error) : null;
      if (winner !== null) over(winner, "faster");
    } finally {
      isSending = false;
      idle();
    }
  }

  const approve = () => {
    if (choice.asked() !== null || !isHeard(yes)) return;
    choice.leave();
    void give("approve");
  };
  const reject = () => {
    if (choice.asked() !== null || !isHeard(no)) return;
    choice.leave();
    if (!reasonRow.hidden) return void give("reject");
    reasonRow.hidden = false;
    fill(no, "Reject now", el("kbd", {}, "Enter"));
    reason.focus();
    armed.again(); // the button means something else now
  };
  const leave = () => {
    const [yesAlways, noAlways] = choice.buttons;
    const from = { approve: yesAlways, reject: noAlways, once: no }[choice.asked() ?? "once"];
    first();
    fill(note);
    from?.focus();
  };
  reason.addEventListener("keydown", (event) => {
    if (event.isComposing || event.key !== "Enter") return; // the key belongs to whoever writes with an input method
    event.preventDefault();
    if (!event.repeat) reject();
  });
  // The buttons are last: what is said above them, however long, does not move them from under a hand.
  const element = el("div", { class: "answer-bar" }, note, ruleRow, reasonRow, buttons);
  element.addEventListener("keydown", (event) => {
    const isOpen = choice.asked() !== null || !reasonRow.hidden;
    if (event.isComposing || event.key !== "Escape" || isSending || !isOpen) return;
    event.preventDefault();
    leave();
  });
  first();
  return { element, approve, reject, readOn, lookAgain: () => armed.again(), isSending: () => isSending };
}
