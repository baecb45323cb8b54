import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { Outcome } from "../../src/domain/outcome.ts";
import type { Gate, LeaseSource } from "../../src/wiring/gate.ts";
import { handClock } from "../support/hand-clock.ts";
import { openApprover, YES } from "../support/open-approver.ts";
import { ALLOW_ALL, ASK_ALL, asKind, codeOf, openScratchGate, type ScratchGate } from "../support/scratch-gate.ts";

const READER: LeaseSource = { tools: ["read_file"], read: ["./**"] };
const reading = (path = "a.txt") => ({ tool: "read_file", input: { path } });
const writing = { tool: "write_file", input: { path: "b.txt", content: "x" } };

async function opened(gate: Gate, source: LeaseSource = READER, more = {}) {
  const found = await gate.sessions.open(source, more);
  if (found.kind === "refused") throw new Error(JSON.stringify(found.refusal));
  return found;
}

const refusalOf = (result: { readonly kind: string; readonly refusal?: { readonly code: string } }): string =>
  result.kind === "refused" ? (result.refusal?.code ?? "") : result.kind;

const kinds = (scratch: ScratchGate) =>
  scratch
    .entries()
    .map(({ kind }) => kind)
    .filter((kind) => !kind.startsWith("policy."));

describe("a session", () => {
  it("is opened, known by its token from any gate of the project, and closed", async () => {
    await using scratch = openScratchGate();
    const { gate } = scratch;
    scratch.put("a.txt");
    const { session, token } = await opened(gate, READER, { label: "reviewer" });
    const other = scratch.again();
    for (const one of [gate, other]) {
      expect(await one.sessions.check(token)).toEqual({ kind: "open", session });
      expect(await one.call({ ...reading(), session })).toMatchObject({ kind: "completed" });
      expect(codeOf(await one.call({ ...writing, session }))).toBe("LEASE_SCOPE");
    }
    expect(await other.sessions.list()).toMatchObject([
      { kind: "implicit", lease: { tools: "everything", expires: null } },
      { kind: "opened", id: session.id, label: "reviewer", state: "open", lease: { tools: ["read_file"] } },
    ]);
    expect(await other.sessions.close(session.id, { reason: "done" })).toMatchObject({ kind: "changed" });
    for (const one of [gate, other]) {
      expect(refusalOf(await one.sessions.check(token))).toBe("LEASE_REVOKED");
      expect(codeOf(await one.call({ ...reading(), session }))).toBe("LEASE_REVOKED");
      expect(await one.sessions.list()).toHaveLength(1);
      expect(refusalOf(await one.sessions.close(session.id))).toBe("SESSION_UNKNOWN");
    }
    expect(kinds(scratch).filter((kind) => kind.startsWith("session."))).toEqual(["session.opened", "session.closed"]);
    expect(await gate.ledger.verify()).toMatchObject({ ok: true });
  });

  it("keeps no token, neither in the store nor in the ledger", async () => {
    await using scratch = openScratchGate();
    const { token } = await opened(scratch.gate);
    const secret = token.split(".")[1] ?? "";
    expect(secret).toHaveLength(43);
    expect(JSON.stringify(scratch.entries())).not.toContain(secret);
    expect(JSON.stringify(await scratch.gate.sessions.list())).not.toContain(secret);
  });

  it("has rights that are no other session's", async () => {
    await using scratch = openScratchGate();
    scratch.put("a.txt");
    const one = await opened(scratch.gate, READER);
    const two = await opened(scratch.gate, { tools: ["write_file"], write: ["./**"], read: ["./**"] });
    expect(codeOf(await scratch.gate.call({ ...writing, session: one.session }))).toBe("LEASE_SCOPE");
    expect(codeOf(await scratch.gate.call({ ...reading(), session: two.session }))).toBe("LEASE_SCOPE");
    // A session's id with another one's lease is that session all the same.
    const forged = { ...one.session, lease: two.session.lease };
    expect(codeOf(await scratch.gate.call({ ...writing, session: forged }))).toBe("LEASE_SCOPE");
    expect(codeOf(await scratch.gate.explain({ ...writing, session: forged }).then(asRefused))).toBe("LEASE_SCOPE");
    // Another one's secret behind a session's id opens neither.
    const mixed = `${one.token.split(".")[0]}.${two.token.split(".")[1]}`;
    expect(refusalOf(await scratch.gate.sessions.check(mixed))).toBe("SESSION_UNKNOWN");
  });

  it("that was never opened, or belongs to another project, is unknown", async () => {
    await using scratch = openScratchGate();
    const { session } = await opened(scratch.gate);
    for (const stranger of [
      { ...session, id: "session_none" },
      { ...session, project: "other" },
    ]) {
      expect(codeOf(await scratch.gate.call({ ...reading(), session: stranger }))).toBe("SESSION_UNKNOWN");
    }
  });

  it.each<[LeaseSource, string]>([
    [{ tools: ["read_file"], read: ["a/**"] }, "INVALID_ARGUMENTS"],
    [{ tool: [] } as LeaseSource, "INVALID_ARGUMENTS"],
    [null as unknown as LeaseSource, "INVALID_ARGUMENTS"],
  ])("is not opened with the lease %j", async (source, code) => {
    await using scratch = openScratchGate();
    expect(refusalOf(await scratch.gate.sessions.open(source))).toBe(code);
    expect(kinds(scratch)).toEqual([]);
  });

  it("has a label of some length", async () => {
    await using scratch = openScratchGate();
    expect(refusalOf(await scratch.gate.sessions.open(READER, { label: "é".repeat(100) }))).toBe("opened");
    expect(refusalOf(await scratch.gate.sessions.open(READER, { label: "é".repeat(101) }))).toBe("INVALID_ARGUMENTS");
  });
});

const asRefused = ({ code = "FAULT" }: { readonly code?: string }): Outcome =>
  ({ kind: "refused", refusal: { code } }) as never;

describe("A49: wrong tokens", () => {
  it("are refused and recorded without their text; too many of them are only counted, and right ones still pass", async () => {
    await using scratch = openScratchGate();
    const gate = scratch.again({ inner: { clock: handClock() } }); // all of them within a minute, however slow the machine
    const { session, token } = await opened(gate);
    const secrets: string[] = [];
    const codes = new Map<string, number>();
    for (let i = 0; i < 10_000; i++) {
      const secret = randomBytes(32).toString("base64url");
      secrets.push(secret);
      const code = refusalOf(await gate.sessions.check(`${token.split(".")[0]}.${secret}`, { from: "127.0.0.1" }));
      codes.set(code, (codes.get(code) ?? 0) + 1);
      if (i % 1000 === 0) expect(await gate.sessions.check(token)).toEqual({ kind: "open", session });
    }
    expect([...codes]).toEqual([
      ["SESSION_UNKNOWN", 10],
      ["RATE_LIMITED", 9990],
    ]);
    await gate.close();
    const told = scratch.entries().filter(({ kind }) => kind === "session.refused");
    expect(told).toHaveLength(11);
    expect(told.reduce((sum, { body }) => sum + Number(body["count"]), 0)).toBe(10_000);
    const text = JSON.stringify(scratch.entries());
    expect(secrets.some((secret) => text.includes(secret))).toBe(false);
  });

  it.each(["", "tgs_", "Bearer x", "tgs_zz.short", "\u0000", 7 as unknown as string, null as unknown as string])(
    "such as %j are refused",
    async (token) => {
      await using scratch = openScratchGate();
      expect(refusalOf(await scratch.gate.sessions.check(token))).toBe("SESSION_UNKNOWN");
    },
  );
});

describe("a lease", () => {
  it("ends by the clock, for calls and for its token", async () => {
    const clock = handClock();
    await using scratch = openScratchGate({ inner: { clock } });
    scratch.put("a.txt");
    const { session, token } = await opened(scratch.gate, { ...READER, for: "1h" });
    clock.move(3_599_999);
    expect(codeOf(await scratch.gate.call({ ...reading(), session }))).toBe("completed");
    clock.move(1);
    expect(codeOf(await scratch.gate.call({ ...reading(), session }))).toBe("LEASE_EXPIRED");
    expect(refusalOf(await scratch.gate.sessions.check(token))).toBe("LEASE_EXPIRED");
    expect(refusalOf(await scratch.gate.sessions.renew(session.id, { for: "1h" }))).toBe("LEASE_EXPIRED");
    await expect.poll(async () => (await scratch.gate.sessions.list()).length).toBe(1);
  });

  it("that has run out is told to the ledger once, whoever finds it so and how often", async () => {
    const clock = handClock();
    await using scratch = openScratchGate({ rules: ASK_ALL, inner: { clock } });
    const { session, token } = await opened(scratch.gate, { ...READER, for: "1h" });
    const child = await opened(scratch.gate, { ...READER, for: "2h" }, { parent: session });
    const asked = await scratch.gate.call({ ...reading(), session: child.session }, { whenAsked: "return" });
    expect(codeOf(asked)).toBe("pending");
    const other = scratch.again({ rules: ASK_ALL, inner: { clock } });
    clock.move(3_600_000);
    const codes = await Promise.all(
      [scratch.gate, other, scratch.gate, other].flatMap((gate) => [
        gate.call({ ...reading(), session: child.session }).then(codeOf),
        gate.sessions.check(token).then(refusalOf),
      ]),
    );
    expect(new Set(codes)).toEqual(new Set(["LEASE_EXPIRED"]));
    await other.close();
    expect(codeOf(await scratch.gate.call({ ...reading(), session }))).toBe("LEASE_EXPIRED");
    await expect.poll(async () => (await scratch.gate.approvals.list()).length).toBe(0);
    await scratch.gate.close();
    const told = scratch.entries().filter(({ kind }) => kind === "lease.expired");
    expect(told).toMatchObject([
      {
        sessionId: session.id,
        callId: null,
        body: { leaseId: session.lease.id, expires: expect.stringMatching(/Z$/) },
      },
    ]);
    // From then on it has ended, also by a clock that was set back.
    const later = scratch.again({ inner: { clock: handClock() } });
    expect(refusalOf(await later.sessions.check(token))).toBe("LEASE_EXPIRED");
  });

  it("is renewed for longer or for less, never for more", async () => {
    const clock = handClock();
    await using scratch = openScratchGate({ inner: { clock } });
    const { gate } = scratch;
    scratch.put("a.txt");
    const { session } = await opened(gate, { ...READER, for: "1h" });
    for (const wider of [
      { tools: "everything" as const },
      { tools: ["read_file", "write_file"] },
      { read: ["/**"] },
      { write: ["./a"] },
      { expires: null },
    ]) {
      expect(refusalOf(await gate.sessions.renew(session.id, wider))).toBe("LEASE_SCOPE");
    }
    expect(refusalOf(await gate.sessions.renew(session.id, { for: "long" }))).toBe("INVALID_ARGUMENTS");
    expect(refusalOf(await gate.sessions.renew("session_none", { for: "1h" }))).toBe("SESSION_UNKNOWN");
    clock.move(1_800_000);
    expect(await gate.sessions.renew(session.id, { for: "1h" })).toMatchObject({
      kind: "changed",
      session: { state: "open", lease: { expires: new Date(clock.nowMs() + 3_600_000).toISOString() } },
    });
    clock.move(3_000_000);
    expect(codeOf(await gate.call({ ...reading(), session }))).toBe("completed");
    expect(refusalOf(await gate.sessions.renew(session.id, { read: ["./b/**"] }))).toBe("changed");
    expect(codeOf(await gate.call({ ...reading(), session }))).toBe("LEASE_SCOPE");
    expect(kinds(scratch).filter((kind) => kind === "lease.renewed")).toHaveLength(2);
  });

  it("renewed by two at once is renewed by one, and the other hears why", async () => {
    await using scratch = openScratchGate();
    const { session } = await opened(scratch.gate, { ...READER, for: "1h" });
    const made = await Promise.all([1, 2].map(() => scratch.gate.sessions.renew(session.id, { for: "30m" })));
    expect(made.map(refusalOf).toSorted()).toEqual(["CONFLICT", "changed"]);
    const lost = made.find((each) => each.kind === "refused");
    expect(lost).toMatchObject({ refusal: { message: expect.stringContaining("renewed by somebody else") } });
  });

  it("says what to write instead of a word that means nothing, and where the parent's id is", async () => {
    await using scratch = openScratchGate();
    const { sessions } = scratch.gate;
    expect(await sessions.open({ tools: "all" } as never)).toMatchObject({
      refusal: { hint: "write a list, such as `tools: [a, b]`, or `tools: everything`" },
    });
    expect(await sessions.open({}, { parent: { id: "nope", isOpened: true } })).toMatchObject({
      refusal: {
        code: "SESSION_UNKNOWN",
        message: expect.stringContaining("parent"),
        hint: expect.stringContaining("list"),
      },
    });
  });

  it("of a child covers what both cover, and ends with its parent's", async () => {
    const clock = handClock();
    await using scratch = openScratchGate({ inner: { clock } });
    const { gate } = scratch;
    scratch.put("src/a.txt");
    scratch.put("b.txt");
    const parent = await opened(gate, { tools: ["read_file"], read: ["./src/**"], for: "1h" });
    const child = await opened(
      gate,
      { tools: "everything", read: ["./**"], expires: null },
      { parent: parent.session },
    );
    const grandchild = await opened(gate, READER, { parent: child.session });
    for (const { session } of [child, grandchild]) {
      expect(codeOf(await gate.call({ ...reading("src/a.txt"), session }))).toBe("completed");
      expect(codeOf(await gate.call({ ...reading("b.txt"), session }))).toBe("LEASE_SCOPE");
      expect(codeOf(await gate.call({ ...writing, session }))).toBe("LEASE_SCOPE");
    }
    clock.move(3_600_000);
    for (const { session, token } of [child, grandchild]) {
      expect(codeOf(await gate.call({ ...reading("src/a.txt"), session }))).toBe("LEASE_EXPIRED");
      expect(refusalOf(await gate.sessions.check(token))).toBe("LEASE_EXPIRED");
    }
    expect(refusalOf(await gate.sessions.open(READER, { parent: child.session }))).toBe("LEASE_EXPIRED");
  });

  it("lies within at most so many others", async () => {
    await using scratch = openScratchGate();
    const { gate } = scratch;
    let { session } = await opened(gate);
    for (let depth = 2; depth <= 8; depth++) session = (await opened(gate, READER, { parent: session })).session;
    expect(refusalOf(await gate.sessions.open(READER, { parent: session }))).toBe("LEASE_SCOPE");
    expect(codeOf(await gate.call({ ...reading(), session }))).toBe("FILE_NOT_FOUND");
  });

  it("below one that nobody opened is not given", async () => {
    await using scratch = openScratchGate();
    const parent = { id: "session_none", isOpened: true as const };
    expect(refusalOf(await scratch.gate.sessions.open(READER, { parent }))).toBe("SESSION_UNKNOWN");
    expect(refusalOf(await scratch.gate.sessions.open(READER, { parent: { id: "made-up" } }))).toBe("SESSION_UNKNOWN");
    const [own] = await scratch.gate.sessions.list();
    expect(refusalOf(await scratch.gate.sessions.open(READER, { parent: { id: own?.id ?? "" } }))).toBe("opened");
  });
});

describe("a revoked lease", () => {
  const EDITOR: LeaseSource = { tools: "everything", read: ["./**"], write: ["./**"] };

  it("refuses calls that wait for an answer, of its session and of those below it, and no others", async () => {
    await using scratch = openScratchGate({ rules: ASK_ALL });
    const { gate } = scratch;
    const parent = await opened(gate, EDITOR);
    const child = await opened(gate, EDITOR, { parent: parent.session });
    const other = await opened(gate, EDITOR);
    const elsewhere = scratch.again();
    const asked = (of: Gate, session: typeof parent.session) => of.call({ ...writing, session });
    const waiting = [asked(gate, parent.session), asked(elsewhere, child.session)];
    const stays = gate.call({ ...writing, session: other.session }, { whenAsked: "return" });
    await stays;
    while ((await gate.approvals.list()).length < 3) await new Promise((resolve) => setImmediate(resolve));
    expect(refusalOf(await gate.sessions.revoke(parent.session.id, { reason: "lost" }))).toBe("changed");
    for (const outcome of await Promise.all(waiting)) expect(codeOf(outcome)).toBe("LEASE_REVOKED");
    expect(await gate.approvals.list()).toMatchObject([{ sessionId: other.session.id }]);
    for (const { token } of [parent, child]) expect(refusalOf(await gate.sessions.check(token))).toBe("LEASE_REVOKED");
    expect(kinds(scratch)).toContain("lease.revoked");
    expect(await gate.ledger.verify()).toMatchObject({ ok: true });
  });

  it("refuses a call that was approved and not started, also after a restart", async () => {
    await using scratch = openScratchGate({ rules: ASK_ALL });
    const { gate } = scratch;
    const { session } = await opened(gate, EDITOR);
    const pending = asKind(await gate.call({ ...writing, session }, { whenAsked: "return" }), "pending");
    await gate.approvals.answer(pending.approval.id, { kind: "approve", who: "ann" });
    await gate.sessions.revoke(session.id);
    const later = scratch.again();
    const question = await later.approvals.find(pending.approval.id);
    if (question === null) throw new Error("the question is gone");
    expect(codeOf((await later.approvals.carryOn(question)) as Outcome)).toBe("LEASE_REVOKED");
  });

  it("refuses a call that is approved just then", async () => {
    const question = openApprover();
    await using scratch = openScratchGate({ rules: ASK_ALL, approver: question.approver });
    const { session } = await opened(scratch.gate, EDITOR);
    const made = scratch.gate.call({ ...writing, session });
    await question.asked;
    const revoked = scratch.gate.sessions.revoke(session.id);
    question.answer(YES);
    await revoked;
    expect(codeOf(await made)).toBe("LEASE_REVOKED");
    expect(() => scratch.text("b.txt")).toThrow("ENOENT");
  });
});

it("a journal that can't be read opens nothing and lets nothing through", async () => {
  await using scratch = openScratchGate({ rules: ALLOW_ALL });
  const { session, token } = await opened(scratch.gate);
  const blocked = scratch.again({ stateDir: scratch.put("a-file") });
  expect(refusalOf(await blocked.sessions.check(token))).toBe("LEDGER_UNAVAILABLE");
  expect(codeOf(await blocked.call({ ...reading(), session }))).toBe("LEDGER_UNAVAILABLE");
});
