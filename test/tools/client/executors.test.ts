import { describe, expect, it } from "vitest";
import type { ApprovedCall } from "../../../src/domain/call.ts";
import { digestOf } from "../../../src/domain/digest.ts";
import type { EntryDraft } from "../../../src/domain/entry.ts";
import type { JsonObject } from "../../../src/domain/json.ts";
import { LIMITS } from "../../../src/domain/limits.ts";
import type { RunResult } from "../../../src/domain/tool.ts";
import type { Committed } from "../../../src/ports/journal.ts";
import type { Executor } from "../../../src/tools/client/executor.ts";
import { Executors } from "../../../src/tools/client/executors.ts";
import { handClock } from "../../support/hand-clock.ts";

const COMMITTED = { kind: "committed", receipt: { seq: 1, hash: digestOf(1) } } as const;
const UNAVAILABLE: Committed = {
  kind: "failed",
  refusal: { code: "LEDGER_UNAVAILABLE", stage: "journal", message: "the disk is full" },
};
const DONE: RunResult = { kind: "completed", content: [] };

const call = (callId: string) =>
  ({
    callId,
    project: "default",
    session: { id: "s" },
    input: { path: callId },
    plan: { tool: "format" },
    seal: { digest: digestOf(callId) },
  }) as unknown as ApprovedCall;

/** The ledger answers when it is told to. */
function open() {
  const clock = handClock();
  const noted: EntryDraft[] = [];
  const answers: ((committed: Committed) => void)[] = [];
  let isHeld = false;
  const executors = new Executors({
    clock,
    note: (entry) => {
      noted.push(entry);
      return isHeld ? new Promise<Committed>((resolve) => answers.push(resolve)) : Promise.resolve(COMMITTED);
    },
  });
  const connect = (actor: string, more: Partial<Executor> = {}) => {
    const told: JsonObject[] = [];
    const executor: Executor = {
      actor,
      tools: null,
      acknowledges: true,
      isAllowed: () => true,
      tell: (name, data) => void told.push({ name, ...data }),
      ...more,
    };
    const leave = executors.connect(executor);
    const token = () => String(told.findLast(({ name }) => name === "tool.execution_signal")?.["dispatch_token"]);
    return { told, leave, token };
  };
  const stop = new AbortController();
  return {
    clock,
    executors,
    noted,
    connect,
    stop,
    run: (id = "call_1") => executors.run(call(id), 1000, stop.signal),
    hold: () => {
      isHeld = true;
    },
    answer: async (committed: Committed) => {
      answers.shift()?.(committed);
      await Promise.resolve();
    },
    finish: (actor: string, token: string | null, id = "call_1") =>
      executors.finish(id, { actor, token, digest: () => digestOf(actor), result: () => DONE }),
  };
}

describe("who is asked", () => {
  it("nobody who may not any more", async () => {
    const { connect, executors, run } = open();
    let isAllowed = false;
    const eve = connect("eve", { isAllowed: () => isAllowed });
    void run();
    expect(eve.told).toEqual([]);
    isAllowed = true;
    connect("eli", { tools: new Set(["other"]) });
    expect(eve.told).toHaveLength(1);
    expect(executors.counts).toEqual({ connected: 2, waiting: 1, running: 0 });
  });

  it("who has least to do, and who was asked least", async () => {
    const { clock, connect, executors, run } = open();
    const [eve, eli] = [connect("eve"), connect("eli")];
    void run("call_1");
    void run("call_2");
    void run("call_3");
    expect([eve.told.length, eli.told.length]).toEqual([2, 1]);
    clock.move(LIMITS.executorAckMs.default);
    expect([eve.told.length, eli.told.length]).toEqual([3, 3]);
    expect(executors.standing("call_1")).toBe("offered");
    expect(executors.standing("call_4")).toBeNull();
  });

  it("the same one again where there is no other, with a token that is new", () => {
    const { clock, connect, run } = open();
    const eve = connect("eve");
    void run();
    const first = eve.token();
    clock.move(LIMITS.executorAckMs.default);
    expect(eve.told).toHaveLength(2);
    expect(eve.token()).not.toBe(first);
  });
});

describe("an acknowledgement", () => {
  it("counts only once the ledger has it", async () => {
    const { answer, connect, executors, finish, hold, noted, run } = open();
    const eve = connect("eve");
    const result = run();
    hold();
    const taking = executors.take("call_1", eve.token(), "eve");
    expect(noted).toMatchObject([{ kind: "tool.dispatched", actor: "eve", callId: "call_1" }]);
    expect(executors.standing("call_1")).toBe("offered");
    expect(finish("eve", eve.token())).toBe("early");
    expect(await executors.take("call_1", eve.token(), "eve")).toEqual({ kind: "withdrawn" });
    await answer(COMMITTED);
    expect(await taking).toMatchObject({ kind: "taken", signal: { tool_params: { path: "call_1" } } });
    expect(finish("eve", eve.token())).toBe("accepted");
    expect(await result).toBe(DONE);
  });

  it("is none where the ledger can't have it: the next one is asked", async () => {
    const { answer, connect, executors, hold, run } = open();
    const eve = connect("eve");
    void run();
    hold();
    const taking = executors.take("call_1", eve.token(), "eve");
    const eli = connect("eli");
    await answer(UNAVAILABLE);
    expect(await taking).toMatchObject({ kind: "failed", refusal: { code: "LEDGER_UNAVAILABLE" } });
    expect(eli.told).toHaveLength(1);
  });

  it("is withdrawn where the call is cancelled before it counts", async () => {
    const { answer, connect, executors, hold, run, stop } = open();
    const eve = connect("eve");
    const result = run();
    hold();
    const taking = executors.take("call_1", eve.token(), "eve");
    stop.abort();
    expect(await result).toEqual({ kind: "stopped" });
    await answer(COMMITTED);
    expect(await taking).toEqual({ kind: "withdrawn" });
  });

  it("that fails when the time to wait is over ends the call", async () => {
    const { answer, clock, connect, executors, hold, run } = open();
    const eve = connect("eve");
    const result = run();
    hold();
    const taking = executors.take("call_1", eve.token(), "eve");
    clock.move(LIMITS.executorWaitMs.default);
    await answer(UNAVAILABLE);
    await taking;
    expect(await result).toMatchObject({ kind: "failed", error: { code: "EXECUTOR_UNAVAILABLE" } });
  });

  it.each([
    ["another's", "eli", null],
    ["a wrong token", "eve", "x"],
  ])("of %s is none", async (_, actor, token) => {
    const { connect, executors, run } = open();
    const eve = connect("eve");
    void run();
    expect(await executors.take("call_1", token ?? eve.token(), actor)).toEqual({ kind: "withdrawn" });
  });
});

describe("one that does not acknowledge", () => {
  const seeds = { acknowledges: false };

  it("is sent the call once the ledger knows that it has it, and needs no token", async () => {
    const { answer, connect, executors, finish, hold, run } = open();
    hold();
    const eve = connect("eve", seeds);
    const result = run();
    expect(eve.told).toEqual([]);
    await answer(COMMITTED);
    await Promise.resolve();
    expect(eve.told).toMatchObject([{ name: "tool.execution_signal", tool_params: { path: "call_1" } }]);
    expect(executors.standing("call_1")).toBe("taken");
    expect(finish("eli", null)).toBe("foreign");
    expect(finish("eve", "x")).toBe("foreign");
    expect(finish("eve", null)).toBe("accepted");
    expect(finish("eve", null)).toBe("same");
    expect(await result).toBe(DONE);
  });

  it("that has gone meanwhile was sent nothing: the next one is asked", async () => {
    const { answer, connect, hold, run } = open();
    hold();
    const eve = connect("eve", seeds);
    void run();
    eve.leave();
    eve.leave();
    const eli = connect("eli");
    await answer(COMMITTED);
    await Promise.resolve();
    expect([eve.told.length, eli.told.length]).toEqual([0, 1]);
  });

  it("is sent nothing where the ledger can't know", async () => {
    const { answer, connect, hold, run } = open();
    hold();
    const eve = connect("eve", seeds);
    const result = run();
    await answer(UNAVAILABLE);
    expect(await result).toMatchObject({ kind: "failed", error: { code: "LEDGER_UNAVAILABLE" } });
    expect(eve.told).toEqual([]);
  });
});

it("what nobody has when the server stops has failed, and who has something may still say how it ended", async () => {
  const { connect, executors, finish, run } = open();
  const eve = connect("eve", { tools: new Set(["format"]) });
  const taken = run("call_1");
  await executors.take("call_1", eve.token(), "eve");
  const token = eve.token();
  const offered = run("call_2");
  executors.close();
  expect(await offered).toMatchObject({ kind: "failed", error: { code: "EXECUTOR_UNAVAILABLE" } });
  expect(finish("eve", token)).toBe("accepted");
  expect(await taken).toBe(DONE);
});

it("a call that was cancelled before is not handed out", async () => {
  const { connect, run, stop } = open();
  stop.abort();
  const result = run();
  const eve = connect("eve");
  expect(await result).toEqual({ kind: "stopped" });
  expect(eve.told).toEqual([]);
});
