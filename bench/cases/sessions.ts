import { createHash, randomBytes } from "node:crypto";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { EVERYTHING } from "../../src/domain/lease.ts";
import { LeaseClock } from "../../src/sessions/lease-clock.ts";
import { LeasesInForce } from "../../src/sessions/leases-in-force.ts";
import { Sessions } from "../../src/sessions/sessions.ts";
import { SqliteJournal } from "../../src/store/sqlite/journal.ts";
import { systemClock } from "../../src/wiring/system-clock.ts";
import { systemIds } from "../../src/wiring/system-ids.ts";
import type { Case, Suite } from "../harness.ts";

const SESSIONS = 100_000;
const CHECKS = 200;
const OPENED = 10;

/** Opening a session and checking a token cost the same with a hundred thousand sessions as with none. */
export const sessions: Suite = {
  name: "sessions",
  rounds: 40,
  warmUpRounds: 10,
  aims: [
    {
      says: "checking a token, 100,000 sessions / one",
      value: (usOf) => usOf("check, 100,000 sessions") / usOf("check, few sessions"),
      unit: "ratio",
      bound: { atMost: 1.5 },
    },
    {
      says: "opening a session, 100,000 sessions / one",
      value: (usOf) => usOf("open, 100,000 sessions") / usOf("open, few sessions"),
      unit: "ratio",
      bound: { atMost: 1.5 },
    },
  ],
  open: async ({ scratch }) => {
    const few = await withSessions(scratch.makeFolder("few"), 1);
    const many = await withSessions(scratch.makeFolder("many"), SESSIONS);
    const cases = (name: string, { all, tokens }: Opened): readonly Case[] => [
      { name: `check, ${name}`, unitsPerRound: CHECKS, round: () => checked(all, tokens) },
      { name: `open, ${name}`, unitsPerRound: OPENED, round: () => opened(all) },
    ];
    return {
      note: "a hundred thousand rows, tokens taken from all of them in turn; durability normal",
      cases: [...cases("few sessions", few), ...cases("100,000 sessions", many)],
      close: async () => {
        await few.close();
        await many.close();
      },
    };
  },
};

interface Opened {
  readonly all: Sessions;
  readonly tokens: readonly string[];
  readonly close: () => Promise<void>;
}

async function checked(all: Sessions, tokens: readonly string[]): Promise<void> {
  for (let i = 0; i < CHECKS; i++) {
    const found = await all.check(tokens[(i * 7919) % tokens.length] as string);
    if (found.kind !== "open") throw new Error("a token that was given is none");
  }
}

async function opened(all: Sessions): Promise<void> {
  for (let i = 0; i < OPENED; i++) await all.open({ tools: ["read_file"], read: ["./**"] });
}

async function withSessions(stateDir: string, count: number): Promise<Opened> {
  const clock = systemClock;
  const ids = systemIds(clock.nowMs);
  const journal = new SqliteJournal({ stateDir, durability: "normal", owner: ids.next("owner"), clock });
  const faults = {
    report: (cause: unknown) => {
      throw cause;
    },
  };
  const leases = new LeasesInForce(
    { sessions: journal.sessions, taken: (id) => journal.taken(id), used: (id) => journal.used(id) },
    new LeaseClock(clock),
    "/w",
    faults,
  );
  const implicit = { id: ids.next("session"), project: "default", lease: EVERYTHING };
  const all = new Sessions({
    ...{ journal, clock, faults, ids, leases, randomBytes, implicit },
    project: "default",
    workspace: "/w",
    actor: "bench",
    withdraw: async () => {},
  });
  const first = await all.open({ tools: ["read_file"], read: ["./**"] });
  if (first.kind === "refused") throw new Error(first.refusal.message);
  return { all, tokens: [first.token, ...copies(stateDir, first.session.id, count - 1)], close: () => journal.close() };
}

/** Rows like the first, each with a token of its own; opening them one by one would take minutes. */
function copies(stateDir: string, sessionId: string, count: number): readonly string[] {
  const db = new DatabaseSync(join(stateDir, "journal.db"));
  const add = db.prepare(
    `INSERT INTO sessions SELECT ?, project, parent_id, ?, lease, label, opened_by, opened_ms, NULL, NULL, NULL
     FROM sessions WHERE session_id = ?`,
  );
  const tokens: string[] = [];
  db.exec("BEGIN");
  for (let i = 0; i < count; i++) {
    const name = i.toString(16).padStart(32, "0");
    const token = `tgs_${name}.${randomBytes(32).toString("base64url")}`;
    add.run(`session_${name}`, createHash("sha256").update(token).digest(), sessionId);
    tokens.push(token);
  }
  db.exec("COMMIT");
  db.close();
  return tokens;
}
