import { expect } from "vitest";
import type { Gate } from "../../../src/wiring/gate.ts";
import { actingTool } from "../../support/acting-tool.ts";
import { openEvents } from "../../support/event-reader.ts";
import { openTestServer } from "../../support/test-server.ts";

/** Of one call. */
const EVENTS = 3;
const CALLS_AT_ONCE = 16;
const READERS = 4;

/** Calls that share their commits: one after the other they would mostly wait for the disk. */
async function makeCalls(gate: Gate, calls: number): Promise<void> {
  for (let done = 0; done < calls; done += CALLS_AT_ONCE) {
    const size = Math.min(CALLS_AT_ONCE, calls - done);
    await Promise.all(Array.from({ length: size }, (_, n) => gate.call({ tool: "act", input: { n: done + n } })));
  }
}

/**
 * Hangs up after every event and comes back behind it, until all of them were heard: none is lost, none comes twice. Several
 * do, each with a part of the ledger, so that it is cut once at each of its events.
 */
export async function cutAfterEach(events: number): Promise<void> {
  await using server = await openTestServer({ tools: ({ workspace }) => [actingTool(workspace).tool] });
  const calls = Math.ceil(events / EVENTS);
  const calling = makeCalls(server.gate, calls);
  const cut = async (after: number, until: number): Promise<readonly string[]> => {
    const heard: string[] = [];
    let lastEventId = String(after);
    while (Number(lastEventId) < until) {
      await using stream = await openEvents(server.url, { lastEventId });
      const event = await stream.next();
      if (event?.id === null || event === null) continue; // what is live only
      lastEventId = event.id;
      heard.push(`${event.id} ${event.data.tool_id ?? ""}`);
    }
    return heard;
  };
  const all = calls * EVENTS;
  const part = Math.ceil(all / READERS);
  // The first part is heard while it happens, the others afterwards: nobody can come back behind what is not there yet.
  const parts = Array.from({ length: READERS }, async (_, n) => {
    if (n > 0) await calling;
    return await cut(n * part, Math.min((n + 1) * part, all));
  });
  const heard = (await Promise.all(parts)).flat();
  await server.server.close();
  const told = server.scratch.entries().map(({ seq, callId }) => `${seq} ${callId ?? ""}`);
  expect(heard).toEqual(told.slice(0, all));
}

/** Some take nothing; one that does hears everything in order. */
export async function besideStalled(stalled: number, events: number): Promise<void> {
  await using server = await openTestServer({ tools: ({ workspace }) => [actingTool(workspace).tool] });
  const idle = await Promise.all(Array.from({ length: stalled }, () => openEvents(server.url)));
  await using good = await openEvents(server.url, { lastEventId: 0 });
  const calls = Math.ceil(events / EVENTS);
  const calling = makeCalls(server.gate, calls);
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
