import type { FollowOptions, GateEvent } from "../../../wiring/live-feed.ts";
import { mayUse } from "../../wire/identity.ts";
import { onceClosed } from "../../wire/once-closed.ts";
import { problem } from "../../wire/problem.ts";
import type { DoorParts } from "../../wire/server-env.ts";
import { eventStream } from "../event-stream.ts";
import { CHAT_PATH, executorFrom } from "../executor-from.ts";
import { shownTo } from "../record-for.ts";
import { type Route, route } from "../route.ts";
import { SESSION_ID } from "../schemas.ts";
import { seenSession } from "../session-for.ts";

const QUERY = {
  type: "object",
  additionalProperties: false,
  properties: {
    session_id: { ...SESSION_ID, description: "only what happens in this session" },
    last_event_id: {
      type: "integer",
      minimum: 0,
      description: "go on behind this event; the header `Last-Event-ID` says the same and comes first",
    },
  },
} as const;

const EXECUTOR_QUERY = {
  ...QUERY,
  properties: {
    ...QUERY.properties,
    executes: {
      type: "string",
      minLength: 1,
      maxLength: 16_384,
      description:
        "be an executor of these tools: their names, with commas between; `*` is all. Signals come on this stream, and each is acknowledged before it is run. Needs the role `executor`",
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
  options: FollowOptions,
  tasks: string | undefined,
) => AsyncGenerator<readonly GateEvent[]>;

const stream = (
  id: string,
  path: string,
  summary = "What happens, as server-sent events. An event's id is the number of its ledger entry.",
  follow: Follow = (gate, options) => gate.events.follow(options),
  query: typeof EXECUTOR_QUERY | typeof TASK_QUERY = EXECUTOR_QUERY,
): Route =>
  route({
    id,
    method: "GET",
    path,
    summary,
    access: "any",
    byCookie: true,
    query,
    answers: {
      200: {
        means: "events until somebody hangs up; a comment comes where nothing else does",
        schema: { type: "string" },
        mediaType: "text/event-stream",
      },
    },
    handle: ({ query, headers, gone, context, identity }, { gate, stopping, times }) => {
      const executes = "executes" in query ? query.executes : undefined;
      if (executes !== undefined && !mayUse(identity, "executor"))
        return problem("ROLE_REQUIRED", { detail: "this needs the role `executor`" });
      const given = headers.get("last-event-id");
      if (given !== null && !/^\d{1,15}$/.test(given)) {
        return problem("REQUEST_INVALID", { detail: "`Last-Event-ID` has to be the id of an event" });
      }
      const after = given === null ? (query.last_event_id ?? null) : Number(given);
      const stop = new AbortController();
      const signal = AbortSignal.any([gone, stopping, stop.signal]);
      const sessionId = seenSession(identity) ?? query.session_id;
      const tasks = "task_filter" in query ? query.task_filter : undefined;
      const joined = executorFrom(identity, { executes, sessionId, path }, gate);
      const isShown = shownTo(identity, gate);
      const wanted = {
        ...(sessionId !== undefined && { sessionId }),
        ...(isShown && { isShown }),
        ...(joined && { joined }),
      };
      const events = follow(gate, { after, signal, ...wanted }, tasks);
      const { outgoing } = context.env;
      onceClosed(outgoing, () => stop.abort());
      return eventStream(events, {
        ...times,
        isStuck: () => outgoing.writableLength > 0,
        cut: () => outgoing.destroy(),
      });
    },
  });

export const chatStream: Route = stream("chatStream", CHAT_PATH);
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
