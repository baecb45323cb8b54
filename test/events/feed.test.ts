import { setImmediate as turn } from "node:timers/promises";
import { expect, it } from "vitest";
import { Feed, type FeedParts } from "../../src/events/feed.ts";
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

it("what is told while nothing else has happened comes before what happens then", async () => {
  const told: GateEvent[] = [];
  let seq = 0;
  const watchers = new Set<() => void>();
  const entry = { seq: 1, kind: "receipt", at: "", callId: null, sessionId: "", project: "p", body: {} };
  const view = {
    watch: (changed: () => void) => {
      watchers.add(changed);
      return () => watchers.delete(changed);
    },
    lastSeq: () => seq,
    entries: () => [entry],
    askedCalls: () => [],
    call: () => null,
  } as unknown as FeedParts["view"];
  const feed = new Feed({ view, project: "p", workspace: "/", nowIso: () => "" });
  const stop = new AbortController();
  const listening = (async () => {
    for await (const page of feed.follow({ after: null, signal: stop.signal })) {
      told.push(...page);
      if (told.length === 3) return;
    }
  })();
  await turn();
  feed.tell("tool.progress", {});
  for (let n = 0; n < 20; n++) await null; // a tool that ends at once, whose end is written at once
  seq = 1;
  for (const changed of watchers) changed();
  await listening;
  stop.abort();
  expect(told.map(({ id, name }) => (name === "ready" ? name : id))).toEqual(["ready", null, 1]);
});
