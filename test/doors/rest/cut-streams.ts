import { expect } from "vitest";
import { actingTool } from "../../support/acting-tool.ts";
import { openEvents } from "../../support/event-reader.ts";
import { openTestServer } from "../../support/test-server.ts";

/** Hangs up after every event and comes back behind it, until all of them were heard: none is lost, none comes twice. */
export async function cutAfterEach(events: number): Promise<void> {
  await using server = await openTestServer({ tools: ({ workspace }) => [actingTool(workspace).tool] });
  const calls = Math.ceil(events / 3);
  const calling = (async () => {
    for (let n = 0; n < calls; n++) await server.gate.call({ tool: "act", input: { n } });
  })();
  const heard: string[] = [];
  let lastEventId = "0";
  while (heard.length < 3 * calls) {
    await using stream = await openEvents(server.url, { lastEventId });
    const event = await stream.next();
    if (event?.id === null || event === null) continue;
    lastEventId = event.id;
    heard.push(`${event.id} ${event.name} ${event.data.tool_id ?? ""}`);
  }
  await calling;
  await server.server.close();
  const told = server.scratch.entries().map(({ seq, callId }) => `${seq} ${callId ?? ""}`);
  expect(heard.map((line) => line.replace(/ \S+ /, " "))).toEqual(told.slice(0, heard.length));
}

/** Some take nothing; one that does hears everything in order. */
export async function besideStalled(stalled: number, events: number): Promise<void> {
  await using server = await openTestServer({ tools: ({ workspace }) => [actingTool(workspace).tool] });
  const idle = await Promise.all(Array.from({ length: stalled }, () => openEvents(server.url)));
  await using good = await openEvents(server.url, { lastEventId: 0 });
  const calls = Math.ceil(events / 3);
  void (async () => {
    for (let n = 0; n < calls; n++) await server.gate.call({ tool: "act", input: { n } });
  })();
  // What is live only comes in between.
  const numbered = async () => {
    for (;;) {
      const event = await good.next();
      if (event === null || event.id !== null) return event;
    }
  };
  for (let seq = 1; seq <= 3 * calls; seq++) expect((await numbered())?.id).toBe(String(seq));
  await Promise.all(idle.map((one) => one.close()));
}
