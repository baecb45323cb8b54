import { describe, expect, it } from "vitest";
import type { Outcome } from "../../src/domain/outcome.ts";
import type { Progress } from "../../src/domain/tool.ts";
import { CallStream, type StreamEvent } from "../../src/pipeline/call-stream.ts";
import { NEVER } from "../support/sample-calls.ts";

const OUTCOME: Outcome = {
  kind: "refused",
  callId: "call_1",
  tool: "t",
  durationMs: 0,
  refusal: { code: "CANCELLED", stage: "approve", message: "cancelled" },
};

/** A call that does as it is told. */
function told(signal: AbortSignal = NEVER) {
  const end = Promise.withResolvers<Outcome>();
  const state = { begun: 0, cancelled: false, tell: (_: Progress) => {} };
  const stream = new CallStream((until, onProgress) => {
    state.begun++;
    state.tell = onProgress;
    until.addEventListener("abort", () => {
      state.cancelled = true;
      end.resolve(OUTCOME);
    });
    if (until.aborted) end.resolve(OUTCOME);
    return end.promise;
  }, signal);
  return { stream, state, end: () => end.resolve(OUTCOME) };
}

const progress = (message: string) => ({ kind: "progress", message });

describe("a call as a stream", () => {
  it("tells of its progress, and last of its outcome", async () => {
    const { stream, state, end } = told();
    const seen: StreamEvent[] = [];
    const first = stream.next();
    state.tell({ message: "one", done: 1, total: 2 });
    expect((await first).value).toEqual({ ...progress("one"), done: 1, total: 2 });
    state.tell({ message: "two" });
    end();
    for await (const event of stream) seen.push(event);
    expect(seen).toEqual([progress("two"), { kind: "outcome", outcome: OUTCOME }]);
    expect((await stream.next()).done).toBe(true);
    expect(state).toMatchObject({ begun: 1, cancelled: false });
  });

  it("begins when somebody looks, and not if nobody ever does", async () => {
    const { stream, state } = told();
    expect(state.begun).toBe(0);
    await stream.return();
    expect([(await stream.next()).done, state.begun]).toEqual([true, 0]);
  });

  it("is cancelled by who leaves the loop, and has ended by then", async () => {
    const { stream, state } = told();
    const first = stream.next();
    state.tell({ message: "one" });
    await first;
    state.tell({ message: "two" });
    for await (const event of stream) {
      expect(event).toEqual(progress("two"));
      break;
    }
    expect(state.cancelled).toBe(true);
    expect((await stream.next()).done).toBe(true);
  });

  it("tells whoever still waits how it ended when somebody else leaves", async () => {
    const { stream, state } = told();
    const waiting = stream.next();
    await stream.return();
    expect((await waiting).value).toEqual({ kind: "outcome", outcome: OUTCOME });
    expect(state.cancelled).toBe(true);
  });

  it("is cancelled at the end of its block", async () => {
    const { stream, state } = told();
    {
      await using held = stream;
      void held.next();
    }
    expect(state.cancelled).toBe(true);
  });

  it("is cancelled by the caller's signal, and still has its outcome", async () => {
    const stop = new AbortController();
    const { stream } = told(stop.signal);
    const events = Array.fromAsync(stream);
    stop.abort();
    expect(await events).toEqual([{ kind: "outcome", outcome: OUTCOME }]);
  });

  it("holds the latest thousand events for who looks seldom", async () => {
    const { stream, state, end } = told();
    const first = stream.next();
    for (let n = 0; n < 5000; n++) state.tell({ message: String(n) });
    expect((await first).value).toEqual(progress("4000"));
    end();
    const rest = await Array.fromAsync(stream);
    expect(rest.length).toBe(1000);
    expect(rest.at(-1)).toMatchObject({ kind: "outcome" });
  });
});
