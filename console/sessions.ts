import type { Session } from "../src/client/answers.ts";
import { more, twice } from "./buttons.ts";
import { el, fill } from "./dom.ts";
import type { Page, PageParts, Place } from "./page.ts";
import { placeAt } from "./page.ts";
import { problemInWords } from "./problem-words.ts";
import { chip, facts, foreign, moment, sentence, valueBlock } from "./shown.ts";

/** Who may do what until when, and a way to end it. */
export function sessionsPage(_: Place, { gate, announce, failed }: PageParts): Page {
  const list = el("ul", { class: "rules" });
  const note = el("p", { class: "note", role: "status" }, "Loading …");
  const older = more("More sessions", () => void load());
  older.hidden = true;
  let next: string | null = null;
  let count = 0;
  const tell = (error: unknown) => {
    failed(error);
    fill(note, ...sentence(problemInWords(error)));
  };
  const load = async () => {
    const got = await gate.listSessions(next === null ? {} : { cursor: next }).catch(tell);
    if (!got) return;
    next = got.next;
    count += got.sessions.length;
    older.hidden = next === null;
    list.append(...got.sessions.map((session) => sessionShown(session, revoke)));
    fill(note, count === 0 ? "No session is open." : "");
  };
  const revoke = async (session: Session, shown: HTMLElement) => {
    const got = await gate.revokeSession({ session_id: session.session_id }).catch(tell);
    if (!got) return;
    announce("the session has ended");
    shown.replaceWith(sessionShown(got, revoke));
  };
  void load();
  return {
    title: "Sessions",
    element: el("main", { class: "wide", id: "main" }, el("h1", {}, "Sessions"), note, list, older),
  };
}

type Revoke = (session: Session, shown: HTMLElement) => Promise<void>;

function sessionShown(session: Session, revoke: Revoke): HTMLElement {
  const { session_id: id, label, kind, state, opened_by, opened_at, lease, parent_id } = session;
  const shown = el("li");
  const canEnd = state === "open" && kind === "opened";
  fill(
    shown,
    el(
      "details",
      {},
      el(
        "summary",
        {},
        chip(state, { state }),
        el("b", {}, foreign(label === "" ? id : label)),
        chip(kind),
        el("span", { class: "quiet" }, "by ", foreign(opened_by), " ", moment(opened_at)),
      ),
      facts([
        ["session", foreign(id)],
        ["below", parent_id ? foreign(parent_id) : null],
        ["calls", el("a", { href: placeAt("calls", null, { session: id }) }, "its calls")],
      ]),
      el("h4", {}, "lease"),
      valueBlock(lease),
      canEnd
        ? twice("Close the session", "Really? Its agent can do nothing more", () => void revoke(session, shown))
        : null,
    ),
  );
  return shown;
}
