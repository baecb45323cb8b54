import { expect } from "vitest";
import type { Gate } from "../../../src/wiring/gate.ts";
import { actingTool } from "../../support/acting-tool.ts";
import { type EventReader, openEvents } from "../../support/event-reader.ts";
import { ASK_ALL } from "../../support/scratch-gate.ts";
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

/** Hangs up within what somebody hears who has to begin anew, after each event of it: they still hear of all that is open. */
export async function cutWithinReset(questions: number): Promise<void> {
  await using server = await openTestServer({ rules: ASK_ALL });
  const ask = async (path: string): Promise<string> => {
    const { body } = await server.execute("write_file", { path, content: "x" }, { wait: false });
    await server.execute("missing"); // something else in between
    return body.approval.id;
  };
  const open: string[] = [];
  for (let n = 0; n < questions; n++) open.push(await ask(`${n}.txt`));
  const all = ["reset", ...open, "ready"].length;
  for (let cutAfter = 1; cutAfter <= all; cutAfter++) {
    const heard = new Set<string>();
    let lastEventId = "999999999";
    const next = async (stream: EventReader): Promise<string> => {
      const event = await stream.next();
      lastEventId = event?.id ?? lastEventId;
      if (event?.name === "tool.approval_request") heard.add(event.data.approval_id);
      return event?.data.approval_id ?? event?.name ?? "the end";
    };
    await using first = await openEvents(server.url, { lastEventId });
    for (let n = 0; n < cutAfter; n++) await next(first);
    await first.close();
    await using second = await openEvents(server.url, { lastEventId });
    // What comes last: whoever has heard this one has heard what there is.
    const last = await ask("last.txt");
    while (!["the end", last].includes(await next(second)));
    await server.post(`approvals/${last}/reject`);
    expect([cutAfter, ...open.filter((id) => !heard.has(id))]).toEqual([cutAfter]);
  }
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
