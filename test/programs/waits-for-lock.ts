// Holds the write lock of a journal with one connection, commits with another, and prints what came of it.
// Its clock is the product's in that a timer alone does not keep the process alive, but it runs much faster.
// node waits-for-lock.ts <state directory>

import { DatabaseSync } from "node:sqlite";
import { SqliteJournal } from "../../src/store/sqlite/journal.ts";
import { journalFile } from "../../src/store/sqlite/open-database.ts";
import { systemClock } from "../../src/wiring/system-clock.ts";
import { codeOf, first, mustCommit } from "../store/changes.ts";

const [stateDir = ""] = process.argv.slice(2);
let passedMs = 0;
const clock = {
  ...systemClock,
  monotonicMs: () => passedMs,
  after: (delayMs: number, task: () => void) => {
    passedMs += delayMs;
    return systemClock.after(1, task);
  },
};
const journal = new SqliteJournal({ stateDir, durability: "full", owner: "owner_waiting", clock });
mustCommit(await journal.commit(first("a", "refused")));
const other = new DatabaseSync(journalFile(stateDir));
other.exec("BEGIN IMMEDIATE");
process.stdin.destroy();
process.stdout.write(`${codeOf(await journal.commit(first("b", "refused")))}\n`);
other.exec("ROLLBACK");
process.stdout.write(`${codeOf(await journal.commit(first("c", "refused")))}\n`);
other.close();
await journal.close();
