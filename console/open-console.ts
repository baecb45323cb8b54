import { connect } from "../src/client/connect.ts";
import { ProblemError } from "../src/client/problem-error.ts";
import { answeredPage } from "./answered.ts";
import { callPage } from "./call.ts";
import { callsPage } from "./calls.ts";
import { connectionSign } from "./connection-sign.ts";
import { Desk } from "./desk.ts";
import { el, fill } from "./dom.ts";
import { entryPage } from "./entry.ts";
import { ledgerPage } from "./ledger.ts";
import { Live } from "./live.ts";
import { type Page, type PageParts, type Place, placeAt, placeFrom } from "./page.ts";
import { questionsPage } from "./questions.ts";
import { rulesPage } from "./rules.ts";
import { sessionsPage } from "./sessions.ts";
import { tick } from "./shown.ts";
import { toolsPage } from "./tools.ts";

const SECOND_MS = 1000;
const REFUSED = "The server does not know this token, or knows it no more.";

const TABS = ["questions", "calls", "ledger", "rules", "tools", "sessions"] as const;

function pageAt(place: Place, parts: PageParts): Page {
  const { page, item } = place;
  if (page === "calls") return item === null ? callsPage(place, parts) : callPage(item, parts);
  if (page === "ledger") return item === null ? ledgerPage(place, parts) : entryPage(item, parts);
  const pages = { answered: answeredPage, rules: rulesPage, tools: toolsPage, sessions: sessionsPage };
  return (Object.hasOwn(pages, page) ? pages[page as keyof typeof pages] : questionsPage)(place, parts);
}

interface ConsoleParts {
  /** The server does not take the token any more. */
  readonly refused: (why: string) => void;
  readonly signOut: () => void;
}

/** The whole console, for as long as its token is good. The returned function closes it. */
export function openConsole(token: string, { refused, signOut }: ConsoleParts): () => void {
  const settings = { url: location.origin, token };
  const gate = connect(settings);
  const failed = (error: unknown) => {
    if (error instanceof ProblemError && error.status === 401) refused(REFUSED);
  };
  const spoken = el("p", { class: "spoken", role: "status" });
  const desk = new Desk({ gate, failed });
  const parts: PageParts = { gate, desk, failed, announce: (text) => fill(spoken, text) };
  const sign = connectionSign(() => live.retryNow());
  const tabs = TABS.map((name) => el("a", { href: placeAt(name) }, `${name[0]?.toUpperCase()}${name.slice(1)}`));
  const frame = el("div", { class: "frame" });
  let place = placeFrom(location.hash);
  let page = pageAt(place, parts);

  const title = () => {
    const waiting = desk.open.length;
    document.title = `${waiting > 0 ? `(${waiting}) ` : ""}${page.title} · Toolgate`;
    fill(tabs[0] ?? frame, "Questions", waiting > 0 && el("span", { class: "count" }, waiting));
  };
  const show = () => {
    fill(frame, page.element);
    const tab = place.page === "answered" ? "questions" : place.page;
    for (const [at, name] of TABS.entries()) {
      if (name === tab) tabs[at]?.setAttribute("aria-current", "page");
      else tabs[at]?.removeAttribute("aria-current");
    }
    title();
  };
  const moved = () => {
    if (/^#(?:code|token)=/.test(location.hash)) return;
    const from = place;
    place = placeFrom(location.hash);
    if (place.page === from.page && page.goTo?.(place)) return title();
    page.close?.();
    page = pageAt(place, parts);
    show();
  };
  const pressed = (event: KeyboardEvent) => {
    const isTyping = event.target instanceof Element && event.target.matches("input, textarea, select");
    if (!isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) page.key?.(event);
  };
  const live = new Live({
    settings,
    changed: (connection) => {
      sign.show(connection);
      if (connection.kind === "open") desk.load();
    },
    heard: (event) => {
      desk.hear(event);
      page.hear?.(event);
      if (event.event === "tool.approval_request")
        parts.announce(`a new question: ${String(event.data["tool_name"])}, ${String(event.data["risk_level"])} risk`);
    },
    refused: (problem) => refused(problem.status === 401 ? REFUSED : problem.problem.detail),
  });
  const timer = setInterval(tick, SECOND_MS);
  const stop = desk.onChange(title);
  window.addEventListener("hashchange", moved);
  window.addEventListener("keydown", pressed);
  document.body.replaceChildren(
    el(
      "header",
      { class: "top" },
      el("a", { class: "brand", href: placeAt("questions") }, "Toolgate"),
      el("nav", { "aria-label": "pages" }, ...tabs),
      sign.element,
      el("button", { type: "button", class: "plain", on: { click: signOut } }, "Sign out"),
    ),
    frame,
    spoken,
  );
  show();
  return () => {
    live.close();
    desk.end();
    clearInterval(timer);
    stop();
    page.close?.();
    window.removeEventListener("hashchange", moved);
    window.removeEventListener("keydown", pressed);
  };
}
