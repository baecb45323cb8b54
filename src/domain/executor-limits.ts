import type { Limit } from "./limit.ts";

/** Of tools that a connected client runs itself. */
export const EXECUTOR_LIMITS = {
  executorWaitMs: {
    unit: "ms",
    default: 30_000,
    minimum: 0,
    maximum: 600_000,
    because: "an editor that is being reloaded is back by then; nothing of the call has been run",
  },
  executorAckMs: {
    unit: "ms",
    default: 10_000,
    minimum: 100,
    maximum: 60_000,
    because: "who has not said by then that it begins is gone or busy, and the next one is asked (Agent Tools seed)",
  },
  executorGraceMs: {
    unit: "ms",
    default: 30_000,
    minimum: 0,
    maximum: 600_000,
    because: "a result may be on its way when the tool's time is over; after it the outcome is unknown",
  },
  executorResultBytes: {
    unit: "bytes",
    default: 2 * 1024 * 1024,
    minimum: 64 * 1024,
    maximum: 16 * 1024 * 1024,
    because: "twice what is kept of a result; all of it is searched for secrets while everybody else waits",
  },
  lateResults: {
    unit: "count",
    default: 3,
    minimum: 0,
    maximum: 100,
    because: "one tells what happened, and a second that it is not sure",
  },
  lateResultBytes: {
    unit: "bytes",
    default: 1024 * 1024,
    minimum: 1024,
    maximum: 16 * 1024 * 1024,
    because: "as much as of a result that came in time",
  },
  clientTools: {
    unit: "count",
    default: 200,
    minimum: 1,
    maximum: 200,
    because: "more than one editor offers",
  },
} as const satisfies Record<string, Limit>;
