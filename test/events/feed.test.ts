import { setImmediate as turn } from "node:timers/promises";
import { expect, it } from "vitest";
import { Feed, type FeedParts } from "../../src/events/feed.ts";
import type { GateEvent } from "../../src/events/gate-event.ts";
import type { Changed } from "../../src/ports/journal-view.ts";
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

/** A ledger with so many entries, and whoever looks at it. */
function openFeed() {
  let seq = 0;
  let isBroken = false;
  let looks = 0;
  const watchers = new Set<Changed>();
  const entry = (n: number) => ({
    seq: n,
    kind: "receipt",
    at: "",
    callId: null,
    sessionId: "",
    project: "p",
    body: {},
  });
  const view = {
    watch: (changed: Changed) => {
      watchers.add(changed);
      return () => watchers.delete(changed);
    },
    lastSeq: () => {
      if (isBroken) throw new Error("can't be read now");
      looks++;
      return seq;
    },
    entries: (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => entry(from + n)),
    askedCalls: () => [],
    call: () => null,
  } as unknown as FeedParts["view"];
  const write = (count = 1, by: "us" | "others" = "others") => {
    seq += count;
    for (const changed of watchers) changed(by === "us" ? seq : null);
  };
  const tellOfOld = (lastSeq: number) => {
    for (const changed of watchers) changed(lastSeq);
  };
  const breaks = (now: boolean) => {
    isBroken = now;
  };
  return {
    breaks,
    tellOfOld,
    looks: () => looks,
    feed: new Feed({ view, project: "p", workspace: "/", nowIso: () => "" }),
    write,
  };
}

const namesOf = (events: readonly GateEvent[]) =>
  events.map(({ id, name }) => (name === "receipt" ? String(id) : name));

it("who takes a long history as fast as it comes lets others go in between", async () => {
  const { feed, write } = openFeed();
  write(5000);
  const stop = new AbortController();
  let [seen, most, sinceTurn] = [0, 0, 0];
  const look = () => {
    sinceTurn = 0;
    if (!stop.signal.aborted) setImmediate(look);
  };
  setImmediate(look);
  for await (const page of feed.follow({ after: 0, signal: stop.signal })) {
    seen += page.length;
    sinceTurn += page.length;
    most = Math.max(most, sinceTurn);
    if (seen === 5000) break;
  }
  stop.abort();
  expect(most).toBeLessThanOrEqual(512);
});

it("what is told while nothing else has happened comes before what happens then", async () => {
  const told: GateEvent[] = [];
  const { feed, write } = openFeed();
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
  write();
  await listening;
  stop.abort();
  expect(namesOf(told)).toEqual(["ready", "tool.progress", "1"]);
});

it("what was told comes where it was told, also for who takes it late and page by page", async () => {
  const { feed, write } = openFeed();
  const stop = new AbortController();
  const events = feed.follow({ after: null, signal: stop.signal });
  const told: GateEvent[] = [];
  const take = async () => void told.push(...((await events.next()).value ?? []));
  await take();
  write();
  feed.tell("first", {});
  write(20); // more than the first page
  feed.tell("second", {});
  write();
  feed.tell("third", {});
  while (told.length < 1 + 22 + 3) await take();
  stop.abort();
  await events.return(undefined);
  const entries = Array.from({ length: 22 }, (_, n) => String(n + 1));
  expect(namesOf(told)).toEqual([
    "ready",
    ...entries.slice(0, 1),
    "first",
    ...entries.slice(1, 21),
    "second",
    ...entries.slice(21),
    "third",
  ]);
});

it("what is told while the ledger can't be read is told all the same", async () => {
  const { feed, write, breaks } = openFeed();
  const stop = new AbortController();
  const events = feed.follow({ after: null, signal: stop.signal });
  await events.next();
  write();
  breaks(true);
  feed.tell("news", {});
  breaks(false);
  expect(namesOf((await events.next()).value ?? [])).toEqual(["news", "1"]);
  stop.abort();
  await events.return(undefined);
});

it("how far the ledger goes is looked up only where another process has written", async () => {
  const { feed, write, looks } = openFeed();
  const stop = new AbortController();
  const events = feed.follow({ after: null, signal: stop.signal });
  await events.next();
  const before = looks();
  write(2, "us");
  expect(namesOf((await events.next()).value ?? [])).toEqual(["1", "2"]);
  expect(looks()).toBe(before);
  write(1, "others");
  expect(namesOf((await events.next()).value ?? [])).toEqual(["3"]);
  expect(looks()).toBe(before + 1);
  stop.abort();
  await events.return(undefined);
});

it("what others wrote is not passed over because this process tells of an older entry after them", async () => {
  const { feed, write, tellOfOld } = openFeed();
  const stop = new AbortController();
  const events = feed.follow({ after: null, signal: stop.signal });
  await events.next();
  write(3, "others");
  tellOfOld(1);
  expect(namesOf((await events.next()).value ?? [])).toEqual(["1", "2", "3"]);
  tellOfOld(2); // known to be further already
  write(1, "us");
  expect(namesOf((await events.next()).value ?? [])).toEqual(["4"]);
  stop.abort();
  await events.return(undefined);
});
