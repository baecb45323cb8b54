import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { Entry } from "../../src/domain/entry.ts";
import { type CallState, isTerminal } from "../../src/domain/state.ts";
import type { RuleSource } from "../../src/rules/rule.ts";
import { MEMORY } from "../support/memory.ts";
import { entriesIn, rowsIn } from "../support/scratch-gate.ts";
import { counterFile, historyFile, openCounting, type Seen } from "./counting-gate.ts";

export const MODES = ["allowed", "asked", "refused"] as const;
export type Mode = (typeof MODES)[number];

const EFFECT = { allowed: "allow", asked: "ask", refused: "deny" } as const satisfies Record<
  Mode,
  RuleSource["effect"]
>;

/** A folder for a process that will be killed: workspace, rules, room for state. Who is killed needs no disk. */
export function openVictim(mode: Mode): { readonly folder: string } & Disposable {
  const folder = realpathSync(mkdtempSync(join(MEMORY, "toolgate-kill-")));
  mkdirSync(join(folder, "ws", "out"), { recursive: true });
  const rules = [{ id: mode, effect: EFFECT[mode], touch: { write: ["./**"] } }];
  writeFileSync(join(folder, "toolgate.yaml"), JSON.stringify({ workspace: "ws", state: "state", rules }));
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Starts anew on the state that was left, makes one call, and looks at everything. */
export async function restartAndCheck(folder: string): Promise<Summary> {
  const next = openCounting(folder);
  await next.call(0);
  const verdict = await next.gate.ledger.verify();
  await next.gate.close();
  expect(verdict).toMatchObject({ ok: true });
  return checkInvariants(folder);
}

export interface Summary {
  readonly states: Readonly<Record<string, number>>;
  /** Drafts of writes that were killed between making and publishing them. */
  readonly drafts: number;
}

/** I1 to I4 over what the callers saw, what the counter holds, and what the store says. */
function checkInvariants(folder: string): Summary {
  const stateDir = join(folder, "state");
  const seen = linesOf(historyFile(folder)).map((line) => JSON.parse(line) as Seen);
  const counts = Map.groupBy(linesOf(counterFile(folder)), (callId) => callId);
  const entries = entriesIn(stateDir);
  const entriesOf = Map.groupBy(entries, ({ callId }) => callId);
  const rows = new Map(rowsIn(stateDir).map((row) => [row.callId, row.state as CallState]));

  const problems: string[] = [];
  const check = (holds: boolean, what: string, callId: string) => {
    if (!holds) problems.push(`${what}: ${callId} ${rows.get(callId)} ${JSON.stringify(entriesOf.get(callId))}`);
  };

  for (const [callId, state] of rows) {
    const own = entriesOf.get(callId) ?? [];
    const ran = counts.get(callId)?.length ?? 0;
    check(isTerminal(state), "I1 no terminal state", callId);
    check(own.filter(isEnd).length === 1, "I1 not exactly one end", callId);
    check(ran <= 1, "I2 ran twice", callId);
    const isStarted = own.some(isStart);
    if (!isStarted) check(ran === 0 && state !== "completed" && state !== "unknown", "I3 ran without a start", callId);
    if (isStarted) check(isAllowedBeforeStart(own), "I3 started without a yes", callId);
    check(own.filter(({ kind }) => kind === "approval.answered").length <= 1, "I5 two answers", callId);
    const hasOwnEnd = own.some(({ kind, body }) => kind === "tool.executed" && body["outcome"] !== "unknown");
    if (isStarted && !hasOwnEnd) check(state === "unknown", "started without an end is not unknown", callId);
  }
  for (const callId of counts.keys()) check(rows.has(callId), "I3 ran and is in no store", callId);
  for (const one of seen) {
    const state = rows.get(one.callId);
    if (one.event === "made") {
      if (state !== "completed") continue;
      // A completed write is there in full; a completed count has counted.
      if (one.tool === "write_file")
        check(existsSync(join(folder, "ws", one.path)), "I2 completed, not written", one.callId);
      else check(counts.get(one.callId)?.length === 1, "I2 completed, not counted", one.callId);
    } else {
      const entry = entries[(one.receipt?.seq ?? 0) - 1];
      check(entry?.hash === one.receipt?.hash && entry?.callId === one.callId, "I4 acknowledged and lost", one.callId);
      check(state !== undefined && kindOf(state) === one.kind, "I4 another outcome than was told", one.callId);
    }
  }
  expect(problems).toEqual([]);
  const states = Object.groupBy(rows.values(), (state) => state);
  return {
    states: Object.fromEntries(Object.entries(states).map(([state, calls]) => [state, calls.length])),
    drafts: readdirSync(join(folder, "ws", "out")).filter((name) => name.startsWith(".toolgate-")).length,
  };
}

const linesOf = (path: string): readonly string[] =>
  existsSync(path) ? readFileSync(path, "utf8").split("\n").slice(0, -1) : [];

const isEnd = ({ kind, body }: Entry): boolean =>
  kind === "tool.executed" ||
  (kind === "tool.decided" && body["decision"] === "deny") ||
  (kind === "approval.answered" && body["answer"] !== "approve");

/** An allow is written in the commit that starts the call. */
const isStart = ({ kind, body }: Entry): boolean =>
  kind === "tool.started" || (kind === "tool.decided" && body["decision"] === "allow");

function isAllowedBeforeStart(own: readonly Entry[]): boolean {
  const start = own.findIndex(isStart);
  if (own[start]?.kind === "tool.decided") return true;
  const before = own.slice(0, start);
  return (
    before.some(({ kind, body }) => kind === "tool.decided" && body["decision"] === "ask") &&
    before.some(({ kind, body }) => kind === "approval.answered" && body["answer"] === "approve")
  );
}

function kindOf(state: CallState): string {
  if (state === "completed" || state === "unknown") return state;
  return state === "failed" || state === "timed_out" ? "failed" : "refused";
}
