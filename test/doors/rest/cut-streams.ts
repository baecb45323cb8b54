import { expect } from "vitest";
import type { Gate } from "../../../src/wiring/gate.ts";
import { actingTool } from "../../support/acting-tool.ts";
import { openEvents } from "../../support/event-reader.ts";
import { openTestServer } from "../../support/test-server.ts";

/** Of one call. */
const EVENTS = 3;
const CALLS_AT_ONCE = 16;

/** Calls that share their commits: one after the other they would mostly wait for the disk. */
const makeCalls = (gate: Gate, calls: number): Promise<unknown> =>
  Promise.all(Array.from({ length: calls }, (_, n) => gate.call({ tool: "act", input: { n } })));

/**
 * Hangs up after every event and comes back behind it, until all of them were heard: none is lost, none comes twice. It goes on
 * while more is happening, and is never far behind: what is sent to somebody who hangs up is sent for nothing.
 */
export async function cutAfterEach(events: number): Promise<void> {
  await using server = await openTestServer({ tools: ({ workspace }) => [actingTool(workspace).tool] });
  const calls = Math.ceil(events / EVENTS);
  const heard: string[] = [];
  let lastEventId = "0";
  const cutUntil = async (last: number): Promise<void> => {
    while (Number(lastEventId) < last) {
      await using stream = await openEvents(server.url, { lastEventId });
      const event = await stream.next();
      if (event?.id === null || event === null) continue; // what is live only
      lastEventId = event.id;
      heard.push(`${event.id} ${event.data.tool_id ?? ""}`);
    }
  };
  for (let made = 0; made < calls; made += CALLS_AT_ONCE) {
    const making = makeCalls(server.gate, Math.min(CALLS_AT_ONCE, calls - made));
    await cutUntil(made * EVENTS);
    await making;
  }
  await cutUntil(calls * EVENTS);
  await server.server.close();
  const told = server.scratch.entries().map(({ seq, callId }) => `${seq} ${callId ?? ""}`);
  expect(heard.length).toBeGreaterThanOrEqual(events);
  expect(heard).toEqual(told.slice(0, heard.length));
}

/** Some take nothing; one that does hears everything in order. */
export async function besideStalled(stalled: number, events: number): Promise<void> {
  await using server = await openTestServer({ tools: ({ workspace }) => [actingTool(workspace).tool] });
  const idle = await Promise.all(Array.from({ length: stalled }, () => openEvents(server.url)));
  await using good = await openEvents(server.url, { lastEventId: 0 });
  const calls = Math.ceil(events / EVENTS);
  const calling = (async () => {
    for (let made = 0; made < calls; made += CALLS_AT_ONCE)
      await makeCalls(server.gate, Math.min(CALLS_AT_ONCE, calls - made));
  })();
  // What is live only comes in between.
  const numbered = async () => {
    for (;;) {
      const event = await good.next();
      if (event === null || event.id !== null) return event;
    }
  };
  for (let seq = 1; seq <= EVENTS * calls; seq++) {
    const id = (await numbered())?.id;
    if (id !== String(seq)) expect(id).toBe(String(seq));
  }
  await calling;
  await Promise.all(idle.map((one) => one.close()));
}
