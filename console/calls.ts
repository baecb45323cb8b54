import type { Execution } from "../src/client/answers.ts";
import { more } from "./buttons.ts";
import { coalesced } from "./coalesced.ts";
import { el, fill } from "./dom.ts";
import type { Page, PageParts, Place } from "./page.ts";
import { placeAt } from "./page.ts";
import { problemInWords } from "./problem-words.ts";
import { chip, foreign, moment, riskChip, sentence } from "./shown.ts";

type Status = Execution["status"];

/** The states in words. Complete by type. */
const STATUS_WORDS = {
  PENDING: "received",
  AWAITING_APPROVAL: "waits for an answer",
  APPROVED: "approved or allowed",
  EXECUTING: "runs",
  COMPLETED: "completed",
  REJECTED: "rejected",
  TIMEOUT: "not answered",
  FAILED: "failed",
  DENIED: "denied",
  CANCELLED: "cancelled",
  OUTCOME_UNKNOWN: "unknown",
} as const satisfies Record<Status, string>;

/** A call that a rule allowed was approved by nobody. */
export const statusInWords = ({ status, approval_id }: Pick<Execution, "status" | "approval_id">): string =>
  status === "APPROVED" ? (approval_id === null ? "allowed" : "approved") : STATUS_WORDS[status];

const isStatus = (text: string): text is Status => Object.hasOwn(STATUS_WORDS, text);

/** Calls, the newest first. */
export function callsPage(place: Place, { gate, failed }: PageParts): Page {
  const status = place.query.get("status") ?? "";
  const tool = place.query.get("tool") ?? "";
  const session = place.query.get("session") ?? "";
  const rows = el("tbody");
  const note = el("p", { class: "note", role: "status" });
  const older = more("Older calls", () => void loadOlder());
  older.hidden = true;
  let shown: readonly Execution[] = [];
  let next: string | null = null;

  const page = (cursor: string | null) =>
    gate.listExecutions({
      ...(isStatus(status) && { status }),
      ...(tool !== "" && { tool_name: tool }),
      ...(session !== "" && { session_id: session }),
      ...(cursor !== null && { cursor }),
    });
  const show = (executions: readonly Execution[], cursor: string | null) => {
    shown = executions;
    next = cursor;
    older.hidden = next === null;
    fill(rows, ...shown.map(callRow));
    fill(
      note,
      shown.length === 0 ? (next === null ? "No calls." : "None among the newest; there are older ones.") : "",
    );
  };
  const tell = (error: unknown) => {
    failed(error);
    fill(note, ...sentence(problemInWords(error)));
  };
  async function loadOlder(): Promise<void> {
    const got = await page(next).catch(tell);
    if (got) show([...shown, ...got.executions], got.next);
  }
  /** The newest, in place of those that were; what was looked up behind them stays. */
  const loadNewest = coalesced(async () => {
    const got = await page(null).catch(tell);
    if (!got) return;
    // A page may be empty although there are more: then what was looked up is all that is known.
    if (got.executions.length === 0 && shown.length > 0 && got.next !== null) return;
    const last = got.executions.at(-1)?.id;
    const at = shown.findIndex(({ id }) => id === last);
    const kept = at < 0 ? [] : shown.slice(at + 1);
    show([...got.executions, ...kept], kept.length > 0 ? next : got.next);
  });
  loadNewest();
  return {
    title: "Calls",
    element: el(
      "main",
      { class: "wide", id: "main" },
      el("h1", {}, "Calls"),
      filterForm({ status, tool, session }),
      el(
        "table",
        { class: "calls" },
        el(
          "thead",
          {},
          el(
            "tr",
            {},
            ...["Time", "Tool", "State", "Risk", "Session", "Took", "Code"].map((name) => el("th", {}, name)),
          ),
        ),
        rows,
      ),
      note,
      older,
    ),
    hear: ({ id }) => {
      if (id !== null) loadNewest();
    },
  };
}

interface Filter {
  readonly status: string;
  readonly tool: string;
  readonly session: string;
}

function filterForm({ status, tool, session }: Filter): HTMLElement {
  const state = el(
    "select",
    { id: "status" },
    el("option", { value: "" }, "any state"),
    ...Object.entries(STATUS_WORDS).map(([value, words]) => el("option", { value }, words)),
  );
  state.value = status;
  const toolField = el("input", { id: "tool", type: "text", value: tool, autocomplete: "off", spellcheck: "false" });
  const ofSession = el("input", {
    id: "session",
    type: "text",
    value: session,
    autocomplete: "off",
    spellcheck: "false",
  });
  const go = () => {
    location.hash = placeAt("calls", null, {
      status: state.value,
      tool: toolField.value.trim(),
      session: ofSession.value.trim(),
    });
  };
  state.addEventListener("change", go);
  return el(
    "form",
    {
      class: "filters",
      on: {
        submit: (event) => {
          event.preventDefault();
          go();
        },
      },
    },
    el("label", { for: "status" }, "State", state),
    el("label", { for: "tool" }, "Tool", toolField),
    el("label", { for: "session" }, "Session", ofSession),
    el("button", { type: "submit" }, "Show"),
  );
}

function callRow(call: Execution): HTMLElement {
  const cell = (name: string, ...children: Parameters<typeof fill> extends [unknown, ...infer Rest] ? Rest : never) => {
    const made = el("td", {}, ...children);
    made.dataset["name"] = name;
    return made;
  };
  return el(
    "tr",
    {},
    cell("time", el("a", { href: placeAt("calls", call.id) }, moment(call.created_at) ?? "call")),
    cell("tool", foreign(call.tool_name)),
    cell("state", chip(statusInWords(call), { state: call.status })),
    cell("risk", riskChip(call.risk_level)),
    cell("session", foreign(call.session_id)),
    cell("took", call.execution_time_ms === null ? null : `${call.execution_time_ms} ms`),
    cell("code", call.error_type === null ? null : foreign(call.error_type)),
  );
}
