import type { Journal } from "../../src/ports/journal.ts";
import { SqliteJournal } from "../../src/store/sqlite/journal.ts";
import { systemClock } from "../../src/wiring/system-clock.ts";
import { unsteadyJournal } from "./unsteady-journal.ts";

/** A journal that takes changes of calls and nothing else: what is to be told beside them fails. */
export const untoldJournal = (stateDir: string): Journal =>
  unsteadyJournal(new SqliteJournal({ stateDir, durability: "normal", owner: "o", clock: systemClock }), ({ to }) =>
    to === "note" ? "fails" : "none",
  );
