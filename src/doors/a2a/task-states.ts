import type { CallState } from "../../domain/state.ts";
import type { TaskView } from "./task-view.ts";

/** The states of A2A that a task of ours can be in. */
export const TASK_STATES = [
  "TASK_STATE_SUBMITTED",
  "TASK_STATE_WORKING",
  "TASK_STATE_COMPLETED",
  "TASK_STATE_FAILED",
  "TASK_STATE_CANCELED",
  "TASK_STATE_INPUT_REQUIRED",
  "TASK_STATE_REJECTED",
  "TASK_STATE_AUTH_REQUIRED",
] as const;

export type TaskState = (typeof TASK_STATES)[number];

/** Whoever may answer is asked to, right here; for everybody else somebody decides elsewhere: see `stateOf`. */
const STATE = {
  awaiting_approval: "TASK_STATE_AUTH_REQUIRED",
  approved: "TASK_STATE_SUBMITTED",
  executing: "TASK_STATE_WORKING",
  completed: "TASK_STATE_COMPLETED",
  failed: "TASK_STATE_FAILED",
  timed_out: "TASK_STATE_FAILED",
  cancelled: "TASK_STATE_CANCELED",
  refused: "TASK_STATE_REJECTED",
  rejected: "TASK_STATE_REJECTED",
  expired: "TASK_STATE_FAILED",
  unknown: "TASK_STATE_FAILED",
} as const satisfies Record<CallState, TaskState>;

export const stateOf = ({ execution, mayAnswer }: Pick<TaskView, "execution" | "mayAnswer">): TaskState =>
  execution.state === "awaiting_approval" && mayAnswer ? "TASK_STATE_INPUT_REQUIRED" : STATE[execution.state];

/** The calls among which those of a state are. */
export const callStatesOf = (state: TaskState): readonly CallState[] => {
  const wanted = state === "TASK_STATE_INPUT_REQUIRED" ? STATE.awaiting_approval : state;
  return (Object.keys(STATE) as CallState[]).filter((each) => STATE[each] === wanted);
};
