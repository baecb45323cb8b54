import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Session } from "../../../src/domain/lease.ts";
import type { RuleSource } from "../../../src/rules/rule.ts";
import { handClock } from "../../support/hand-clock.ts";
import { openScratchGate } from "../../support/scratch-gate.ts";
import { ended, openTestServer, type TestServer, user } from "../../support/test-server.ts";

const USERS = [
  user("ann", "approver", "ops"),
  user("bob", "approver", "ops"),
  user("cleo", "approver"),
  user("dan", "caller", "approver", "ops"),
  user("eli", "caller", "approver"),
  user("fay", "admin"),
];

const asking = (approvers: RuleSource["approvers"]): Promise<TestServer> =>
  openTestServer({
    rules: [{ id: "ask", effect: "ask", touch: { write: ["./**"] }, ...(approvers && { approvers }) }],
    config: { server: { users: USERS } },
  });

async function asked(server: TestServer, token?: string) {
  const body = { tool_name: "write_file", tool_params: { path: "a.txt", content: "x" }, wait: false };
  return (await server.post("tools/execute", body, token)).body;
}

describe("who may answer", () => {
  it("is whoever the rule names", async () => {
    await using server = await asking({ roles: ["ops"] });
    const { approval } = await asked(server);
    for (const what of ["approve", "reject"]) {
      expect(await server.post(`approvals/${approval.id}/${what}`, {}, "cleo")).toMatchObject({
        status: 403,
        body: { code: "APPROVER_NOT_ELIGIBLE", detail: "the rule `ask` wants to hear role `ops`" },
      });
    }
    expect((await server.post(`approvals/${approval.id}/approve`, {}, "ann")).status).toBe(200);
  });

  it("is also who may take a question of others back: a cancel is no other way to say no", async () => {
    await using server = await asking({ roles: ["ops"] });
    const { approval, callId } = await asked(server);
    const cancel = (id: string, token?: string) => server.post(`executions/${id}/cancel`, {}, token);
    expect(await cancel(callId, "eli")).toMatchObject({
      status: 403,
      body: { code: "APPROVER_NOT_ELIGIBLE", detail: "the rule `ask` wants to hear role `ops`" },
    });
    expect((await server.get(`approvals/${approval.id}`)).body.approval.status).toBe("pending");
    expect((await cancel(callId, "dan")).status).toBe(202);
    // Of their own, and for the administrator, it is no answer.
    expect((await cancel((await asked(server, "eli")).callId, "eli")).status).toBe(202);
    expect((await cancel((await asked(server, "eli")).callId)).status).toBe(202);
  });

  it("is nobody for an empty list, also at the terminal of this machine", async () => {
    await using server = await asking({ roles: [] });
    const { approval, callId } = await asked(server);
    for (const token of ["ann", undefined]) {
      expect((await server.post(`approvals/${approval.id}/approve`, {}, token)).status).toBe(403);
    }
    const local = await server.gate.approvals.answer(approval.id, { kind: "approve", who: "local:root" });
    expect(local).toMatchObject({ kind: "ineligible", because: "the rule `ask` lets nobody answer" });
    expect((await server.get(`executions/${callId}`)).body.status).toBe("AWAITING_APPROVAL");
  });

  it("is not who made the call, where a rule says so", async () => {
    await using server = await asking({ requester: "never" });
    const { approval } = await asked(server, "dan");
    expect((await server.post(`approvals/${approval.id}/approve`, {}, "dan")).body.code).toBe("APPROVER_NOT_ELIGIBLE");
    expect((await server.post(`approvals/${approval.id}/approve`, {}, "ann")).status).toBe(200);
  });

  it("is not who opened the session of the agent that made it, either", async () => {
    await using server = await asking({ requester: "never" });
    const lease = { tools: ["write_file"], write: ["./**"] };
    const opened = async (actor: string, parent?: Session) => {
      const session = await server.gate.sessions.open(lease, { actor, ...(parent && { parent }) });
      return session.kind === "opened" ? session : expect.fail();
    };
    const above = await opened("user:fay");
    const below = await opened("user:ann", above.session);
    const { approval } = await asked(server, below.token);
    const yes = (token?: string) => server.post(`approvals/${approval.id}/approve`, {}, token);
    for (const token of ["ann", "fay"])
      expect(await yes(token)).toMatchObject({
        status: 403,
        body: { detail: "the rule `ask` wants somebody else than who opened the session that the call was made in" },
      });
    expect((await yes("bob")).status).toBe(200);
  });

  it("are two people, and one who says it twice is one", async () => {
    await using server = await asking({ roles: ["ops"], people: 2 });
    const { approval, callId } = await asked(server);
    const yes = (token: string) => server.post(`approvals/${approval.id}/approve`, {}, token);
    expect(await yes("ann")).toMatchObject({
      status: 202,
      body: { status: "pending", approvals_given: 1, approvals_needed: 2 },
    });
    expect(await yes("ann")).toMatchObject({ status: 202, body: { approvals_given: 1 } });
    const { votes } = (await server.get(`approvals/${approval.id}`)).body;
    expect(votes).toEqual({ given: ["user:ann"], needed: 2 });
    expect((await yes("cleo")).status).toBe(403);
    expect((await server.get(`executions/${callId}`)).body.status).toBe("AWAITING_APPROVAL");
    expect(await yes("bob")).toMatchObject({ status: 200, body: { status: "approved" } });
    expect(await ended(server, callId)).toMatchObject({ status: "COMPLETED" });
    expect((await server.get(`approvals/${approval.id}`)).body.approval.resolved_by).toBe("user:ann and user:bob");
    const kinds = server.scratch.entries(callId).map(({ kind, actor }) => `${kind} ${actor}`);
    expect(kinds).toContain("approval.given user:ann");
    expect(kinds).toContain("approval.given user:bob");
    expect((await server.gate.ledger.verify()).ok).toBe(true);
  });

  it("are two people, and the administrator is no other person than whoever is at this machine", async () => {
    await using server = await asking({ people: 2 });
    const { approval, callId } = await asked(server, "dan");
    const local = () => server.gate.approvals.answer(approval.id, { kind: "approve", who: "local:root" });
    expect(await local()).toMatchObject({ kind: "counted", given: 1 });
    const admin = await server.post(`approvals/${approval.id}/approve`, {});
    expect(admin).toMatchObject({ status: 202, body: { approvals_given: 1 } });
    expect((await server.post(`approvals/${approval.id}/approve`, {}, "ann")).status).toBe(200);
    expect(await ended(server, callId)).toMatchObject({ status: "COMPLETED" });
  });

  it("is not the administrator for a call that was made at this machine, where a rule wants somebody else", async () => {
    await using server = await asking({ requester: "never" });
    const call = { tool: "write_file", input: { path: "a.txt", content: "x" }, actor: "local:root" };
    const outcome = await server.gate.call(call, { whenAsked: "return" });
    const id = outcome.kind === "pending" ? outcome.approval.id : "";
    expect((await server.post(`approvals/${id}/approve`, {})).body.code).toBe("APPROVER_NOT_ELIGIBLE");
    expect((await server.post(`approvals/${id}/approve`, {}, "ann")).status).toBe(200);
  });

  it("are two people also after a restart, and at the same time", async () => {
    await using server = await asking({ people: 2 });
    const { approval, callId } = await asked(server);
    await server.post(`approvals/${approval.id}/approve`, {}, "ann");
    await server.server.close();
    await using next = await openTestServer({}, server.scratch);
    const both = await Promise.all(
      ["bob", "cleo"].map((token) => next.post(`approvals/${approval.id}/approve`, {}, token)),
    );
    expect(both.map(({ status }) => status).filter((status) => status !== 200 && status !== 409)).toEqual([]);
    expect(await ended(next, callId)).toMatchObject({ status: "COMPLETED" });
  });

  it("are two people until the deadline: a yes that comes later is none", async () => {
    const clock = handClock(Date.now());
    const rules: RuleSource[] = [{ id: "ask", effect: "ask", touch: { write: ["./**"] }, approvers: { people: 2 } }];
    for (const who of ["local:root", "user:ann"]) {
      // Nobody here looks after deadlines by itself.
      await using scratch = openScratchGate({ rules, inner: { clock }, config: { server: { users: USERS } } });
      const { gate } = scratch;
      const call = { tool: "write_file", input: { path: "a.txt", content: "x" } };
      const outcome = await gate.call(call, { whenAsked: "return" });
      const id = outcome.kind === "pending" ? outcome.approval.id : "";
      const yes = (voter: string) => gate.approvals.answer(id, { kind: "approve", who: voter });
      expect(await yes("local:root")).toMatchObject({ kind: "counted", given: 1 });
      clock.move(300_000);
      expect(await yes(who), who).toMatchObject({ kind: "conflict", question: { answer: { kind: "expired" } } });
      expect(scratch.rows()).toMatchObject([{ state: "expired" }]);
    }
  });

  it("one no ends it, however many have said yes", async () => {
    await using server = await asking({ people: 2 });
    const { approval } = await asked(server);
    await server.post(`approvals/${approval.id}/approve`, {}, "ann");
    expect((await server.post(`approvals/${approval.id}/reject`, {}, "bob")).status).toBe(200);
    expect(server.scratch.rows()).toMatchObject([{ state: "rejected" }]);
  });
});

describe("a role that is taken away", () => {
  const TWO: RuleSource[] = [
    { id: "ask", effect: "ask", touch: { write: ["./**"] }, approvers: { roles: ["approver"], people: 2 } },
  ];
  const ANYBODY: RuleSource[] = [{ id: "ask", effect: "ask", touch: { write: ["./**"] }, approvers: { people: 2 } }];
  const ALL = [user("ann", "approver"), user("bob", "approver"), user("cleo", "approver")];

  it.each([
    ["is gone", TWO, ALL.slice(1)],
    ["has another role", TWO, [user("ann", "caller"), ...ALL.slice(1)]],
    ["may answer nothing any more", ANYBODY, [user("ann", "caller"), ...ALL.slice(1)]],
  ])("takes the yes along of who %s", async (_, rules, users) => {
    await using server = await openTestServer({ rules, config: { server: { users: ALL } } });
    const { approval, callId } = await asked(server);
    expect((await server.post(`approvals/${approval.id}/approve`, {}, "ann")).status).toBe(202);
    await using next = await openTestServer({ rules, config: { server: { users } } }, server.scratch);
    const yes = (token: string) => next.post(`approvals/${approval.id}/approve`, {}, token);
    const one = { status: 202, body: { approvals_given: 1, approvals_needed: 2 } };
    expect((await next.get(`approvals/${approval.id}`, "bob")).body.votes).toEqual({ given: [], needed: 2 });
    expect(await yes("bob")).toMatchObject(one);
    expect(await yes("bob")).toMatchObject(one);
    expect((await next.get(`executions/${callId}`)).body.status).toBe("AWAITING_APPROVAL");
    expect((await yes("cleo")).status).toBe(200);
    expect(await ended(next, callId)).toMatchObject({ status: "COMPLETED" });
    expect((await next.get(`approvals/${approval.id}`)).body.approval.resolved_by).toBe("user:bob and user:cleo");
    // What was said stays recorded.
    const given = server.scratch.entries(callId).filter(({ kind }) => kind === "approval.given");
    expect(given.map(({ actor }) => actor)).toEqual(["user:ann", "user:bob", "user:cleo"]);
  });

  it("takes their yes along on every door, and gives it back with the role", async () => {
    await using server = await openTestServer({ rules: ANYBODY, config: { server: { users: ALL } } });
    const { approval, callId } = await asked(server);
    await server.post(`approvals/${approval.id}/approve`, {}, "ann");
    const local = { kind: "approve", who: "local:root" } as const;
    const without = server.scratch.again({ rules: ANYBODY, config: { server: { users: ALL.slice(1) } } });
    expect(await without.approvals.answer(approval.id, local)).toMatchObject({ kind: "counted", given: 1 });
    expect((await server.post(`approvals/${approval.id}/approve`, {}, "ann")).status).toBe(200);
    expect(await ended(server, callId)).toMatchObject({ status: "COMPLETED" });
  });

  it("is gone for questions that are open already", async () => {
    const rules = [{ id: "ask", effect: "ask", touch: { write: ["./**"] }, approvers: { roles: ["ops"] } }];
    await using server = await openTestServer({ rules: rules as RuleSource[], config: { server: { users: USERS } } });
    const { approval } = await asked(server);
    const reduced = { workspace: "ws", state: "state", rules, server: { users: [user("ann", "approver")] } };
    const path = join(server.scratch.folder, "toolgate.yaml");
    writeFileSync(path, JSON.stringify(reduced));
    await using next = await openTestServer(
      { rules: rules as RuleSource[], config: { server: { users: [user("ann", "approver")] } } },
      server.scratch,
    );
    expect((await next.post(`approvals/${approval.id}/approve`, {}, "ann")).body.code).toBe("APPROVER_NOT_ELIGIBLE");
    expect((await next.post(`approvals/${approval.id}/approve`, {}, "bob")).status).toBe(401);
  });

  it.each([
    ["has lost the role", [user("cal", "caller"), user("ann")], "a2a/message:send", 404],
    ["has lost the role", [user("cal", "caller"), user("ann")], "my/projects/default/approvals/ID/approve", 403],
    ["has been taken out", [user("cal", "caller")], "my/projects/default/approvals/ID/approve", 403],
    ["has another token", [user("cal", "caller"), { ...user("x", "approver"), name: "ann" }], "a2a/message:send", 403],
  ])("is not who %s by the time that their answer is whole", async (_, users, path, status) => {
    await using server = await openTestServer({
      rules: [
        { id: "ask", effect: "ask", touch: { write: ["./**"] } },
        { id: "look", effect: "allow", touch: { read: ["./**"] } },
      ],
      config: { server: { users: [user("cal", "caller"), user("ann", "approver")] } },
      settings: "followed",
    });
    const { approval, callId } = await asked(server, "cal");
    const message = { messageId: "m", role: "ROLE_USER", taskId: callId, parts: [{ data: { answer: "approve" } }] };
    const body = JSON.stringify(path.startsWith("a2a") ? { message } : {});
    const answering = slowPost(`${server.url}/${path.replace("ID", approval.id)}`, "ann", body);
    await answering.begun;
    const settings = join(server.scratch.folder, "toolgate.yaml");
    writeFileSync(settings, JSON.stringify({ ...JSON.parse(readFileSync(settings, "utf8")), server: { users } }));
    // A call looks at the settings of now.
    const before = server.gate.inForce;
    while (server.gate.inForce === before)
      await server.post("tools/execute", { tool_name: "read_file", tool_params: { path: "." } }, "cal");
    // Who answers nothing is told of no task of somebody else.
    expect(await answering.end()).toBe(status);
    expect((await server.get(`approvals/${approval.id}`)).body.approval.status).toBe("pending");
  });
});

/** A request whose head is there, and whose body comes when it is told to. */
function slowPost(url: string, token: string, body: string) {
  const headers = {
    Authorization: `Bearer ${token}`,
    "A2A-Version": "1.0",
    "Content-Type": "application/json",
    "Content-Length": String(Buffer.byteLength(body)),
    Expect: "100-continue",
  };
  const sent = request(url, { method: "POST", headers });
  sent.flushHeaders();
  return {
    begun: once(sent, "continue"),
    end: async () => {
      sent.end(body);
      const [response] = (await once(sent, "response")) as [IncomingMessage];
      response.resume();
      return response.statusCode;
    },
  };
}
