import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CODES } from "../../../src/domain/codes.ts";
import type { RuleSource } from "../../../src/rules/rule.ts";
import { actingTool } from "../../support/acting-tool.ts";
import { openEvents } from "../../support/event-reader.ts";
import { ended, firstApproval, openTestServer, type TestServer, user } from "../../support/test-server.ts";

const USERS = [user("cal", "caller"), user("dan", "caller"), user("eve"), user("ann", "approver")];

/** A server with a tool that prints something while it runs, and that fails with what only its caller may read. */
const openPrinting = () =>
  openTestServer({
    tools: ({ workspace }) => [
      actingTool(workspace, {
        act: () => {
          throw new Error("what it found");
        },
      }).tool,
    ],
    config: { server: { users: USERS } },
    settings: "followed",
  });

const act = async (server: TestServer, token: string) =>
  (await server.post("tools/execute", { tool_name: "act", tool_params: { n: 7 } }, token)).body.callId as string;

/** Who hears what a call of cal's prints. The last message is for everybody, so that nobody has to be waited for. */
async function hear(server: TestServer, token: string, callId: string): Promise<readonly string[]> {
  await using events = await openEvents(server.url, { token });
  await events.until("ready");
  server.gate.events.progress(callId, { message: "printed" });
  server.gate.events.tell("end", {});
  const heard: string[] = [];
  for (;;) {
    const event = await events.next();
    if (event === null || event.name === "end") return heard;
    if (event.name === "tool.progress") heard.push(event.data.message);
  }
}

describe("what a call prints while it runs", () => {
  it("is heard by who made it and by who answers questions, and by nobody else", async () => {
    await using server = await openPrinting();
    const callId = await act(server, "cal");
    expect(await hear(server, "cal", callId)).toEqual(["printed"]);
    expect(await hear(server, "ann", callId)).toEqual(["printed"]);
    for (const token of ["eve", "dan"]) expect(await hear(server, token, callId), token).toEqual([]);
  });

  it("is heard no longer by who was an approver when the stream began", async () => {
    await using server = await openPrinting();
    const callId = await act(server, "cal");
    await using events = await openEvents(server.url, { token: "ann" });
    await events.until("ready");
    const path = join(server.scratch.folder, "toolgate.yaml");
    const users = USERS.map((one) => (one["name"] === "ann" ? user("ann") : one));
    writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, "utf8")), server: { users } }));
    // A call looks at the settings of now.
    while (server.gate.inForce.server.users.some(({ roles }) => roles.includes("approver"))) await act(server, "cal");
    server.gate.events.progress(callId, { message: "printed" });
    server.gate.events.tell("end", {});
    const heard: string[] = [];
    while (heard.at(-1) !== "end") heard.push((await events.next())?.name ?? "end");
    expect(heard).not.toContain("tool.progress");
  });
});

describe("why a call was refused", () => {
  const BAD_PATCH = "*** Begin Patch\nwhat cal wants to write\n*** End Patch";

  /** What somebody hears and reads of a refused call of cal's. */
  async function told(server: TestServer, token: string, callId: string) {
    await using events = await openEvents(server.url, { token, lastEventId: 0 });
    const heard = (await events.until("tool.refused")).data.message as string;
    const { body: record } = await server.get(`executions/${callId}`, token);
    const { body: list } = await server.get("executions", token);
    const { body: ledger } = await server.get(`ledger?call_id=${callId}`, token);
    const { body: page } = await server.get("ledger", token);
    const isNo = (entry: { callId: string; body: { decision?: string } }) =>
      entry.callId === callId && entry.body.decision === "deny";
    const [entry, same] = [ledger.entries.find(isNo), page.entries.find(isNo)];
    await server.gate.ledger.checkpoint();
    const { body: proof } = await server.get(`ledger/${entry.seq}/proof`, token);
    expect([same, proof.entry]).toEqual([entry, entry]);
    expect(list.executions[0].error).toBe(record.error);
    return { heard, error: record.error as string, code: record.error_type as string, entry };
  }

  it("is told in words to whom the call concerns, and by its code to others", async () => {
    await using server = await openTestServer({ config: { server: { users: USERS } } });
    const call = { tool_name: "apply_patch", tool_params: { patch: BAD_PATCH } };
    const { body } = await server.post("tools/execute", call, "cal");
    expect(body.refusal.message).toContain("what cal wants");
    for (const token of ["cal", "ann"]) {
      const { heard, error, entry } = await told(server, token, body.callId);
      for (const text of [heard, error, entry.body.message]) expect(text, token).toContain("what cal wants");
      expect(entry).not.toHaveProperty("withheld");
    }
    const means = CODES[body.refusal.code as keyof typeof CODES].means;
    for (const token of ["eve", "dan"]) {
      const { heard, error, code, entry } = await told(server, token, body.callId);
      expect([heard, error, code], token).toEqual([means, means, body.refusal.code]);
      expect(entry).toMatchObject({ body: { code, stage: body.refusal.stage }, withheld: ["message"] });
      expect(entry.body).not.toHaveProperty("message");
    }
  });

  it("is told in words to an agent of its own calls", async () => {
    await using server = await openTestServer();
    const { body: opened } = await server.post("sessions", { lease: { tools: ["apply_patch"], write: ["./**"] } });
    const call = { tool_name: "apply_patch", tool_params: { patch: BAD_PATCH } };
    await server.post("tools/execute", call, opened.token);
    await using events = await openEvents(server.url, { token: opened.token, lastEventId: 0 });
    expect((await events.until("tool.refused")).data.message).toContain("what cal wants");
  });
});

describe("what comes of a call", () => {
  it("is not told to an agent whose session was taken back while it waited; the call goes on", async () => {
    const [begun, told] = [Promise.withResolvers<void>(), Promise.withResolvers<string>()];
    const act = () => {
      begun.resolve();
      return told.promise;
    };
    await using server = await openTestServer({ tools: ({ workspace }) => [actingTool(workspace, { act }).tool] });
    const { body } = await server.post("sessions", { lease: { tools: ["act"], write: ["./**"] } });
    const waiting = server.post("tools/execute", { tool_name: "act", tool_params: {} }, body.token);
    await begun.promise;
    await server.post(`sessions/${body.session_id}/revoke`);
    told.resolve("what it found");
    const answered = await waiting;
    expect(answered).toMatchObject({ status: 403, body: { code: "LEASE_REVOKED" } });
    expect(JSON.stringify(answered.body)).not.toContain("what it found");
    const { executions } = (await server.get("executions")).body;
    expect(await ended(server, executions[0].id)).toMatchObject({ status: "COMPLETED" });
  });

  it("is not told to who was taken out while they waited for it; the call goes on", async () => {
    const rules: RuleSource[] = [{ id: "ask", effect: "ask", touch: { write: ["./**"] } }];
    await using server = await openTestServer({ rules, config: { server: { users: USERS } }, settings: "followed" });
    const call = { tool_name: "write_file", tool_params: { path: "a.txt", content: "x" } };
    const waiting = server.post("tools/execute", call, "cal");
    const { approval_id, tool_id } = await firstApproval(server);
    const path = join(server.scratch.folder, "toolgate.yaml");
    const users = USERS.filter((one) => one["name"] !== "cal");
    writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, "utf8")), server: { users } }));
    while (server.gate.inForce.server.users.some(({ name }) => name === "cal")) await server.execute("none");
    expect((await server.post(`approvals/${approval_id}/approve`)).status).toBe(200);
    expect(await waiting).toMatchObject({ status: 401, body: { code: "AUTH_REQUIRED" } });
    expect(await ended(server, tool_id)).toMatchObject({ status: "COMPLETED" });
  });
});

describe("GET /streaming/sse", () => {
  it("tells arguments and errors of calls to whom their record is shown, and to others what the ledger has", async () => {
    await using server = await openPrinting();
    const path = "/streaming/sse";
    await using own = await openEvents(server.url, { path, token: "cal" });
    await using approver = await openEvents(server.url, { path, token: "ann" });
    await using other = await openEvents(server.url, { path, token: "eve" });
    await act(server, "cal");
    for (const events of [own, approver]) {
      expect((await events.next())?.data.data).toMatchObject({ status: "started", parameters: { n: 7 } });
    }
    expect((await other.next())?.data.data).toMatchObject({ status: "started", parameters: {} });
    const told = (await other.next())?.data.data;
    expect(told).toMatchObject({ status: "failed", error: "TOOL_FAILED" });
    expect((await approver.next())?.data.data.error).not.toBe("TOOL_FAILED");
  });
});
