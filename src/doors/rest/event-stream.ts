import type { GateEvent } from "../../wiring/live-feed.ts";
import { type StreamOptions, eventStream as streamOf } from "../wire/event-stream.ts";

/** How long a browser waits before it comes back. */
const RETRY_MS = 2000;

/** What happens, as server-sent events. */
export const eventStream = (events: AsyncGenerator<readonly GateEvent[]>, options: StreamOptions): Response =>
  streamOf(texts(events), { ...options, first: `retry: ${RETRY_MS}\n\n` });

async function* texts(events: AsyncGenerator<readonly GateEvent[]>): AsyncGenerator<string, void, void> {
  for await (const page of events) yield page.map(eventText).join("");
}

/** JSON holds no line end, so no tool's output can begin an event of its own. */
const eventText = ({ id, name, data }: GateEvent): string =>
  `${id === null ? "" : `id: ${id}\n`}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
