import type { ShownPlan } from "../src/domain/question.ts";
import { touchCountInWords } from "../src/domain/touch-in-words.ts";
import { type AnswerBar, answerBar } from "./answer-bar.ts";
import { more } from "./buttons.ts";
import { coalesced } from "./coalesced.ts";
import { type Answered, type Asked, askedFrom } from "./desk.ts";
import { el, fill } from "./dom.ts";
import type { PageParts } from "./page.ts";
import { placeAt } from "./page.ts";
import { planShown } from "./plan-shown.ts";
import { answerInWords, problemInWords } from "./problem-words.ts";
import { Reading } from "./reading.ts";
import { countdown, foreign, riskChip, sentence } from "./shown.ts";

export interface QuestionDetail {
  readonly approvalId: string;
  readonly element: HTMLElement;
  readonly approve: () => void;
  readonly reject: () => void;
  readonly lookAgain: () => void;
  /** It is not among the open ones, and nobody has said why. */
  readonly lookUp: () => void;
  /** Somebody has said yes, where more than one has to. */
  readonly recount: () => void;
  /** It has its answer. */
  readonly close: (answered: Answered, by: AnsweredBy) => void;
}

/** `faster`: while the answer of whoever looks was on its way. */
type AnsweredBy = "me" | "faster" | "elsewhere";

const LEAD = {
  me: "Done: ",
  faster: "Somebody was faster: ",
  elsewhere: "Answered elsewhere: ",
} as const satisfies Record<AnsweredBy, string>;

interface DetailParts extends PageParts {
  readonly over: (approvalId: string, answered: Answered) => void;
  readonly next: () => void;
}

/** One question whole, with its answer below. It stays until somebody chooses another, whatever becomes of the others. */
export function questionDetail(approvalId: string, parts: DetailParts): QuestionDetail {
  const { gate, announce, failed } = parts;
  const body = el("div", { class: "scroll", tabindex: "0", "aria-label": "the whole plan" });
  const foot = el("div", { class: "foot" });
  const element = el("article", { class: "detail", "aria-label": "question" }, body, foot);
  const said = el("p", { class: "votes", role: "status" });
  let bar: AnswerBar | null = null;
  let reading: Reading | null = null;
  let answered: Answered | null = null;

  let heard: Answered | null = null;

  const close = (given: Answered, by: AnsweredBy, saved: string | null = null) => {
    if (answered !== null) return;
    // The stream may be faster than the answer to the answer, which knows whose it was.
    if (by === "elsewhere" && bar?.isSending()) {
      heard = given;
      return;
    }
    answered = given;
    bar = null;
    reading?.close();
    parts.over(approvalId, given);
    const words = answerInWords(given);
    announce(saved === null ? words : `${words}; ${saved}`);
    fill(
      foot,
      el(
        "div",
        { class: "verdict", "data-state": given.status },
        el("p", {}, given.status === "timeout" ? "" : LEAD[by], ...sentence(words)),
        saved === null ? null : el("p", { class: "saved" }, ...sentence(saved)),
        el("button", { type: "button", on: { click: parts.next } }, "Next question", el("kbd", {}, "j")),
      ),
    );
  };

  const tellVotes = ({ given, needed }: Votes) => {
    const count = needed > 1 && `${given.length} of the ${needed} people who are needed have said yes`;
    fill(said, count, count && given.length > 0 && el("span", {}, ": ", foreign(given.join(", "))));
  };

  const show = (asked: Asked, shown: ShownPlan, always: "offered" | "not theirs") => {
    const read = (end: HTMLElement) => {
      reading?.close();
      reading = new Reading(body, end, () => bar?.readOn());
      return reading;
    };
    fill(body, head(asked, answered !== null, said), ...planShown(shown, read));
    if (answered !== null || reading === null) return;
    if (asked.approval.status !== "pending") return close(asked.approval, "elsewhere");
    bar = answerBar({
      approvalId,
      reading,
      count: touchCountInWords(shown.touches),
      planDigest: shown.digest,
      always,
      gate,
      announce,
      failed,
      over: close,
      idle: () => heard !== null && close(heard, "elsewhere"),
    });
    fill(foot, bar.element);
  };

  const load = async () => {
    try {
      const { approval, plan, votes, always } = await gate.showApproval({ approval_id: approvalId });
      tellVotes(votes);
      show(askedFrom(approval), plan as unknown as ShownPlan, always === null ? "not theirs" : "offered");
    } catch (error) {
      failed(error);
      fill(body, el("p", { class: "empty" }, ...sentence(problemInWords(error))));
      fill(
        foot,
        more("Look again", () => void load()),
      );
    }
  };
  const lookUp = coalesced(async () => {
    const got = bar === null ? null : await gate.showApproval({ approval_id: approvalId }).catch(failed);
    if (got && got.approval.status !== "pending") close(got.approval, "elsewhere");
  });
  const recount = coalesced(async () => {
    const got = await gate.showApproval({ approval_id: approvalId }).catch(failed);
    if (got) tellVotes(got.votes);
  });
  void load();
  return {
    approvalId,
    element,
    approve: () => bar?.approve(),
    reject: () => bar?.reject(),
    lookAgain: () => bar?.lookAgain(),
    lookUp,
    recount,
    close,
  };
}

type Votes = Awaited<ReturnType<PageParts["gate"]["showApproval"]>>["votes"];

const head = ({ approval, deadlineMs }: Asked, isOver: boolean, votes: HTMLElement): HTMLElement =>
  el(
    "header",
    { class: "detail-head" },
    el("a", { class: "back", href: placeAt("questions") }, "All questions"),
    el("h2", { tabindex: "-1" }, foreign(approval.tool_name)),
    el(
      "p",
      { class: "line" },
      riskChip(approval.risk_level),
      el("span", {}, "from ", foreign(approval.requested_by)),
      el("span", {}, "session ", foreign(approval.session_id ?? "")),
      isOver || approval.status !== "pending" ? null : countdown(deadlineMs),
      el("a", { href: placeAt("calls", approval.tool_id) }, "its call"),
    ),
    votes,
  );
