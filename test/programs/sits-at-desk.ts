// A gate with the tool `count`, and nobody to ask. Does what the lines of its input say, one after the other, and prints
// one line of JSON for each. At the end of the input it closes the gate.
// node sits-at-desk.ts <folder> [border]   with a border: kills itself when a call that it carries on comes to it
//
//   {"ask": n}                           makes n calls that nobody waits for: the ids of their questions
//   {"wait": true}                       makes a call and waits for it: the id of its question
//   {"answer": [ids], "who": …, "first": "approve" or "reject"}   answers, alternately: what came of each
//   {"carryOn": [ids]}                   goes on with approved calls: how each ended, or null
//   {"both": id}                         approves and goes on at once

import { createInterface } from "node:readline";
import type { Outcome } from "../../src/domain/outcome.ts";
import type { PersonsAnswer } from "../../src/domain/question.ts";
import { openDeskGate } from "../approval/desk-gate.ts";

interface Command {
  readonly ask?: number;
  readonly wait?: true;
  readonly answer?: readonly string[];
  readonly who?: string;
  readonly first?: PersonsAnswer["kind"];
  readonly carryOn?: readonly string[];
  readonly both?: string;
}

/** Never the same number, so that what two processes commit at a time overlaps in every way. */
const someAtOnce = () => 1 + Math.floor(Math.random() * 30);
const [folder = "", border = ""] = process.argv.slice(2);
let isCarrying = false;
const gate = openDeskGate(folder, {
  reached: (at) => {
    if (isCarrying && at === border) process.kill(process.pid, "SIGKILL");
  },
});

for await (const line of createInterface({ input: process.stdin })) {
  const said = await done(JSON.parse(line));
  process.stdout.write(`${JSON.stringify(said)}\n`);
}
await gate.close();

async function done({ ask, wait, answer, who = "", first = "approve", carryOn, both }: Command): Promise<unknown> {
  if (ask !== undefined) return inBatches(Array.from({ length: ask }), asked);
  if (wait) return waited();
  if (answer) return inBatches(answer, (id, i) => answered(id, { kind: i % 2 === 0 ? first : other(first), who }));
  if (carryOn) return inBatches(carryOn, carriedOn);
  if (both !== undefined) {
    await answered(both, { kind: "approve", who });
    if (border === "given") process.kill(process.pid, "SIGKILL");
    return carriedOn(both);
  }
  return null;
}

function other(kind: PersonsAnswer["kind"]): PersonsAnswer["kind"] {
  return kind === "approve" ? "reject" : "approve";
}

async function asked(): Promise<string> {
  const outcome = await gate.call({ tool: "count", input: {} }, { whenAsked: "return" });
  if (outcome.kind !== "pending") throw new Error(JSON.stringify(outcome));
  return outcome.approval.id;
}

async function waited(): Promise<string | undefined> {
  void gate.call({ tool: "count", input: {} });
  for (;;) {
    const [question] = await gate.approvals.list();
    if (question) return question.approvalId;
  }
}

async function answered(id: string, answer: PersonsAnswer): Promise<unknown> {
  const result = await gate.approvals.answer(id, answer);
  return { kind: result.kind, winner: "question" in result ? result.question.answer : null };
}

async function carriedOn(id: string): Promise<string | null> {
  isCarrying = true;
  const question = await gate.approvals.find(id);
  const outcome = question && (await gate.approvals.carryOn(question));
  return outcome && nameOf(outcome);
}

function nameOf(outcome: Outcome): string {
  return outcome.kind === "refused" ? outcome.refusal.code : outcome.kind;
}

async function inBatches<T, R>(items: readonly T[], use: (item: T, i: number) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = [];
  for (let at = 0; at < items.length; at = results.length)
    results.push(...(await Promise.all(items.slice(at, at + someAtOnce()).map((item, i) => use(item, at + i)))));
  return results;
}
