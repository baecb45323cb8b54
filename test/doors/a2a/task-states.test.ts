import { expect, it } from "vitest";
import { type CallState, isTerminal } from "../../../src/domain/state.ts";
import { callStatesOf, stateOf, TASK_STATES } from "../../../src/doors/a2a/task-states.ts";
import type { TaskView } from "../../../src/doors/a2a/task-view.ts";

const CALL_STATES: readonly CallState[] = [
  "awaiting_approval",
  "approved",
  "executing",
  "completed",
  "failed",
  "timed_out",
  "cancelled",
  "refused",
  "rejected",
  "expired",
  "unknown",
];
const view = (state: CallState, mayAnswer = false) => ({ execution: { state } as TaskView["execution"], mayAnswer });
const ENDS = new Set(["COMPLETED", "FAILED", "CANCELED", "REJECTED"].map((end) => `TASK_STATE_${end}`));

it.each(CALL_STATES)("%s ends its task exactly where it is an end, and is found by its state", (state) => {
  const told = stateOf(view(state));
  expect(ENDS.has(told)).toBe(isTerminal(state));
  expect(callStatesOf(told)).toContain(state);
});

it("every state of a task but the one of who may answer is that of a call, and they share the same calls", () => {
  for (const state of TASK_STATES) expect(callStatesOf(state).length).toBeGreaterThan(0);
  expect(stateOf(view("awaiting_approval", true))).toBe("TASK_STATE_INPUT_REQUIRED");
  expect(stateOf(view("completed", true))).toBe("TASK_STATE_COMPLETED");
  expect(callStatesOf("TASK_STATE_INPUT_REQUIRED")).toEqual(callStatesOf("TASK_STATE_AUTH_REQUIRED"));
});
