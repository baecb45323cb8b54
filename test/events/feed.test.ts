import { expect, it } from "vitest";
import type { GateEvent } from "../../src/events/gate-event.ts";
import { openScratchGate } from "../support/scratch-gate.ts";

/** As many as make several pages. */
const CALLS = 700;

it("who goes through a long history that is not theirs lets others go in between", async () => {
  await using scratch = openScratchGate();
  const { gate } = scratch;
  await gate.begin();
  const [theirs, own] = [gate.session(), gate.session()];
  const refused = { tool: "missing", input: {} };
  await Promise.all(Array.from({ length: CALLS }, () => gate.call({ ...refused, session: theirs })));
  const { callId } = await gate.call({ ...refused, session: own });
  const entries = scratch.entries().length;

  const stop = new AbortController();
  const events = gate.events.follow({ after: 0, sessionId: own.id, signal: stop.signal });
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const page = (await events.next()).value as readonly GateEvent[];
  isOver = true;
  expect(page.map(({ data }) => data["tool_id"])).toContain(callId);
  // One for each page that had nothing for them: without a turn in between there would be none at all.
  expect(turns).toBeGreaterThanOrEqual(Math.floor(entries / 256) - 1);
  stop.abort();
  await events.return(undefined);
});
