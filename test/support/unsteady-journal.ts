import type { Change, Committed, Journal } from "../../src/ports/journal.ts";

const UNAVAILABLE: Committed = {
  kind: "failed",
  refusal: { code: "LEDGER_UNAVAILABLE", stage: "journal", message: "the disk is full" },
};

/** A journal that fails where a test says so, and else is the one behind it. */
export function unsteadyJournal(journal: Journal, trouble: (change: Change) => "none" | "fails" | "throws"): Journal {
  return {
    commit: async (change) => {
      switch (trouble(change)) {
        case "fails":
          return UNAVAILABLE;
        case "throws":
          throw new Error("the journal fell over");
        default:
          return await journal.commit(change);
      }
    },
    close: () => journal.close(),
  };
}
