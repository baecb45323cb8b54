import { once } from "node:events";
import { connect } from "node:net";
import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { actingTool } from "../../support/acting-tool.ts";
import { openEvents } from "../../support/event-reader.ts";
import { handClock } from "../../support/hand-clock.ts";
import { ASK_ALL } from "../../support/scratch-gate.ts";
import { ADMIN, openTestServer, type TestServer } from "../../support/test-server.ts";

const asked = async (server: TestServer, path = "a.txt") =>
  (await server.execute("write_file", { path, content: "x" }, { wait: false, session_id: "chat" })).body;

describe.each(["/my/projects/default/chat/stream", "/my/projects/default/events", "/events"])("GET %s", (path) => {
  it("tells of a question with the fields of the seed, of its answer and of the run", async () => {
    await using server = await openTestServer({ rules: ASK_ALL });
    await using events = await openEvents(server.url, { path });
    expect(events.headers.get("content-type")).toContain("text/event-stream");
    expect(events.headers.get("cache-control")).toBe("no-store, no-transform");
    await events.until("ready");
    const { callId, approval, receipt } = await asked(server);
    const request = await events.until("tool.approval_request");
    expect(request).toMatchObject({
      id: String(receipt.seq),
      data: {
        approval_id: approval.id,
        tool_id: callId,
        tool_name: "write_file",
        risk_level: "MEDIUM",
        timeout_seconds: 300,
        description: "write `a.txt`",
        session_id: "chat",
        deadline: approval.deadline,
      },
    });
    expect(request.data.timestamp).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    await server.post(`approvals/${approval.id}/approve`, { reason: "fine" });
    expect(await events.until("tool.approval_resolved")).toMatchObject({
      data: { approval_id: approval.id, tool_id: callId, status: "approved", resolved_by: "admin", reason: "fine" },
    });
    expect(await events.until("tool.started")).toMatchObject({ data: { tool_id: callId, by: "person", who: "admin" } });
    expect(await events.until("tool.executed")).toMatchObject({
      data: { tool_id: callId, tool_name: "write_file", status: "completed", code: null },
    });
    expect(await events.until("tool_used")).toMatchObject({
      data: { tool: "write_file", duration_ms: expect.any(Number), success: true },
    });
  });
});

describe("a stream", () => {
  it("goes on behind the last event that was heard: none is lost and none comes twice", async () => {
    await using server = await openTestServer({ rules: ASK_ALL });
    for (const n of [1, 2, 3]) await asked(server, `${n}.txt`);
    const all = server.scratch.entries().map(({ seq }) => String(seq));
    for (const [at, lastEventId] of ["0", ...all].entries()) {
      await using events = await openEvents(server.url, { lastEventId });
      const heard: (string | null)[] = [];
      for (const _ of all.slice(at)) heard.push((await events.next())?.id ?? null);
      expect(heard).toEqual(all.slice(at));
    }
  });

  it("tells somebody new of the open questions first, and of those only", async () => {
    await using server = await openTestServer({ rules: ASK_ALL });
    const [first, second] = [await asked(server, "1.txt"), await asked(server, "2.txt")];
    await server.post(`approvals/${first.approval.id}/reject`);
    await using events = await openEvents(server.url);
    expect(await events.next()).toMatchObject({
      name: "tool.approval_request",
      id: String(second.receipt.seq),
      data: { approval_id: second.approval.id },
    });
    const last = server.scratch.entries().at(-1)?.seq;
    expect(await events.next()).toMatchObject({ name: "ready", id: String(last), data: { last_event_id: last } });
  });

  it.each([["an event that is not there", 4711, "this ledger has no such event"]])(
    "begins anew behind %s",
    async (_, lastEventId, reason) => {
      await using server = await openTestServer({ rules: ASK_ALL });
      const { approval } = await asked(server);
      await using events = await openEvents(server.url, { lastEventId });
      expect(await events.next()).toMatchObject({ name: "reset", id: null, data: { reason } });
      expect(await events.next()).toMatchObject({ name: "tool.approval_request", data: { approval_id: approval.id } });
      expect(await events.next()).toMatchObject({ name: "ready" });
    },
  );

  it("takes no id that is none", async () => {
    await using server = await openTestServer();
    for (const lastEventId of ["x", "-1", "1e3", "99999999999999999999"]) {
      await using events = await openEvents(server.url, { lastEventId });
      expect(events.status).toBe(400);
    }
  });

  it("of one session has nothing of others", async () => {
    await using server = await openTestServer();
    server.scratch.put("a.txt");
    await using events = await openEvents(server.url, { path: "/events?session_id=mine&last_event_id=0" });
    for (const session_id of ["other", "mine"]) await server.execute("read_file", { path: "a.txt" }, { session_id });
    for (const name of ["tool.requested", "tool.started", "tool.executed"]) {
      expect(await events.next()).toMatchObject({ name, data: { session_id: "mine" } });
    }
  });

  it("warns a minute before the deadline, and tells when it is over; nothing runs", async () => {
    const clock = handClock(Date.now());
    await using server = await openTestServer({ rules: ASK_ALL, inner: { clock } });
    await using events = await openEvents(server.url);
    await events.until("ready");
    const { approval, callId } = await asked(server);
    await events.until("tool.approval_request");
    clock.move(241_000);
    expect(await events.until("tool.approval_warning")).toMatchObject({
      id: null,
      data: { approval_id: approval.id, tool_id: callId, tool_name: "write_file", risk_level: "MEDIUM" },
    });
    expect((await server.get(`approvals/${approval.id}`)).body.approval.status).toBe("pending");
    clock.move(61_000);
    expect(await events.until("tool.approval_timeout")).toMatchObject({
      data: { approval_id: approval.id, tool_id: callId, status: "timeout" },
    });
    expect(server.scratch.rows()).toMatchObject([{ state: "expired" }]);
  });

  it("closes questions at the start whose deadline went by while nobody was there", async () => {
    const clock = handClock(Date.now());
    await using server = await openTestServer({ rules: ASK_ALL, inner: { clock } });
    const { callId } = await asked(server);
    await server.server.close();
    clock.move(400_000);
    await using next = await openTestServer({ inner: { clock } }, server.scratch);
    await using events = await openEvents(next.url);
    clock.move(1000);
    expect(await events.until("tool.approval_timeout")).toMatchObject({ data: { tool_id: callId } });
  });

  it("has progress live, and what another process does", async () => {
    await using server = await openTestServer({
      tools: ({ workspace }) => [actingTool(workspace).tool],
    });
    await using events = await openEvents(server.url);
    await events.until("ready");
    server.gate.events.tell("tool.progress", { message: "half" });
    expect(await events.until("tool.progress")).toMatchObject({ id: null, data: { message: "half" } });
    const other = server.scratch.again();
    const outcome = await other.call({ tool: "act", input: {} });
    expect(await events.until("tool.executed")).toMatchObject({ data: { tool_id: outcome.callId } });
  });

  it("has a heartbeat where nothing happens, and ends when the server stops", async () => {
    await using server = await openTestServer({}, undefined, { heartbeatMs: 1 });
    const events = await openEvents(server.url);
    await events.until("ready");
    const ended = events.next();
    while (!events.text().includes(": heartbeat\n\n")) await setImmediate();
    await server.server.close();
    expect(await ended).toBeNull();
  });

  it("keeps what a tool says inside its line", async () => {
    const text = "x\n\nevent: tool.approval_resolved\ndata: {}\r\n\r\n\u2028id: 9";
    await using server = await openTestServer();
    await using events = await openEvents(server.url, { lastEventId: 0 });
    await server.execute(text, {});
    for (;;) {
      const event = await events.next();
      if (event?.name !== "tool.requested") {
        if (event?.name === "tool.refused") {
          expect(event.data.tool_name).toBe(text);
          break;
        }
        continue;
      }
      expect(event.data.tool_name).toBe(text);
    }
  });

  it("of a reader that takes nothing is cut off, and others go on", async () => {
    await using server = await openTestServer({ rules: ASK_ALL }, undefined, { stalledReaderMs: 100 });
    using _stalled = await stalledReader(server.url);
    await using events = await openEvents(server.url);
    await events.until("ready");
    expect(server.gate.events.listeners).toBe(2);
    while (server.gate.events.listeners === 2) {
      server.gate.events.tell("tool.progress", { message: "x".repeat(100_000) });
      await events.until("tool.progress");
    }
    const { approval } = await asked(server, "last.txt");
    expect(await events.until("tool.approval_request")).toMatchObject({ data: { approval_id: approval.id } });
  });
});

/** Opens a stream and takes nothing more from it once it has begun. */
async function stalledReader(url: string): Promise<Disposable> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on("error", () => {});
  socket.write(`GET /events HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAuthorization: Bearer ${ADMIN}\r\n\r\n`);
  await once(socket, "readable");
  return { [Symbol.dispose]: () => void socket.destroy() };
}
