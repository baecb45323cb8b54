// A journal that does what the lines of its input say, one after the other, and prints a line of JSON for each: what
// became of it. Its clock stands until it is moved, but for the moments that it waits for another process's lock.
// node commits-changes.ts <state directory> [full or normal]
//
//   {"commit": ["a", "b"]}   a refused call for each id, all at once
//   {"note": 2}              so many notes, all at once
//   {"move": 1000}           moves the clock
//   {"checkpoint": true}     signs the ledger
//   {"answer": "id"}         approves the call of this id, which waits for an answer

import { createInterface } from "node:readline";
import { SqliteJournal } from "../../src/store/sqlite/journal.ts";
import { systemClock } from "../../src/wiring/system-clock.ts";
import { answered, codeOf, draftFor, first } from "../store/changes.ts";
import { handClock } from "../support/hand-clock.ts";

interface Command {
  readonly commit?: readonly string[];
  readonly note?: number;
  readonly move?: number;
  readonly checkpoint?: true;
  readonly answer?: string;
}

const [stateDir = "", durability = "full"] = process.argv.slice(2);
const MOMENT_MS = 20;
const clock = handClock();
const owner = `owner_${process.pid}`;
const journal = new SqliteJournal({
  stateDir,
  durability: durability === "full" ? "full" : "normal",
  owner,
  clock: { ...clock, after: (ms, task) => (ms > MOMENT_MS ? clock : systemClock).after(ms, task) },
});

for await (const line of createInterface({ input: process.stdin })) {
  const said = await done(JSON.parse(line)).catch((error: Error) => ({ error: error.message }));
  process.stdout.write(`${JSON.stringify(said)}\n`);
}
await journal.close();

async function done({ commit = [], note = 0, move, checkpoint, answer }: Command): Promise<unknown> {
  if (move !== undefined) clock.move(move);
  if (checkpoint) return await journal.checkpoint();
  const given = [
    ...commit.map((id) => journal.commit(first(id, "refused", { call: { owner } }))),
    ...Array.from({ length: note }, (_, n) => journal.note(draftFor(`note ${n}`))),
    ...(answer === undefined ? [] : [journal.commit(answered(answer, { kind: "approve", who: "ann" }))]),
  ];
  return (await Promise.all(given)).map(codeOf);
}
