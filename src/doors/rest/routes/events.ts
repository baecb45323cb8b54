import { LIMITS } from "../../../domain/limits.ts";
import type { GateEvent } from "../../../wiring/live-feed.ts";
import { onceClosed } from "../../wire/once-closed.ts";
import { problem } from "../../wire/problem.ts";
import type { DoorParts } from "../../wire/server-env.ts";
import { eventStream } from "../event-stream.ts";
import { type Route, route } from "../route.ts";
import { seenSession } from "../session-for.ts";

const QUERY = {
  type: "object",
  additionalProperties: false,
  properties: {
    session_id: {
      type: "string",
      maxLength: LIMITS.idLength.maximum,
      description: "only what happens in this session",
    },
    last_event_id: {
      type: "integer",
      minimum: 0,
      description: "go on behind this event; the header `Last-Event-ID` says the same and comes first",
    },
  },
} as const;

const TASK_QUERY = {
  ...QUERY,
  properties: {
    ...QUERY.properties,
    task_filter: { type: "string", maxLength: 4096, description: "only these calls: their ids, with commas between" },
  },
} as const;

type Follow = (
  gate: DoorParts["gate"],
  options: { readonly after: number | null; readonly signal: AbortSignal; readonly sessionId?: string },
  tasks: string | undefined,
) => AsyncGenerator<readonly GateEvent[]>;

const stream = (
  id: string,
  path: string,
  summary = "What happens, as server-sent events. An event's id is the number of its ledger entry.",
  follow: Follow = (gate, options) => gate.events.follow(options),
  query: typeof QUERY | typeof TASK_QUERY = QUERY,
): Route =>
  route({
    id,
    method: "GET",
    path,
    summary,
    access: "any",
    query,
    answers: {
      200: {
        means: "events until somebody hangs up; a comment comes where nothing else does",
        schema: { type: "string" },
        mediaType: "text/event-stream",
      },
    },
    handle: ({ query, headers, gone, context, identity }, { gate, stopping, times }) => {
      const given = headers.get("last-event-id");
      if (given !== null && !/^\d{1,15}$/.test(given)) {
        return problem("REQUEST_INVALID", { detail: "`Last-Event-ID` has to be the id of an event" });
      }
      const after = given === null ? (query.last_event_id ?? null) : Number(given);
      const stop = new AbortController();
      const signal = AbortSignal.any([gone, stopping, stop.signal]);
      const sessionId = seenSession(identity) ?? query.session_id;
      const tasks = "task_filter" in query ? query.task_filter : undefined;
      const events = follow(gate, { after, signal, ...(sessionId !== undefined && { sessionId }) }, tasks);
      const { outgoing } = context.env;
      onceClosed(outgoing, () => stop.abort());
      return eventStream(events, {
        ...times,
        isStuck: () => outgoing.writableLength > 0,
        cut: () => outgoing.destroy(),
      });
    },
  });

export const chatStream: Route = stream("chatStream", "/my/projects/{project}/chat/stream");
export const projectEvents: Route = stream("projectEvents", "/my/projects/{project}/events");
export const allEvents: Route = stream("events", "/events");

export const toolEvents: Route = stream(
  "toolEvents",
  "/streaming/sse",
  "What the tools do, as the events `tool_execution` of A2A-ACP: started, completed, failed.",
  (gate, options, tasks) =>
    gate.toolEvents.pages({ ...options, ...(tasks !== undefined && { tasks: tasks.split(",") }) }),
  TASK_QUERY,
);
