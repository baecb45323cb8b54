import type { Change, Committed, Journal } from "../../src/ports/journal.ts";

const UNAVAILABLE: Committed = {
  kind: "failed",
  refusal: { code: "LEDGER_UNAVAILABLE", stage: "journal", message: "the disk is full" },
};

/** What the journal is about to be told: a change, or something that is no change of a call. */
export type Told = Change | { readonly from: "note"; readonly to: "note" };

/** A journal that fails where a test says so, and else is the one behind it. */
export function unsteadyJournal(journal: Journal, trouble: (told: Told) => "none" | "fails" | "throws"): Journal {
  const unless = async (told: Told, commit: () => Promise<Committed>): Promise<Committed> => {
    switch (trouble(told)) {
      case "fails":
        return UNAVAILABLE;
      case "throws":
        throw new Error("the journal fell over");
      default:
        return await commit();
    }
  };
  return {
    commit: (change) => unless(change, () => journal.commit(change)),
    note: (entry) => unless({ from: "note", to: "note" }, () => journal.note(entry)),
    lastNote: (kind) => journal.lastNote(kind),
    questions: journal.questions,
    sessions: journal.sessions,
    keys: journal.keys,
    taken: (leaseId) => journal.taken(leaseId),
    used: (leaseId) => journal.used(leaseId),
    changeSession: (change) => unless({ from: "note", to: "note" }, () => journal.changeSession(change)),
    close: () => journal.close(),
  };
}
