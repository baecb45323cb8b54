import { more } from "./buttons.ts";
import { el, fill } from "./dom.ts";
import { type Entry, entriesFrom } from "./ledger.ts";
import type { Page, PageParts } from "./page.ts";
import { placeAt } from "./page.ts";
import { problemInWords } from "./problem-words.ts";
import { facts, foreign, moment, section, sentence, valueBlock } from "./shown.ts";

/** One entry of the ledger, whole. */
export function entryPage(item: string, { gate, failed }: PageParts): Page {
  const seq = Number(item);
  const body = el("div", {}, "Loading …");
  const proof = el("div");
  const tell = (where: HTMLElement) => (error: unknown) => {
    failed(error);
    fill(where, el("p", { class: "note" }, ...sentence(problemInWords(error))));
  };
  const load = async () => {
    const got = await gate.ledgerEntries({ cursor: String(seq - 1), limit: 1 }).catch(tell(body));
    const entry = entriesFrom(got?.entries ?? [])[0];
    if (entry?.seq === seq) fill(body, ...entryShown(entry));
    else if (got) fill(body, el("p", { class: "empty" }, "There is no such entry."));
  };
  const prove = async () => {
    const got = await gate.proveEntry({ seq: String(seq) }).catch(tell(proof));
    if (got) fill(proof, section("Proof, for who holds a checkpoint", valueBlock(got)));
  };
  if (Number.isSafeInteger(seq) && seq > 0) void load();
  else fill(body, el("p", { class: "empty" }, "There is no such entry."));
  return {
    title: "Ledger entry",
    element: el(
      "main",
      { class: "wide", id: "main" },
      el("a", { class: "back", href: placeAt("ledger") }, "The ledger"),
      el("h1", {}, `Entry ${Number.isSafeInteger(seq) ? seq : ""}`),
      body,
      more("Show its proof", () => void prove()),
      proof,
    ),
  };
}

function entryShown(entry: Entry): readonly HTMLElement[] {
  const { seq, at, kind, actor, callId, hash, prev, body, withheld } = entry;
  const whole =
    withheld === undefined ? "all of it, as it is hashed but for its order" : "all of it that this token may read";
  return [
    facts([
      ["kind", foreign(kind)],
      ["at", moment(at)],
      ["by", foreign(actor)],
      ["call", callId === null ? null : el("a", { href: placeAt("calls", callId) }, foreign(callId))],
      ["hash", foreign(hash)],
      ["follows", seq === 1 ? foreign(prev) : el("a", { href: placeAt("ledger", String(seq - 1)) }, foreign(prev))],
    ]),
    section("Body", valueBlock(body)),
    el("details", {}, el("summary", {}, whole), valueBlock(entry)),
  ];
}
