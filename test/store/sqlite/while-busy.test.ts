import { describe, expect, it } from "vitest";
import { LIMITS } from "../../../src/domain/limits.ts";
import { whileBusy } from "../../../src/store/sqlite/while-busy.ts";
import { startProgram } from "../../support/started-program.ts";
import { hastyClock } from "../hasty-clock.ts";
import { openScratch } from "../state-dir.ts";

const busy = Object.assign(new Error("database is locked"), { errcode: 5 });
const full = Object.assign(new Error("database or disk is full"), { errcode: 13 });

/** Fails so often, then gives the number of attempts. */
const failing = (times: number, error: Error) => {
  let attempts = 0;
  return () => {
    attempts += 1;
    if (attempts <= times) throw error;
    return attempts;
  };
};

describe("whileBusy", () => {
  it.each([0, 1, 4, 5, 100])("tries again after %d attempts that found the lock taken", async (times) => {
    expect(await whileBusy(hastyClock(), failing(times, busy))).toBe(times + 1);
  });

  it("gives up when the time is over", async () => {
    const clock = hastyClock();
    await expect(whileBusy(clock, failing(Number.POSITIVE_INFINITY, busy))).rejects.toBe(busy);
    expect(clock.monotonicMs()).toBeGreaterThanOrEqual(LIMITS.ledgerWaitMs.default);
  });

  it("does not try again after anything else", async () => {
    const write = failing(1, full);
    await expect(whileBusy(hastyClock(), write)).rejects.toBe(full);
    expect(write()).toBe(2);
  });

  // A timer of the product's clock does not keep a process alive. One that had nothing else to do than to wait for the
  // lock used to end in the middle of a commit, without an answer.
  it("keeps the process alive until there is an answer", async () => {
    using scratch = openScratch();
    await using program = startProgram("waits-for-lock.ts", [scratch.stateDir]);
    expect(await program.ended()).toEqual(["LEDGER_UNAVAILABLE", "committed"]);
  });
});
