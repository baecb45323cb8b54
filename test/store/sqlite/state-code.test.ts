import { describe, expect, it } from "vitest";
import { type CallState, isTerminal } from "../../../src/domain/state.ts";
import { ENDED_FROM, STATE_CODE, stateFromCode } from "../../../src/store/sqlite/state-code.ts";

const STATES = Object.keys(STATE_CODE) as CallState[];

describe("the codes of states", () => {
  it("are what released journals hold, and so never change", () => {
    expect(STATE_CODE).toEqual({
      awaiting_approval: 1,
      approved: 2,
      executing: 3,
      completed: 11,
      failed: 12,
      timed_out: 13,
      cancelled: 14,
      refused: 15,
      rejected: 16,
      expired: 17,
      unknown: 18,
    });
  });

  it.each(STATES)("give %s back, and tell whether it is an end", (state) => {
    expect(stateFromCode(STATE_CODE[state])).toBe(state);
    expect(STATE_CODE[state] >= ENDED_FROM).toBe(isTerminal(state));
  });

  it.each([0, 4, 10, 19, -1, 1.5, "1", "completed", null, undefined])("are no state's: %j", (code) => {
    expect(() => stateFromCode(code)).toThrow("the journal holds a call in the state");
  });
});
