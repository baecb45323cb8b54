import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import type { Tool } from "../../../src/domain/call.ts";
import type { Border } from "../../../src/ports/probe.ts";
import { journalFile } from "../../../src/store/sqlite/open-database.ts";
import { actingTool } from "../../support/acting-tool.ts";
import { handClock } from "../../support/hand-clock.ts";
import { ASK_ALL, type Folders } from "../../support/scratch-gate.ts";
import { ended, openTestServer, type TestServer } from "../../support/test-server.ts";

/** A tool that is asked about, and whose second planning (after the yes) waits until it is told to go on. */
function slowTool() {
  let planned = 0;
  let ran = 0;
  const { promise: isGoing, resolve: go } = Promise.withResolvers<void>();
  const { promise: isPlanning, resolve: planning } = Promise.withResolvers<void>();
  const tools = ({ workspace }: Folders): readonly Tool[] => {
    const { tool } = actingTool(workspace, { act: () => `acted ${++ran}` });
    const plan: Tool["plan"] = async (call, signal) => {
      if (++planned > 1) {
        planning();
        await isGoing;
      }
      return await tool.plan(call, signal);
    };
    return [{ ...tool, plan }];
  };
  return { tools, go, isPlanning, ran: () => ran };
}

const asked = async (server: TestServer) => (await server.execute("act", { n: 1 }, { wait: false })).body;

const kindsOf = (server: TestServer, callId: string) =>
  server.scratch.entries(callId).map(({ kind, body }) => `${kind} ${body["answer"] ?? body["decision"] ?? ""}`.trim());

/** The first entry of each commit. */
function commits(stateDir: string): readonly number[] {
  using db = new DatabaseSync(journalFile(stateDir), { readOnly: true });
  const rows = db.prepare("SELECT first_seq FROM segments ORDER BY first_seq").all();
  return rows.map((row) => Number(row["first_seq"]));
}

const WHOLE = ["tool.requested", "tool.decided ask", "approval.answered approve", "tool.started", "tool.executed"];

describe("a yes and what it starts", () => {
  it("are one commit, and whoever waits is given the outcome of that very run", async () => {
    const borders: Border[] = [];
    const probe = { reached: (border: Border) => void borders.push(border) };
    await using server = await openTestServer({
      rules: ASK_ALL,
      tools: ({ workspace }) => [actingTool(workspace).tool],
      inner: { probe },
    });
    const waiting = server.execute("act", { n: 1 });
    await expect.poll(async () => (await server.get("approvals")).body.approvals.length).toBe(1);
    const [{ approval_id: id, tool_id: callId }] = (await server.get("approvals")).body.approvals;
    borders.length = 0;
    const yes = await server.post(`approvals/${id}/approve`);
    expect(yes).toMatchObject({ status: 200, body: { status: "approved", tool_id: callId } });
    expect((await waiting).body).toMatchObject({ kind: "completed", callId });
    expect(kindsOf(server, callId)).toEqual(WHOLE);
    const seqOf = (kind: string) => server.scratch.entries(callId).find((entry) => entry.kind === kind)?.seq ?? 0;
    expect(commits(server.scratch.stateDir)).toContain(seqOf("approval.answered"));
    expect(commits(server.scratch.stateDir)).not.toContain(seqOf("tool.started"));
    expect(borders.slice(borders.indexOf("judged"))).toEqual([
      "judged",
      "approved",
      "writing",
      "answered",
      "started",
      "ran",
      "finished",
      "recorded",
    ]);
    // The answer is the entry that tells of it, and not of what came of it.
    const { body } = await server.get(`approvals/${id}`);
    expect(body.approval).toMatchObject({ status: "approved" });
    expect((await server.gate.approvals.find(id))?.receipt?.seq).toBe(seqOf("approval.answered"));
    expect((await server.gate.approvals.find(id))?.kept).toBeNull();
  });

  it("part where the call is judged otherwise by then: the yes is recorded, and nothing runs", async () => {
    await using server = await openTestServer({ rules: ASK_ALL });
    const { body } = await server.execute("write_file", { path: "a.txt", content: "x" }, { wait: false });
    server.scratch.put("a.txt", "somebody else's");
    expect((await server.post(`approvals/${body.approval.id}/approve`)).status).toBe(200);
    expect(await ended(server, body.callId)).toMatchObject({ status: "DENIED", error_type: "APPROVAL_STALE" });
    expect(server.scratch.text("a.txt")).toBe("somebody else's");
    expect(kindsOf(server, body.callId).slice(2)).toEqual(["approval.answered approve", "tool.decided deny"]);
  });

  it("part where judging takes long: the yes is written by itself, and the run goes on behind it", async () => {
    const clock = handClock(Date.now());
    const slow = slowTool();
    await using server = await openTestServer({ rules: ASK_ALL, tools: slow.tools, inner: { clock } });
    const { approval, callId } = await asked(server);
    const yes = server.post(`approvals/${approval.id}/approve`);
    await slow.isPlanning;
    clock.move(100);
    expect((await yes).status).toBe(200);
    expect(kindsOf(server, callId).at(-1)).toBe("approval.answered approve");
    expect((await server.get(`executions/${callId}`)).body.status).toBe("APPROVED");
    slow.go();
    expect(await ended(server, callId)).toMatchObject({ status: "COMPLETED" });
    expect([kindsOf(server, callId), slow.ran()]).toEqual([WHOLE, 1]);
  });

  it("don't come about where the deadline is over once the call is judged", async () => {
    const clock = handClock(Date.now());
    const slow = slowTool();
    await using server = await openTestServer({ rules: ASK_ALL, tools: slow.tools, inner: { clock } });
    const { approval, callId } = await asked(server);
    const yes = server.post(`approvals/${approval.id}/approve`);
    await slow.isPlanning;
    clock.move(3_600_000);
    slow.go();
    expect((await yes).status).toBe(410);
    expect([kindsOf(server, callId).at(-1), slow.ran()]).toEqual(["approval.answered expired", 0]);
  });

  it("don't come about where somebody says no meanwhile", async () => {
    const slow = slowTool();
    await using server = await openTestServer({ rules: ASK_ALL, tools: slow.tools, inner: { clock: handClock() } });
    const { approval, callId } = await asked(server);
    const yes = server.post(`approvals/${approval.id}/approve`);
    await slow.isPlanning;
    expect((await server.post(`approvals/${approval.id}/reject`)).status).toBe(200);
    slow.go();
    expect(await yes).toMatchObject({ status: 409, body: { winner: { status: "rejected" } } });
    expect([kindsOf(server, callId).at(-1), slow.ran()]).toEqual(["approval.answered reject", 0]);
    expect((await server.get(`executions/${callId}`)).body).toMatchObject({ status: "REJECTED", result: null });
  });

  it("don't come about where the call is taken back meanwhile", async () => {
    const slow = slowTool();
    await using server = await openTestServer({ rules: ASK_ALL, tools: slow.tools, inner: { clock: handClock() } });
    const { approval, callId } = await asked(server);
    const yes = server.post(`approvals/${approval.id}/approve`);
    await slow.isPlanning;
    expect((await server.post(`executions/${callId}/cancel`)).status).toBe(202);
    slow.go();
    expect((await yes).status).toBe(200);
    expect(await ended(server, callId)).toMatchObject({ status: "CANCELLED" });
    expect(slow.ran()).toBe(0);
  });

  it("have one winner of two who say yes at the same time", async () => {
    const slow = slowTool();
    await using server = await openTestServer({ rules: ASK_ALL, tools: slow.tools, inner: { clock: handClock() } });
    const { approval, callId } = await asked(server);
    const both = [1, 2].map(() => server.post(`approvals/${approval.id}/approve`));
    await slow.isPlanning;
    slow.go();
    expect((await Promise.all(both)).map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await ended(server, callId)).toMatchObject({ status: "COMPLETED" });
    expect([kindsOf(server, callId), slow.ran()]).toEqual([WHOLE, 1]);
  });

  it("of another process are carried on where its yes was first", async () => {
    const slow = slowTool();
    await using server = await openTestServer({ rules: ASK_ALL, tools: slow.tools });
    const waiting = server.execute("act", { n: 1 });
    await expect.poll(async () => (await server.get("approvals")).body.approvals.length).toBe(1);
    const [{ approval_id: id, tool_id: callId }] = (await server.get("approvals")).body.approvals;
    const yes = server.post(`approvals/${id}/approve`);
    await slow.isPlanning;
    // It answers, and is gone before it could run anything.
    const other = server.scratch.again({ inner: {} });
    expect((await other.approvals.answer(id, { kind: "approve", who: "bob" })).kind).toBe("recorded");
    slow.go();
    expect((await yes).status).toBe(409);
    expect((await waiting).body).toMatchObject({ kind: "completed", callId });
    expect([kindsOf(server, callId), slow.ran()]).toEqual([WHOLE, 1]);
    expect(server.scratch.entries(callId).find(({ kind }) => kind === "tool.started")?.body["who"]).toBe("bob");
  });

  it("don't begin what the session's budget has no room for: the yes is recorded, and the call refused", async () => {
    await using server = await openTestServer({
      rules: ASK_ALL,
      tools: ({ workspace }) => [actingTool(workspace).tool],
    });
    const lease = { tools: ["act"], write: [join(server.scratch.workspace, "**")], budget: { calls: 1 } };
    const opened = await server.gate.sessions.open(lease);
    if (opened.kind !== "opened") throw new Error(JSON.stringify(opened));
    const calls = await Promise.all(
      [1, 2].map((n) =>
        server.post("tools/execute", { tool_name: "act", tool_params: { n }, wait: false }, opened.token),
      ),
    );
    for (const { body } of calls) expect((await server.post(`approvals/${body.approval.id}/approve`)).status).toBe(200);
    const ends = await Promise.all(calls.map(({ body }) => ended(server, body.callId)));
    expect(ends.map(({ status, error_type }) => error_type ?? status).sort()).toEqual(["BUDGET_EXCEEDED", "COMPLETED"]);
  });
});
