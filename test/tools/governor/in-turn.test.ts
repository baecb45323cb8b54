import { describe, expect, it } from "vitest";
import type { GovernorSays } from "../../../src/domain/feedback.ts";
import { LIMITS } from "../../../src/domain/limits.ts";
import type { Governor } from "../../../src/ports/governor.ts";
import { governorsFrom } from "../../../src/tools/governor/governors-from.ts";
import { GovernorPlaces, inTurn } from "../../../src/tools/governor/in-turn.ts";
import { NEVER } from "../../support/sample-calls.ts";
import { openGovernorScratch, QUESTION } from "./governor-ports.ts";

const MOST = LIMITS.governorPrograms.default;
const YES: GovernorSays = { status: "approve", messages: [] };

/** A governor that answers when it is told to, and how many were asked. */
function slow() {
  const open: PromiseWithResolvers<GovernorSays>[] = [];
  const ask: Governor["ask"] = () => {
    const answer = Promise.withResolvers<GovernorSays>();
    open.push(answer);
    return answer.promise;
  };
  return { open, governor: inTurn({ id: "g", requiresManual: false, ask }, new GovernorPlaces()) };
}

describe("programs of governors", () => {
  it("are so many at a time, and each that ends lets another begin", async () => {
    const { open, governor } = slow();
    const asked = Array.from({ length: 3 * MOST }, () => governor.ask(QUESTION, NEVER));
    await expect.poll(() => open.length).toBe(MOST);
    for (let ended = 1; ended <= 3 * MOST; ended++) {
      open[ended - 1]?.resolve(YES);
      await expect.poll(() => open.length).toBe(Math.min(MOST + ended, 3 * MOST));
    }
    expect(await Promise.all(asked)).toEqual(asked.map(() => YES));
  });

  it("begin as well after one that failed", async () => {
    const { open, governor } = slow();
    const asked = Array.from({ length: MOST + 1 }, () => governor.ask(QUESTION, NEVER));
    await expect.poll(() => open.length).toBe(MOST);
    open[0]?.reject(new Error("broken"));
    await expect(asked[0]).rejects.toThrow("broken");
    await expect.poll(() => open.length).toBe(MOST + 1);
  });

  it("that nobody waits for any longer take no place", async () => {
    const { open, governor } = slow();
    const running = Array.from({ length: MOST }, () => governor.ask(QUESTION, NEVER));
    const caller = new AbortController();
    const left = governor.ask(QUESTION, caller.signal);
    caller.abort();
    expect(await left).toMatchObject({ status: "error" });
    expect(await governor.ask(QUESTION, AbortSignal.abort())).toMatchObject({ status: "error" });
    for (const one of open) one.resolve(YES);
    await Promise.all(running);
    void governor.ask(QUESTION, NEVER);
    expect(open).toHaveLength(MOST);
    await expect.poll(() => open.length).toBe(MOST + 1);
  });

  it("share the places, however many governors there are", async () => {
    using scratch = openGovernorScratch();
    let started = 0;
    const sandbox = { ...scratch.parts.sandbox, missing: () => null };
    const resolve = () => {
      started++;
      return new Promise<never>(() => {});
    };
    const specs = ["a", "b", "c"].map((id) => ({
      ...{ id, timeoutMs: 5000, requiresManual: false },
      way: { kind: "script", command: ["x"], grant: { read: [], write: [], connect: [] } } as const,
    }));
    const settings = { stopOnFirstReject: false, autoDecision: null };
    const { governors } = governorsFrom({ specs, settings }, [], { ...scratch.parts, sandbox, programs: { resolve } });
    for (const governor of governors) for (let n = 0; n < MOST; n++) void governor.ask(QUESTION, NEVER);
    await expect.poll(() => started).toBe(MOST);
  });
});
