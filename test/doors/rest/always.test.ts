import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { alwaysFile } from "../../../src/config/always-rules.ts";
import { digestOfText } from "../../../src/domain/digest.ts";
import { eventFromEntry } from "../../../src/events/event-from-entry.ts";
import type { RuleSource } from "../../../src/rules/rule.ts";
import type { GateParts } from "../../support/scratch-gate.ts";
import { ended, openTestServer, type TestServer, user } from "../../support/test-server.ts";

const ASK: RuleSource = { id: "ask", effect: "ask", otherwise: true, touch: { write: ["./**"], delete: ["./**"] } };
const PLAIN: RuleSource = { id: "plain", effect: "ask", touch: { write: ["./**"] } };
const USERS = [user("ann", "approver"), user("cal", "caller"), user("root", "admin")];

const PARTS: GateParts = { rules: [ASK], config: { server: { users: USERS } }, settings: "followed" };
const withRules = (...rules: RuleSource[]): GateParts => ({ ...PARTS, rules });

async function asked(server: TestServer, path = "a.txt", token?: string) {
  const body = { tool_name: "write_file", tool_params: { path, content: "x" }, wait: false };
  const { approval, callId } = (await server.post("tools/execute", body, token)).body;
  return { id: approval.id as string, callId: callId as string };
}

type Kind = "approve" | "reject";

const question = async (server: TestServer, id: string, token?: string) =>
  (await server.get(`approvals/${id}`, token)).body;
const ruleOf = async (server: TestServer, id: string, kind: Kind) => (await question(server, id)).always[kind];
const always = (server: TestServer, id: string, kind: Kind, digest: string, token?: string) =>
  server.post(`approvals/${id}/${kind}`, { always: { rule_digest: digest } }, token);

const savedIn = ({ scratch }: TestServer): string | null =>
  existsSync(alwaysFile(scratch.stateDir)) ? readFileSync(alwaysFile(scratch.stateDir), "utf8") : null;
const statusOf = async (server: TestServer, id: string) => (await question(server, id)).approval.status;
const kinds = (server: TestServer, callId: string) =>
  server.scratch.entries(callId).map(({ kind, actor }) => `${kind} ${actor}`);

describe("always over REST", () => {
  it.each<[Kind, string, string]>([
    ["approve", "allow", "approved"],
    ["reject", "deny", "rejected"],
  ])("%s: saves the very rule that was shown, which answers from then on", async (kind, effect, status) => {
    await using server = await openTestServer(PARTS);
    const { id, callId } = await asked(server);
    const shown = await ruleOf(server, id, kind);
    expect(shown).toMatchObject({ available: true, text: expect.stringContaining("- ./a.txt") });
    expect(shown.text).toContain(`effect: ${effect}`);
    expect(shown.digest).toBe(digestOfText(shown.text));
    const { body } = await always(server, id, kind, shown.digest, "root");
    expect(body).toMatchObject({ status, always: { saved: true, rule_id: shown.rule_id, in_force: true } });
    expect(savedIn(server)?.endsWith(shown.text)).toBe(true);
    if (kind === "approve") expect(await ended(server, callId)).toMatchObject({ status: "COMPLETED" });
    const again = await server.execute("write_file", { path: "a.txt", content: "y" }, { wait: false });
    expect(again.body.kind).toBe(kind === "approve" ? "completed" : "refused");
    expect((await server.execute("write_file", { path: "b.txt", content: "y" }, { wait: false })).status).toBe(202);
    // Who it was, in the ledger: the answer, and what it saved.
    expect(kinds(server, callId)).toContain("approval.answered user:root");
    expect(kinds(server, callId)).toContain("policy.always user:root");
    expect((await server.gate.ledger.verify()).ok).toBe(true);
  });

  it("is shown to who may say it, while it is open", async () => {
    await using server = await openTestServer(PARTS);
    const { id } = await asked(server, "a.txt", "cal");
    for (const token of ["ann", "cal"]) expect((await question(server, id, token)).always).toBeNull();
    for (const token of ["root", undefined])
      expect((await question(server, id, token)).always.approve.available).toBe(true);
    await server.post(`approvals/${id}/reject`);
    expect((await question(server, id)).always).toBeNull();
  });

  it("is not for who may only answer, or call, or is an agent; and then nothing is answered", async () => {
    await using server = await openTestServer(PARTS);
    const { id } = await asked(server);
    const { token } = (await server.post("sessions", { lease: {}, label: "agent" })).body;
    for (const kind of ["approve", "reject"] as const) {
      const { digest } = await ruleOf(server, id, kind);
      for (const who of ["ann", "cal", token]) {
        const refused = await always(server, id, kind, digest, who);
        expect(refused).toMatchObject({ status: 403, body: { code: "ROLE_REQUIRED" } });
      }
    }
    expect([await statusOf(server, id), savedIn(server)]).toEqual(["pending", null]);
    expect((await server.post(`approvals/${id}/approve`, {}, "ann")).status).toBe(200);
  });

  it("is not for an administrator whom the rule does not want to hear", async () => {
    await using server = await openTestServer(withRules({ ...ASK, approvers: { requester: "never" } }));
    const { id } = await asked(server, "a.txt", "root");
    const { digest } = await ruleOf(server, id, "approve");
    const refused = await always(server, id, "approve", digest, "root");
    expect(refused.body.code).toBe("APPROVER_NOT_ELIGIBLE");
    expect([await statusOf(server, id), savedIn(server)]).toEqual(["pending", null]);
    expect((await always(server, id, "approve", digest)).body.always.saved).toBe(true);
  });

  it("says so where a plain ask would go on asking, and answers nothing; a no can be always", async () => {
    await using server = await openTestServer(withRules(PLAIN));
    const { id } = await asked(server);
    const because = "the rule `plain` asks whatever other rules allow";
    expect(await ruleOf(server, id, "approve")).toMatchObject({ available: false, because, hint: expect.any(String) });
    const refused = await always(server, id, "approve", "0".repeat(64));
    expect(refused).toMatchObject({ status: 409, body: { code: "RULE_UNAVAILABLE", detail: because } });
    expect([await statusOf(server, id), savedIn(server)]).toEqual(["pending", null]);
    const { digest } = await ruleOf(server, id, "reject");
    expect((await always(server, id, "reject", digest)).body).toMatchObject({ always: { saved: true } });
  });

  it("is no one person's word where several are wanted", async () => {
    await using server = await openTestServer(withRules({ ...ASK, approvers: { people: 2 } }));
    const { id } = await asked(server);
    await server.post(`approvals/${id}/approve`, {}, "ann");
    expect(await ruleOf(server, id, "approve")).toMatchObject({ available: false });
    expect((await always(server, id, "approve", "0".repeat(64))).body.code).toBe("RULE_UNAVAILABLE");
    expect([await statusOf(server, id), savedIn(server)]).toEqual(["pending", null]);
  });

  it("is refused for another rule than the one that was shown", async () => {
    await using server = await openTestServer(PARTS);
    const { id } = await asked(server);
    const [yes, no] = [await ruleOf(server, id, "approve"), await ruleOf(server, id, "reject")];
    const others = [no.digest, yes.rule_id, yes.text.slice(0, 200), "", yes.digest.toUpperCase()];
    for (const digest of others) {
      const refused = await always(server, id, "approve", digest);
      expect(refused).toMatchObject({ status: 409, body: { code: "RULE_STALE", hint: expect.any(String) } });
    }
    expect([await statusOf(server, id), savedIn(server)]).toEqual(["pending", null]);
    expect((await always(server, id, "approve", yes.digest)).status).toBe(200);
  });

  it("is refused where the rules have changed since it was shown", async () => {
    await using server = await openTestServer(PARTS);
    const { id } = await asked(server);
    const { digest } = await ruleOf(server, id, "approve");
    const path = join(server.scratch.folder, "toolgate.yaml");
    const settings = { ...JSON.parse(readFileSync(path, "utf8")), rules: [{ ...ASK, otherwise: false }] };
    writeFileSync(path, JSON.stringify(settings));
    await expect.poll(async () => (await ruleOf(server, id, "approve")).available).toBe(false);
    expect((await always(server, id, "approve", digest)).body.code).toBe("RULE_UNAVAILABLE");
    expect([await statusOf(server, id), savedIn(server)]).toEqual(["pending", null]);
  });

  it.each([
    { always: true },
    { always: {} },
    { always: { rule_digest: 1 } },
    { always: { rule_digest: "x", more: 1 } },
  ])("is not understood as %j", async (body) => {
    await using server = await openTestServer(PARTS);
    const { id } = await asked(server);
    const refused = await server.post(`approvals/${id}/approve`, body);
    expect(refused).toMatchObject({ status: 400, body: { code: "REQUEST_INVALID" } });
    expect(await statusOf(server, id)).toBe("pending");
  });

  it("that can't be saved counts once, as at the terminal, and says so", async () => {
    await using server = await openTestServer(PARTS);
    const { id, callId } = await asked(server);
    const { digest } = await ruleOf(server, id, "approve");
    writeFileSync(alwaysFile(server.scratch.stateDir), "[]\n", { mode: 0o600 });
    const { status, body } = await always(server, id, "approve", digest, "root");
    expect([status, body.status, body.always.saved]).toEqual([200, "approved", false]);
    expect(body.always.because).toContain("not accepted");
    expect(await ended(server, callId)).toMatchObject({ status: "COMPLETED" });
    expect(savedIn(server)).toBe("[]\n");
    expect(kinds(server, callId)).toContain("policy.refused user:root");
  });

  it("knows no other questions, and none that has its answer", async () => {
    await using server = await openTestServer(PARTS);
    expect((await always(server, "approval_0", "approve", "x")).body.code).toBe("APPROVAL_UNKNOWN");
    const { id } = await asked(server);
    const { digest } = await ruleOf(server, id, "approve");
    await server.post(`approvals/${id}/reject`, {}, "ann");
    const late = await always(server, id, "approve", digest);
    expect(late).toMatchObject({
      status: 409,
      body: { code: "APPROVAL_CONFLICT", winner: { resolved_by: "user:ann" } },
    });
    expect(savedIn(server)).toBeNull();
  });

  it("at once with another answer: one winner, and no rule of who was second", async () => {
    await using server = await openTestServer(PARTS);
    let saved = 0;
    for (let n = 0; n < 12; n++) {
      const { id, callId } = await asked(server, `${n}.txt`);
      const { digest } = await ruleOf(server, id, n % 3 === 0 ? "reject" : "approve");
      const say = () => always(server, id, n % 3 === 0 ? "reject" : "approve", digest, "root");
      const other = () => server.post(`approvals/${id}/${n % 3 === 0 ? "approve" : "reject"}`, {}, "ann");
      const [mine, theirs] = n % 2 === 0 ? await both(say, other) : (await both(other, say)).reverse();
      expect([mine?.status, theirs?.status].toSorted()).toEqual([200, 409]);
      const isMine = mine?.status === 200;
      if (isMine) saved++;
      expect(savedIn(server)?.includes(`./${n}.txt`) ?? false).toBe(isMine);
      expect(kinds(server, callId).includes("policy.always user:root")).toBe(isMine);
    }
    const told = server.scratch.entries().filter(({ kind }) => kind === "policy.always");
    expect(told).toHaveLength(saved);
  });

  it("twice for the same thing saves one rule, and the settings load", async () => {
    await using server = await openTestServer(PARTS);
    const [one, two] = [await asked(server), await asked(server)];
    const { digest } = await ruleOf(server, one.id, "approve");
    for (const { id } of [one, two])
      expect((await always(server, id, "approve", digest)).body.always).toMatchObject({ saved: true, in_force: true });
    expect(savedIn(server)?.match(/- id: always-/g)).toHaveLength(1);
  });

  it("tells an agent of its call that a rule was saved, and not what it says", async () => {
    await using server = await openTestServer(PARTS);
    const { id, callId } = await asked(server);
    const { digest, rule_id } = await ruleOf(server, id, "approve");
    await always(server, id, "approve", digest);
    const entry = server.scratch.entries(callId).find(({ kind }) => kind === "policy.always");
    if (entry === undefined) throw new Error("no entry");
    const event = eventFromEntry(entry, null, server.gate.workspace);
    expect(event.data).toMatchObject({ approval_id: id, rule_id });
    expect(JSON.stringify(event.data)).not.toContain("a.txt");
  });
});

const both = <T>(first: () => Promise<T>, second: () => Promise<T>): Promise<T[]> => Promise.all([first(), second()]);

describe("the digest of what was shown", () => {
  it.each<Kind>(["approve", "reject"])("%s: is compared with what the question is about", async (kind) => {
    await using server = await openTestServer(PARTS);
    const [{ id }, other] = [await asked(server), await asked(server, "b.txt")];
    const digestOf = async (of: string) => (await question(server, of)).approval.plan_digest;
    for (const plan_digest of [await digestOf(other.id), "", "x"]) {
      const refused = await server.post(`approvals/${id}/${kind}`, { plan_digest }, "ann");
      expect(refused).toMatchObject({ status: 409, body: { code: "APPROVAL_STALE", hint: expect.any(String) } });
      expect(refused.body.winner).toBeUndefined();
      expect(await statusOf(server, id)).toBe("pending");
    }
    expect((await question(server, id)).plan.digest).toBe(await digestOf(id));
    const taken = await server.post(`approvals/${id}/${kind}`, { plan_digest: await digestOf(id) }, "ann");
    expect(taken.status).toBe(200);
  });

  it("is compared before a rule is saved", async () => {
    await using server = await openTestServer(PARTS);
    const { id } = await asked(server);
    const { digest } = await ruleOf(server, id, "approve");
    const body = { plan_digest: "x", always: { rule_digest: digest } };
    expect((await server.post(`approvals/${id}/approve`, body)).body.code).toBe("APPROVAL_STALE");
    expect([await statusOf(server, id), savedIn(server)]).toEqual(["pending", null]);
  });

  it("is no yes of several either", async () => {
    await using server = await openTestServer(withRules({ ...ASK, approvers: { people: 2 } }));
    const { id, callId } = await asked(server);
    const refused = await server.post(`approvals/${id}/approve`, { plan_digest: "x" }, "ann");
    expect(refused.body.code).toBe("APPROVAL_STALE");
    expect(kinds(server, callId).filter((kind) => kind.startsWith("approval.given"))).toEqual([]);
  });

  it("comes with the event that asks", async () => {
    await using server = await openTestServer(PARTS);
    const { id, callId } = await asked(server);
    const entry = server.scratch.entries(callId).find(({ kind }) => kind === "tool.decided");
    const event = entry && eventFromEntry(entry, null, server.gate.workspace);
    expect(event?.data["plan_digest"]).toBe((await question(server, id)).approval.plan_digest);
  });
});
