import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { Entry } from "../../../src/index.ts";
import { CASES, type ContractCase, type DoorName } from "./cases.ts";
import { openPlace, type Place } from "./place.ts";

/** A call as a door's own client makes it. */
export interface Asked {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly key?: string;
  /** The token of a session. Without one the call is the door's own user's. */
  readonly token?: string;
  /** Resolves when the caller cancels. */
  readonly cancel?: Promise<void>;
  /** Whether the client listens to what the tool prints while it runs. */
  readonly listens?: boolean;
}

/** What the client read on its wire. */
export interface Heard {
  /** `completed`, or the gate's code; null if this wire does not say it for this call. */
  readonly ends: string | null;
  /** How the wire itself says it: a status, an error number, a state. */
  readonly wire: string;
  readonly text: string;
  readonly progress?: string;
  /** The hash under which a long result is kept, if the wire says it. */
  readonly blob?: string | null;
}

export interface DoorClient extends AsyncDisposable {
  readonly call: (asked: Asked) => Promise<Heard>;
}

export interface DoorUnderContract {
  readonly name: DoorName;
  readonly open: (place: Place) => Promise<DoorClient>;
  /** How each end looks on this wire. */
  readonly wire: Readonly<Record<string, string>>;
  /** By case: what this wire does not say although it carries the call, and why. */
  readonly unsaid?: Readonly<Record<string, string>>;
}

const SLOW_MS = 120_000;

/** The suite that each door passes. */
export function keepsTheContract({ name, open, wire, unsaid = {} }: DoorUnderContract): void {
  describe(`${name}: the same calls end alike and leave the same entries`, () => {
    let place: Place;
    let door: DoorClient;
    beforeAll(async () => {
      place = await openPlace();
      door = await open(place);
    });
    afterAll(async () => {
      await door?.[Symbol.asyncDispose]();
      await place?.[Symbol.asyncDispose]();
    });

    for (const [title, row] of Object.entries(CASES)) {
      const gap = row.gaps?.[name];
      if (gap !== undefined) {
        it.skip(`${title} (${gap})`, () => {});
        continue;
      }
      it(title, async () => {
        const before = place.operator.ledger.size();
        const heard = await make(row, door, place);
        if (unsaid[title] === undefined) {
          expect(heard.ends).toBe(row.ends);
          if (row.says !== undefined) expect(heard.text).toContain(row.says);
        }
        expect(heard.wire).toBe(wire[unsaid[title] === undefined ? row.ends : title]);
        if (row.hides !== undefined) expect(JSON.stringify(heard)).not.toContain(row.hides);
        if (row.isKept && heard.blob !== undefined) expect(heard.blob).toMatch(/^[0-9a-f]{64}$/);
        if (row.caller === "listens") expect(heard.progress).toContain("first");
        // A door that answers nothing to a cancelled call does not say when its end is recorded either.
        if (heard.ends === null) await vi.waitFor(() => check(row, place, before), { timeout: SLOW_MS });
        check(row, place, before);
      });
    }
  });
}

function check(row: ContractCase, { operator }: Place, before: number): void {
  const entries = [...operator.ledger.entries({ from: before + 1, to: Number.MAX_SAFE_INTEGER })];
  expect(entries.filter(({ callId }) => callId !== null).map(wordsOf)).toEqual(row.entries);
}

/** The facts of an entry that don't depend on who made the call, where and when. */
function wordsOf({ kind, body }: Entry): string {
  const [, what = kind] = kind.split(".");
  const facts = {
    "tool.requested": [body["tool"]],
    "tool.decided": [body["decision"], body["code"], body["ruleId"]],
    "approval.answered": [body["answer"]],
    "tool.executed": [body["outcome"], body["code"]],
  }[kind as string];
  return [what, ...(facts ?? [])].filter((fact) => fact !== null && fact !== undefined).join(" ");
}

async function make(row: ContractCase, door: DoorClient, place: Place): Promise<Heard> {
  const { operator } = place;
  const opened = row.lease === undefined ? null : await operator.sessions.open(row.lease as never);
  if (opened?.kind === "refused") throw new Error(opened.refusal.message);
  const asked = {
    tool: row.tool,
    input: row.input,
    ...(row.key !== undefined && { key: row.key }),
    ...(opened !== null && { token: opened.token }),
    ...(row.caller === "listens" && { listens: true }),
  };
  if (row.first !== undefined) expect((await door.call({ ...asked, input: row.first })).ends).toBe("completed");
  if (row.caller === "cancels") return await door.call({ ...asked, cancel: untilItRuns(place) });
  const calling = door.call(asked);
  // A failed call is reported by the call itself, and not by the wait for its question.
  await Promise.race([calling, row.person === undefined ? null : answer(row.person, place)]);
  return await calling;
}

async function untilItRuns({ operator }: Place): Promise<void> {
  const from = operator.ledger.size() + 1;
  const isDecided = () =>
    [...operator.ledger.entries({ from, to: Number.MAX_SAFE_INTEGER })].some(({ kind }) => kind === "tool.decided");
  await vi.waitFor(() => expect(isDecided()).toBe(true), { timeout: SLOW_MS });
}

async function answer(how: NonNullable<ContractCase["person"]>, { operator, put }: Place): Promise<void> {
  const approvalId = await vi.waitFor(
    async () => {
      const [question] = await operator.approvals.list();
      if (question === undefined) throw new Error("no question is open");
      return question.approvalId;
    },
    { timeout: SLOW_MS },
  );
  if (how === "approves what has changed since") put("asked/changed.txt", "as it is now\n");
  using _later = how === "comes too late" ? laterByAnHour() : null;
  const kind = how === "rejects" ? "reject" : "approve";
  const answered = await operator.approvals.answer(approvalId, { kind, who: "ann" });
  // As `toolgate approvals` does: a call that nobody waits for any more is run by whoever approved it.
  if ("question" in answered) await operator.approvals.carryOn(answered.question);
}

/** The operator's clock, for as long as it is not disposed of. */
function laterByAnHour(): Disposable {
  const now = Date.now() + 3_600_000;
  const spy = vi.spyOn(Date, "now").mockReturnValue(now);
  return { [Symbol.dispose]: () => spy.mockRestore() };
}
