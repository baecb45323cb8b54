import { describeFinding, type Finding } from "../src/ledger/finding.ts";
import { more } from "./buttons.ts";
import { coalesced } from "./coalesced.ts";
import { el, fill } from "./dom.ts";
import type { Page, PageParts, Place } from "./page.ts";
import { placeAt } from "./page.ts";
import { problemInWords } from "./problem-words.ts";
import { foreign, moment, sentence, valueBlock } from "./shown.ts";

export interface Entry {
  readonly seq: number;
  readonly at: string;
  readonly kind: string;
  readonly actor: string;
  readonly callId: string | null;
  readonly hash: string;
  readonly prev: string;
  readonly body: unknown;
  /** Members of the body that are not for this token. */
  readonly withheld?: readonly string[];
}

/** The document of the routes does not spell out what an entry holds. */
export const entriesFrom = (entries: readonly object[]): readonly Entry[] => entries as readonly Entry[];

const PAGE = 50;

/** The entries of the ledger, the newest first. */
export function ledgerPage(place: Place, { gate, failed }: PageParts): Page {
  const upTo = Number(/^\d{1,15}$/.exec(place.query.get("to") ?? "")?.[0] ?? Number.NaN);
  const isNewest = Number.isNaN(upTo);
  const rows = el("div", { class: "entries" });
  const ways = el("p", { class: "ways" });
  const note = el("p", { class: "note", role: "status" });
  const tell = (error: unknown) => {
    failed(error);
    fill(note, ...sentence(problemInWords(error)));
  };
  const load = coalesced(async () => {
    const size = isNewest ? (await gate.ledgerEntries({ limit: 1 }).catch(tell))?.size : upTo;
    if (size === undefined) return;
    const from = Math.max(0, size - PAGE);
    const got = await gate.ledgerEntries({ limit: PAGE, cursor: String(from) }).catch(tell);
    if (!got) return;
    const entries = entriesFrom(got.entries)
      .filter(({ seq }) => isNewest || seq <= upTo)
      .toReversed();
    fill(rows, ...entries.map(entryRow));
    fill(
      ways,
      `${got.size} entries. `,
      isNewest ? null : el("a", { href: placeAt("ledger") }, "newest"),
      " ",
      from === 0 ? null : el("a", { href: placeAt("ledger", null, { to: String(from) }) }, "older"),
    );
  });
  load();
  return {
    title: "Ledger",
    element: el(
      "main",
      { class: "wide", id: "main" },
      el("h1", {}, "Ledger"),
      verifier(gate, failed),
      note,
      rows,
      ways,
    ),
    hear: ({ id }) => {
      if (id !== null && isNewest) load();
    },
  };
}

export function entryRow({ seq, at, kind, actor, callId }: Entry): HTMLElement {
  return el(
    "p",
    { class: "entry" },
    el("a", { href: placeAt("ledger", String(seq)) }, String(seq)),
    moment(at),
    el("b", {}, foreign(kind)),
    foreign(actor),
    callId === null ? null : el("a", { href: placeAt("calls", callId), title: callId }, "call"),
  );
}

interface Report {
  readonly ok: boolean;
  readonly entries?: number;
  readonly checkpoints?: number;
  readonly anchoredTo?: number;
  readonly findings?: readonly Finding[];
}

/** Has all of it read, and says what was found. */
function verifier(gate: PageParts["gate"], failed: (error: unknown) => void): HTMLElement {
  const result = el("output", { class: "verified", "aria-live": "polite" });
  const verify = async () => {
    fill(result, "reading all of it …");
    try {
      const report = (await gate.verifyLedger()) as Report;
      const { ok, findings = [] } = report;
      result.dataset["state"] = ok ? "COMPLETED" : "FAILED";
      const counts = `${report.entries ?? "?"} entries, ${report.checkpoints ?? "?"} signed checkpoints, signed up to entry ${report.anchoredTo ?? "?"}`;
      fill(
        result,
        el("b", {}, ok ? "intact " : "not what was written: "),
        counts,
        findings.length > 0 && el("ul", {}, ...findings.map((finding) => el("li", {}, ...sentence(inWords(finding))))),
        !ok && findings.length === 0 && valueBlock(report),
      );
    } catch (error) {
      failed(error);
      fill(result, ...sentence(problemInWords(error)));
    }
  };
  return el(
    "div",
    { class: "verify" },
    more("Verify the ledger", () => void verify()),
    result,
  );
}

/** Of a kind that this console does not know, as it is. */
function inWords(finding: Finding): string {
  return describeFinding(finding) ?? JSON.stringify(finding);
}
