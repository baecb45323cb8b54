import type { Execution, Outcome } from "../src/client/answers.ts";
import { twice } from "./buttons.ts";
import { statusInWords } from "./calls.ts";
import { coalesced } from "./coalesced.ts";
import { el, fill } from "./dom.ts";
import type { DownloadParts } from "./download.ts";
import { entriesFrom, entryRow } from "./ledger.ts";
import { outcomeShown } from "./outcome-shown.ts";
import type { Page, PageParts } from "./page.ts";
import { placeAt } from "./page.ts";
import { problemInWords } from "./problem-words.ts";
import { chip, facts, foreign, foreignBlock, moment, riskChip, section, sentence, valueBlock } from "./shown.ts";

const RUNNING: ReadonlySet<Execution["status"]> = new Set(["PENDING", "AWAITING_APPROVAL", "APPROVED", "EXECUTING"]);

/** One call: its record, what came of it, and what the ledger has of it. */
export function callPage(callId: string, { gate, announce, failed }: PageParts): Page {
  const head = el("div");
  const record = el("div");
  const entries = el("div");
  const note = el("p", { class: "note", role: "status" });
  const printed = liveOutput();
  const tell = (error: unknown) => {
    failed(error);
    fill(note, ...sentence(problemInWords(error)));
  };
  const cancel = async () => {
    const got = await gate.cancelExecution({ execution_id: callId }).catch(tell);
    if (!got) return;
    announce("the call was told to end");
    fill(note, "It was told to end.");
    load();
  };
  // The same button for as long as it is there: what happens meanwhile does not take it from under a hand.
  const cancelButton = twice("Cancel the call", "Really cancel it?", () => void cancel());
  const load = coalesced(async () => {
    const call = await gate.showExecution({ execution_id: callId }).catch(tell);
    if (!call) return;
    cancelButton.hidden = !RUNNING.has(call.status);
    fill(head, headOf(call));
    fill(record, ...recordShown(call, { gate, tell }));
    if (!RUNNING.has(call.status)) fill(printed.element);
    const found = await gate.ledgerEntries({ call_id: callId }).catch(tell);
    if (found) fill(entries, section("Ledger", ...entriesFrom(found.entries).map(entryRow)));
  });
  cancelButton.hidden = true;
  load();
  return {
    title: "Call",
    element: el(
      "main",
      { class: "wide", id: "main" },
      el("a", { class: "back", href: placeAt("calls") }, "All calls"),
      head,
      note,
      cancelButton,
      printed.element,
      record,
      entries,
    ),
    hear: ({ event, data }) => {
      if (event === "tool.progress" && data["tool_id"] === callId) return printed.add(String(data["message"] ?? ""));
      if (data["tool_id"] === callId || event === "ready") load();
    },
  };
}

/** The end of what a call has printed: the outcome has the rest. */
const PRINTED_CHARS_MAX = 64 * 1024;

/** What a call prints while it runs, as far as this page has heard it. Drawn once a frame, however much comes. */
function liveOutput(): { readonly element: HTMLElement; readonly add: (text: string) => void } {
  const element = el("div");
  let text = "";
  let frame = 0;
  return {
    element,
    add: (more) => {
      text = `${text}${more}`.slice(-PRINTED_CHARS_MAX);
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => fill(element, section("Output so far", foreignBlock(text))));
    },
  };
}

const headOf = (call: Execution): HTMLElement =>
  el(
    "header",
    { class: "detail-head" },
    el("h1", {}, foreign(call.tool_name)),
    el(
      "p",
      { class: "line" },
      chip(statusInWords(call), { state: call.status }),
      riskChip(call.risk_level),
      moment(call.created_at),
      call.approval_id === null ? null : el("a", { href: placeAt("questions", call.approval_id) }, "its question"),
    ),
  );

function recordShown(call: Execution, parts: DownloadParts): readonly HTMLElement[] {
  const { result, error, error_type } = call;
  return [
    section(
      "Record",
      facts([
        ["call", foreign(call.id)],
        ["made by", foreign(call.user_id)],
        ["session", el("a", { href: placeAt("calls", null, { session: call.session_id }) }, foreign(call.session_id))],
        [call.approval_id === null ? "allowed by a rule" : "approved", moment(call.approved_at)],
        ["ended", moment(call.completed_at)],
        ["took", call.execution_time_ms === null ? null : `${call.execution_time_ms} ms`],
        ["code", error_type === null ? null : foreign(error_type)],
        ["because", error === null ? null : el("span", {}, ...sentence(error))],
        ["plan", foreign(call.plan_digest ?? "")],
        ["input", foreign(call.params_digest ?? "")],
      ]),
    ),
    section("Input", call.tool_params === null ? NOT_SHOWN() : valueBlock(call.tool_params)),
    section("Outcome", ...(result === null ? [NOT_YET(call)] : outcomeShown(result as Outcome, parts))),
  ];
}

const NOT_SHOWN = () => el("p", { class: "quiet" }, "not kept, or not for this token");
const NOT_YET = ({ status }: Execution) =>
  RUNNING.has(status) ? el("p", { class: "quiet" }, "none yet") : NOT_SHOWN();
