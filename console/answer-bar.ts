import type { ToolgateClient } from "../src/client/connect.ts";
import { ProblemError } from "../src/client/problem-error.ts";
import { Armed } from "./armed.ts";
import type { Answered } from "./desk.ts";
import { el, fill } from "./dom.ts";
import { problemInWords, winnerOf } from "./problem-words.ts";
import { sentence } from "./shown.ts";

interface BarParts {
  readonly approvalId: string;
  readonly gate: Pick<ToolgateClient, "approve" | "reject">;
  /** It has its answer: this one, or another that was faster. */
  readonly over: (answered: Answered, by: "me" | "faster") => void;
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
  /** Somebody looks at it only now. */
  readonly lookAgain: () => void;
  readonly isSending: () => boolean;
}

/** What an answer leaves a question as. */
const STATUSES: ReadonlySet<unknown> = new Set<Answered["status"]>(["approved", "rejected", "pending"]);
const REASON_MAX = "1000";
const UNKNOWN = "It is not known whether your answer has arrived: what came back is none of the server's. Try again.";
const TOO_SOON = "That was too fast to have been read. Look at it, then answer.";

/** Yes or no. It stands at one place of the screen, and its buttons mean the same question for as long as they are there. */
export function answerBar({ approvalId, gate, over, idle, announce, failed }: BarParts): AnswerBar {
  const note = el("output", { class: "note", "aria-live": "polite" });
  const reason = el("input", {
    id: "reason",
    type: "text",
    maxlength: REASON_MAX,
    autocomplete: "off",
    placeholder: "why not; goes to the caller and the ledger",
  });
  const reasonRow = el("label", { class: "reason-row", for: "reason" }, "Reason", reason);
  reasonRow.hidden = true;
  const yes = el(
    "button",
    { type: "button", class: "yes", "aria-keyshortcuts": "a", on: { click: () => approve() } },
    ...["Approve once", el("kbd", {}, "a")],
  );
  const no = el(
    "button",
    { type: "button", class: "no", "aria-keyshortcuts": "r", on: { click: () => reject() } },
    ...["Reject…", el("kbd", {}, "r")],
  );
  const armed = new Armed(yes, no);
  let isSending = false;

  const say = (text: string) => fill(note, ...sentence(text));
  const isHeard = (): boolean => {
    if (isSending) return false;
    if (!armed.isReady) say(TOO_SOON);
    return armed.isReady;
  };

  async function give(answer: "approve" | "reject"): Promise<void> {
    isSending = true;
    say("sending your answer …");
    try {
      const text = answer === "reject" ? reason.value.trim() : "";
      const got = await gate[answer]({ approval_id: approvalId, ...(text !== "" && { reason: text }) });
      // What stands between here and the server may say something else in its place.
      if (!STATUSES.has(got.status)) say(UNKNOWN);
      else if (got.status === "pending") {
        const words = `your yes counts: ${got.approvals_given} of ${got.approvals_needed} that are needed`;
        say(words);
        announce(words);
      } else over({ status: got.status, resolved_by: "you", reason: text === "" ? null : text }, "me");
    } catch (error) {
      failed(error);
      say(problemInWords(error));
      const winner = error instanceof ProblemError ? winnerOf(error) : null;
      if (winner !== null) over(winner, "faster");
    } finally {
      isSending = false;
      idle();
    }
  }

  const approve = () => {
    if (isHeard()) void give("approve");
  };
  const reject = () => {
    if (!isHeard()) return;
    if (!reasonRow.hidden) return void give("reject");
    reasonRow.hidden = false;
    fill(no, "Reject now", el("kbd", {}, "Enter"));
    reason.focus();
    armed.again(); // the button means something else now
  };
  const back = () => {
    reasonRow.hidden = true;
    reason.value = "";
    fill(no, "Reject…", el("kbd", {}, "r"));
    no.focus();
  };
  reason.addEventListener("keydown", (event) => {
    if (event.isComposing) return; // the key belongs to whoever writes with an input method
    if (event.key === "Enter" && !event.repeat) reject();
    else if (event.key === "Escape") back();
    else return;
    event.preventDefault();
  });
  return {
    // The buttons are last: what is said above them, however long, does not move them from under a hand.
    element: el("div", { class: "answer-bar" }, note, reasonRow, el("div", { class: "buttons" }, yes, no)),
    approve,
    reject,
    lookAgain: () => armed.again(),
    isSending: () => isSending,
  };
}
