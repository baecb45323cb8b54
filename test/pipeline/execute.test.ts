import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { LIMITS } from "../../src/domain/limits.ts";
import { NOTHING_USED, type Progress, type Run, type RunResult } from "../../src/domain/tool.ts";
import { execute, type Ran } from "../../src/pipeline/execute.ts";
import { foreignPromise, foreignThrow } from "../support/foreign-promise.ts";
import { handClock } from "../support/hand-clock.ts";
import { redactorFor } from "../support/redaction.ts";
import { approvedCall, DONE, sampleTool } from "../support/sample-calls.ts";

const TIMEOUT_MS = 1000;
const GRACE_MS = LIMITS.stopGraceMs.default;
const FAILED: RunResult = {
  kind: "failed",
  error: { code: "TOOL_FAILED", message: "no", retryable: false },
  content: [],
};

/** What the pipeline reported of exceptions, by their messages. */
const reported: string[] = [];
const faults = { report: (cause: unknown) => void reported.push(String(cause)) };

type Behaviour = (signal: AbortSignal) => Run;
type Generating = AsyncGenerator<Progress, RunResult, void>;

/** Starts a run, with everything a test may move or look at. */
function running(behaviour: Behaviour, onProgress: (progress: Progress) => void = () => {}) {
  const clock = handClock();
  const stop = new AbortController();
  const told: string[] = [];
  const tool = sampleTool({ timeoutMs: TIMEOUT_MS, run: (_, signal) => behaviour(signal) });
  const progress = (callId: string, step: Progress) => {
    told.push(`${callId} ${step.message}`);
    onProgress(step);
  };
  let ended: Ran | undefined;
  const ports = { clock, progress, redactor: redactorFor(), faults };
  const ran = Promise.resolve(execute(approvedCall({ tool }), ports, stop.signal)).then((end) => {
    ended = end;
    return end;
  });
  return { clock, stop, told, ran, ended: () => ended };
}

const CUT = { bytes: 100_000, blob: "f".repeat(64) };
const SAID = [{ type: "text" as const, text: "said" }];

/** Lets everything that can go on without time or signal go on. */
const settled = async () => {
  await setImmediate();
};

const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });

async function* ignoresSignal(): Generating {
  await new Promise(() => {});
  return DONE;
}
async function* stopsWhenTold(signal: AbortSignal): Generating {
  await aborted(signal);
  return { kind: "stopped" };
}
async function* completesWhenTold(signal: AbortSignal): Generating {
  await aborted(signal);
  return DONE;
}
async function* failsWhenTold(signal: AbortSignal): Generating {
  await aborted(signal);
  return FAILED;
}
async function* saysWhereAllIs(signal: AbortSignal): Generating {
  await aborted(signal);
  return { kind: "stopped", content: SAID, truncated: CUT };
}
async function* throwsWhenTold(signal: AbortSignal): Generating {
  await aborted(signal);
  throw signal.reason;
}

describe("a runner that is let run", () => {
  it.each<[string, Behaviour, Ran]>([
    [
      "completes",
      async function* () {
        return DONE;
      },
      { kind: "returned", result: DONE },
    ],
    [
      "fails",
      async function* () {
        return FAILED;
      },
      { kind: "returned", result: FAILED },
    ],
    [
      "stops by itself",
      async function* () {
        return { kind: "stopped" };
      },
      { kind: "returned", result: { kind: "stopped" } },
    ],
    [
      "throws",
      async function* () {
        throw new Error("mine");
      },
      { kind: "threw", cause: new Error("mine") },
    ],
    [
      "throws before it begins",
      () => {
        throw new Error("mine");
      },
      { kind: "threw", cause: new Error("mine") },
    ],
    [
      "throws what is no error",
      async function* () {
        throw undefined;
      },
      { kind: "threw", cause: undefined },
    ],
    ["gives its result at once", () => DONE, { kind: "returned", result: DONE }],
    ["fails at once", () => FAILED, { kind: "returned", result: FAILED }],
    ["stops at once", () => ({ kind: "stopped" }), { kind: "returned", result: { kind: "stopped" } }],
    ["promises its result", async () => DONE, { kind: "returned", result: DONE }],
    ["breaks its promise", () => Promise.reject(new Error("mine")), { kind: "threw", cause: new Error("mine") }],
    ["gives a foreign promise", () => foreignPromise(DONE) as Run, { kind: "returned", result: DONE }],
    [
      "gives a foreign promise that has a kind",
      () => Object.assign(foreignPromise(DONE) as Run, { kind: "completed" }),
      { kind: "returned", result: DONE },
    ],
    [
      "gives a foreign promise that throws",
      () => foreignThrow(new Error("mine")) as never,
      { kind: "threw", cause: new Error("mine") },
    ],
    ["promises nothing", async () => undefined as never, { kind: "threw", cause: expect.any(TypeError) }],
    [
      "gives a kind that there is not",
      () => ({ kind: "yes" }) as never,
      { kind: "threw", cause: expect.any(TypeError) },
    ],
    ["gives nothing", () => undefined as never, { kind: "threw", cause: expect.any(TypeError) }],
    ["gives what is neither", () => ({ next: 1 }) as never, { kind: "threw", cause: expect.any(TypeError) }],
  ])("%s", async (_, behaviour, expected) => {
    const { clock, ran } = running(behaviour);
    expect(await ran).toEqual(expected);
    expect(clock.waiting()).toBe(0);
  });
});

const STOPS = [
  ["timeout", ({ clock }: ReturnType<typeof running>) => clock.move(TIMEOUT_MS)],
  ["cancel", ({ stop }: ReturnType<typeof running>) => stop.abort()],
] as const;

describe.each(STOPS)("a runner that is told to stop by a %s", (why, tellToStop) => {
  it.each<[string, Behaviour, Ran]>([
    ["stops", stopsWhenTold, { kind: "stopped", why, proven: true }],
    ["fails", failsWhenTold, { kind: "stopped", why, proven: true }],
    ["throws", throwsWhenTold, { kind: "stopped", why, proven: true }],
    ["says that there is more", saysWhereAllIs, { kind: "stopped", why, proven: true, content: SAID, truncated: CUT }],
    ["completes all the same: what happened, happened", completesWhenTold, { kind: "returned", result: DONE }],
  ])("%s", async (_, behaviour, expected) => {
    const run = running(behaviour);
    await settled();
    expect(run.ended()).toBeUndefined();
    tellToStop(run);
    expect(await run.ran).toEqual(expected);
    expect(run.clock.waiting()).toBe(0);
  });

  it("and does not listen is waited for as long as the grace lasts, and no longer", async () => {
    const run = running(ignoresSignal);
    tellToStop(run);
    run.clock.move(GRACE_MS - 1);
    await settled();
    expect(run.ended()).toBeUndefined();
    run.clock.move(1);
    expect(await run.ran).toEqual({ kind: "stopped", why, proven: false });
  });

  it("is told once, and the first reason stays", async () => {
    let told = 0;
    const run = running(async function* (signal) {
      signal.addEventListener("abort", () => told++);
      await new Promise(() => {});
      return DONE;
    });
    tellToStop(run);
    run.stop.abort();
    run.clock.move(TIMEOUT_MS);
    run.clock.move(GRACE_MS);
    expect(await run.ran).toEqual({ kind: "stopped", why, proven: false });
    expect(told).toBe(1);
  });
});

describe("the borders of time", () => {
  it("a runner may use all of its time but a millisecond", async () => {
    const run = running(stopsWhenTold);
    run.clock.move(TIMEOUT_MS - 1);
    await settled();
    expect(run.ended()).toBeUndefined();
    run.clock.move(1);
    expect(await run.ran).toMatchObject({ why: "timeout" });
  });

  it("a caller who is gone already: nothing is begun", () => {
    let begun = 0;
    const tool = sampleTool({
      run: () => {
        begun++;
        return DONE;
      },
    });
    const ran = execute(
      approvedCall({ tool }),
      { clock: handClock(), progress: () => {}, redactor: redactorFor(), faults },
      AbortSignal.abort(),
    );
    expect([ran, begun]).toEqual([{ kind: "stopped", why: "cancel", proven: true, usage: NOTHING_USED }, 0]);
  });

  it("a runner that cancels its own call while it runs at once is not asked twice", () => {
    const stop = new AbortController();
    const tool = sampleTool({
      run: () => {
        stop.abort();
        return { kind: "stopped" };
      },
    });
    const ran = execute(
      approvedCall({ tool }),
      { clock: handClock(), progress: () => {}, redactor: redactorFor(), faults },
      stop.signal,
    );
    expect(ran).toEqual({ kind: "stopped", why: "cancel", proven: true });
  });

  it("what comes after the end changes nothing", async () => {
    const run = running(async function* () {
      return DONE;
    });
    await run.ran;
    run.stop.abort();
    run.clock.move(TIMEOUT_MS + GRACE_MS);
    expect(await run.ran).toEqual({ kind: "returned", result: DONE });
  });
});

describe("progress", () => {
  it("comes in order, with the call it belongs to", async () => {
    const run = running(async function* () {
      yield { message: "one", done: 1, total: 2 };
      yield { message: "two" };
      return DONE;
    });
    await run.ran;
    expect(run.told).toEqual(["call_1 one", "call_1 two"]);
  });

  it("has no say: a watcher that throws does not fail the tool, and is reported", async () => {
    reported.length = 0;
    const run = running(
      async function* () {
        yield { message: "one" };
        yield { message: "two" };
        return DONE;
      },
      () => {
        throw new Error("the watcher fell over");
      },
    );
    expect(await run.ran).toEqual({ kind: "returned", result: DONE });
    expect(run.told).toHaveLength(2);
    expect(reported).toEqual(["Error: the watcher fell over", "Error: the watcher fell over"]);
  });

  it("ends with the call, also where the runner goes on", async () => {
    const { promise: later, resolve: goOn } = Promise.withResolvers<void>();
    const run = running(async function* () {
      yield { message: "before" };
      await later;
      yield { message: "after" };
      return DONE;
    });
    await settled();
    run.stop.abort();
    run.clock.move(GRACE_MS);
    expect(await run.ran).toMatchObject({ proven: false });
    goOn();
    await settled();
    expect(run.told).toEqual(["call_1 before"]);
  });
});
