import { LIMITS } from "../../../domain/limits.ts";
import type { LeaseSource } from "../../../wiring/gate.ts";
import { problem, problemFromRefusal } from "../../wire/problem.ts";
import { json, type Route, route } from "../route.ts";
import { cursorQuery, LIMIT_QUERY, listOf, ref } from "../schemas.ts";
import { sessionRecord } from "../session-record.ts";

export const openSession: Route = route({
  id: "openSession",
  method: "POST",
  path: "/my/projects/{project}/sessions",
  summary: "Open a session for an agent. Its token is shown in this answer and nowhere else.",
  access: "admin",
  body: {
    type: "object",
    additionalProperties: false,
    required: ["lease"],
    properties: {
      lease: {
        type: "object",
        description: "what it may do, until when and how much: `tools`, `read`, `write`, `hosts`, …",
      },
      label: { type: "string", maxLength: LIMITS.sessionLabel.maximum },
    },
  },
  answers: {
    201: {
      means: "it is open",
      schema: {
        type: "object",
        required: ["session_id", "token"],
        properties: { session_id: { type: "string" }, token: { type: "string" } },
      },
    },
    422: { means: "that is no lease" },
  },
  handle: async ({ body, identity }, { gate }) => {
    const { lease, label = "" } = body;
    const opened = await gate.sessions.open(lease as LeaseSource, { label, actor: identity.actor });
    if (opened.kind === "refused") return problemFromRefusal(opened.refusal);
    return json(201, { session_id: opened.session.id, token: opened.token });
  },
});

export const listSessions: Route = route({
  id: "listSessions",
  method: "GET",
  path: "/my/projects/{project}/sessions",
  summary: "Sessions that are open, with their leases.",
  access: "person",
  query: {
    type: "object",
    additionalProperties: false,
    properties: { limit: LIMIT_QUERY, cursor: cursorQuery("session") },
  },
  answers: { 200: { means: "a page of them", schema: listOf("sessions", "Session") } },
  handle: async ({ query }, { gate }) => {
    const { limit = LIMITS.pageItems.default, cursor } = query;
    const sessions = await gate.sessions.list({ limit, ...(cursor !== undefined && { after: cursor }) });
    const opened = sessions.filter(({ kind }) => kind === "opened");
    const next = opened.length < limit ? null : (opened.at(-1)?.id ?? null);
    return json(200, { sessions: sessions.map(sessionRecord), next });
  },
});

export const showSession: Route = route({
  id: "showSession",
  method: "GET",
  path: "/my/projects/{project}/sessions/{session_id}",
  summary: "One session.",
  access: "person",
  answers: { 200: { means: "the session", schema: ref("Session") }, 404: { means: "there is no such session" } },
  handle: async ({ params }, { gate }) => {
    const session = await gate.sessions.find(params["session_id"] ?? "");
    return session === null
      ? problem("SESSION_UNKNOWN", { detail: "there is no such session" })
      : json(200, sessionRecord(session));
  },
});

export const revokeSession: Route = route({
  id: "revokeSession",
  method: "POST",
  path: "/my/projects/{project}/sessions/{session_id}/revoke",
  summary: "Take a session's rights back, and those of all below it. Questions of its calls are taken back as well.",
  access: "admin",
  body: {
    type: "object",
    additionalProperties: false,
    properties: { reason: { type: "string", maxLength: LIMITS.answerLength.maximum } },
  },
  answers: { 200: { means: "it has ended", schema: ref("Session") }, 404: { means: "there is no such session" } },
  handle: async ({ params, body, identity }, { gate, streams }) => {
    const { reason } = body;
    const ended = await gate.sessions.revoke(params["session_id"] ?? "", {
      actor: identity.actor,
      ...(reason !== undefined && { reason }),
    });
    await streams.look();
    return ended.kind === "refused" ? problemFromRefusal(ended.refusal) : json(200, sessionRecord(ended.session));
  },
});
