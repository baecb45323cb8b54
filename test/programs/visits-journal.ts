// Opens a journal, commits one refused call, and closes it again.
// node visits-journal.ts <state directory> <call id> [full or normal]

import { SqliteJournal } from "../../src/store/sqlite/journal.ts";
import { systemClock } from "../../src/wiring/system-clock.ts";
import { first, mustCommit } from "../store/changes.ts";

const [stateDir = "", callId = "", durability = "full"] = process.argv.slice(2);
const journal = new SqliteJournal({
  stateDir,
  durability: durability === "full" ? "full" : "normal",
  owner: `owner_of_${callId}`,
  clock: systemClock,
});
mustCommit(await journal.commit(first(callId, "refused")));
await journal.close();
