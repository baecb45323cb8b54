import { expect } from "vitest";
import type { Answered } from "../../src/domain/question.ts";
import { entriesIn, rowsIn } from "../support/scratch-gate.ts";
import { type StartedProgram, startProgram } from "../support/started-program.ts";
import { openDeskFolder, openDeskGate, runsIn, stateDirOf } from "./desk-gate.ts";

/** What one process was told of its answer. */
interface Told {
  readonly kind: string;
  readonly winner: Answered;
}

export interface RaceFigures {
  readonly questions: number;
  /** By process: how many of its answers were the first. */
  readonly won: readonly number[];
  readonly approved: number;
}

/** Many processes answer the same questions at the same time, each with the other's opposite, and then all run them. */
export async function race(questions: number, processes: number): Promise<RaceFigures> {
  using desk = openDeskFolder("normal");
  const { folder } = desk;
  await using stack = new AsyncDisposableStack();
  const people = Array.from({ length: processes }, () => stack.use(startProgram("sits-at-desk.ts", [folder])));
  const ids = (await say(people[0], { ask: questions })) as readonly string[];
  expect(new Set(ids).size).toBe(questions);

  await Promise.all(people.map((person) => say(person, { carryOn: ids.slice(0, 1) }))); // all are there, and connected

  const winners: Winner[] = [];
  for (let at = 0; at < questions; at += AT_A_TIME)
    winners.push(...(await answers(people, ids.slice(at, at + AT_A_TIME))));
  const carried = (await Promise.all(people.map((person) => say(person, { carryOn: ids })))) as (string | null)[][];
  await Promise.all(people.map((person) => person.ended()));
  await checkLedger(folder, ids, winners);
  checkRuns(folder, winners, carried);
  return {
    questions,
    won: people.map((_, i) => winners.filter((winner) => winner.who === `person ${i}`).length),
    approved: winners.filter(({ kind }) => kind === "approve").length,
  };
}

/** An even number, so that who begins with a yes begins with one each time. After so many all begin anew: who fell behind races again. */
const AT_A_TIME = 50;

async function answers(people: readonly StartedProgram[], ids: readonly string[]): Promise<readonly Winner[]> {
  const told = (await Promise.all(
    people.map((person, i) =>
      say(person, { answer: ids, who: `person ${i}`, first: i % 2 === 0 ? "approve" : "reject" }),
    ),
  )) as readonly (readonly Told[])[];
  return ids.map((_, at) => onlyWinner(told.map((results) => results[at])));
}

async function say(person: StartedProgram | undefined, command: object): Promise<unknown> {
  person?.tell(JSON.stringify(command));
  return JSON.parse((await person?.line()) ?? "null");
}

type Winner = Extract<Answered, { who: string }>;

/** One answer was recorded; everybody, the losers too, was told that one. */
function onlyWinner(told: readonly (Told | undefined)[]): Winner {
  const recorded = told.filter((one) => one?.kind === "recorded");
  expect(recorded).toHaveLength(1);
  expect(told.filter((one) => one?.kind === "conflict")).toHaveLength(told.length - 1);
  const winner = recorded[0]?.winner as Winner;
  expect(winner.who).toBe(`person ${told.indexOf(recorded[0])}`);
  for (const one of told) expect(one?.winner).toEqual(winner);
  return winner;
}

async function checkLedger(folder: string, ids: readonly string[], winners: readonly Winner[]): Promise<void> {
  const gate = openDeskGate(folder);
  const answers = Map.groupBy(
    entriesIn(stateDirOf(folder)).filter(({ kind }) => kind === "approval.answered"),
    ({ callId }) => callId,
  );
  for (const [i, id] of ids.entries()) {
    const question = await gate.approvals.find(id);
    expect(question?.answer).toEqual(winners[i]);
    const written = answers.get(question?.callId ?? "") ?? [];
    expect(written.map(({ seq, hash, body }) => ({ seq, hash, body }))).toEqual([
      { ...question?.receipt, body: { answer: winners[i]?.kind, reason: null, who: winners[i]?.who } },
    ]);
  }
  expect(await gate.ledger.verify()).toMatchObject({ ok: true });
  await gate.close();
}

/** All processes went on with all calls: each approved one ran once, and no other did. */
function checkRuns(folder: string, winners: readonly Winner[], carried: readonly (readonly (string | null)[])[]): void {
  const approved = winners.filter(({ kind }) => kind === "approve").length;
  const runs = runsIn(folder);
  expect([...runs.values()].filter((times) => times !== 1)).toEqual([]);
  expect(runs.size).toBe(approved);
  for (const [at, { kind }] of winners.entries()) {
    const ends = carried.map((outcomes) => outcomes[at]);
    expect(ends.filter((end) => end === "completed")).toHaveLength(kind === "approve" ? 1 : 0);
    // Whoever came later found it running, or done.
    for (const end of ends) expect([null, "completed", "ILLEGAL_TRANSITION"]).toContain(end);
  }
  const states = Object.groupBy(rowsIn(stateDirOf(folder)), ({ state }) => state);
  expect([states.completed?.length ?? 0, states.rejected?.length ?? 0]).toEqual([approved, winners.length - approved]);
}
