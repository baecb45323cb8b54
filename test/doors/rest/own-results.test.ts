import { describe, expect, it } from "vitest";
import { EVERYTHING } from "../../../src/domain/lease.ts";
import { actingTool } from "../../support/acting-tool.ts";
import { needs } from "../../support/parts.ts";
import type { GateParts } from "../../support/scratch-gate.ts";
import { ADMIN, openTestServer, rawRequest, type TestServer, user } from "../../support/test-server.ts";

const LONG = "x".repeat(1_100_000);

/** A server with a tool whose results are too long for an outcome. */
const openLong = (parts: GateParts = {}) =>
  openTestServer({ tools: ({ workspace }) => [actingTool(workspace, { act: () => LONG }).tool], ...parts });

async function agent(server: TestServer, lease: object = { tools: ["act"], write: ["./**"] }) {
  const opened = await server.gate.sessions.open(lease);
  if (opened.kind !== "opened") throw new Error(JSON.stringify(opened));
  return { id: opened.session.id, token: opened.token };
}

async function act(server: TestServer, token: string) {
  const { body } = await server.post("tools/execute", { tool_name: "act", tool_params: {} }, token);
  return { id: body.callId as string, blob: body.truncated.blob as string, seq: body.receipt.seq as number };
}

/** The status, and what was read or the code of what was wrong. */
async function readBlob(server: TestServer, hash: string, token: string, seq?: number) {
  const query = seq === undefined ? "" : `?seq=${seq}`;
  const response = await fetch(`${server.url}/my/projects/default/blobs/${hash}${query}`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  const text = await response.text();
  return response.ok
    ? { status: response.status, text: text === LONG ? "long" : text }
    : { status: response.status, code: JSON.parse(text).code };
}

interface Stored {
  readonly hash: string;
  readonly bytes: number;
  readonly receipt: { readonly seq: number };
  readonly code?: string;
}

async function storeBlob(server: TestServer, content: string | Uint8Array, token = ADMIN, query = "") {
  const response = await fetch(`${server.url}/my/projects/default/blobs${query}`, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/octet-stream" },
    body: content as never,
  });
  return { status: response.status, body: (await response.json()) as Stored };
}

const GONE = { status: 404, code: "BLOB_NOT_FOUND" };

describe("an agent that knows a blob's hash", () => {
  it("reads it if it came of its own calls, and not if it came of another's", async () => {
    await using server = await openLong();
    const [one, other] = [await agent(server), await agent(server)];
    const made = await act(server, one.token);
    for (const seq of [undefined, made.seq]) {
      expect((await readBlob(server, made.blob, one.token, seq)).status).toBe(200);
      expect(await readBlob(server, made.blob, other.token, seq)).toEqual(GONE);
    }
    expect(await readBlob(server, made.blob, one.token, made.seq - 1)).toEqual(GONE);
    expect(await readBlob(server, made.blob, one.token, 9999)).toEqual(GONE);
    expect((await readBlob(server, made.blob, ADMIN)).status).toBe(200);
    // The same content of its own is its own.
    expect((await act(server, other.token)).blob).toBe(made.blob);
    expect((await readBlob(server, made.blob, other.token)).status).toBe(200);
  });

  it("can't make it its own by naming it", async () => {
    let calls = 0;
    const act = () => (calls++ === 0 ? LONG : "short");
    await using server = await openLong({ tools: ({ workspace }) => [actingTool(workspace, { act }).tool] });
    const [one, other] = [await agent(server), await agent(server)];
    const first = await server.post("tools/execute", { tool_name: "act", tool_params: {} }, one.token);
    const { blob } = first.body.truncated;
    for (const call of [
      { tool_name: blob },
      { tool_name: "act", tool_params: { blob } },
      { tool_name: "act", tool_params: { n: 1, blob, truncated: { blob } } },
      { tool_name: "write_file", tool_params: { path: blob, content: blob } },
    ]) {
      const { body } = await server.post("tools/execute", call, other.token);
      const seqs = server.scratch.entries(body.callId).map(({ seq }) => seq);
      expect(seqs.length).toBeGreaterThan(0);
      for (const seq of [undefined, ...seqs]) expect(await readBlob(server, blob, other.token, seq)).toEqual(GONE);
    }
  });
});

describe("a person who knows a blob's hash", () => {
  it("reads it who answers questions, or made the call", async () => {
    const users = [user("vic", "viewer"), user("exe", "executor"), user("cal", "caller"), user("app", "approver")];
    await using server = await openLong({ config: { server: { users: [...users, user("cat", "caller")] } } });
    const made = await act(server, "cal");
    for (const seq of [undefined, made.seq]) {
      for (const person of [ADMIN, "app", "cal"])
        expect([person, await readBlob(server, made.blob, person, seq)]).toEqual([
          person,
          { status: 200, text: "long" },
        ]);
      for (const person of ["vic", "exe", "cat"])
        expect([person, await readBlob(server, made.blob, person, seq)]).toEqual([person, GONE]);
    }
    expect(await readBlob(server, made.blob, "cal", made.seq - 1)).toEqual(GONE);
  });
});

describe("a lease that was narrowed", () => {
  it("does not show what was made under the wider one; to people it is shown", async () => {
    await using server = await openLong();
    const { id, token } = await agent(server);
    const made = await act(server, token);
    const seen = async (who = token) => (await server.get(`executions/${made.id}`, who)).status;
    await server.gate.sessions.renew(id, { for: "9h" });
    expect([await seen(), (await readBlob(server, made.blob, token)).status]).toEqual([200, 200]);
    await server.gate.sessions.renew(id, { write: ["./elsewhere/**"] });
    expect((await server.get(`executions/${made.id}`, token)).body.code).toBe("LEASE_SCOPE");
    for (const seq of [undefined, made.seq])
      expect(await readBlob(server, made.blob, token, seq)).toEqual({ status: 403, code: "LEASE_SCOPE" });
    const cancelled = await server.post(`executions/${made.id}/cancel`, {}, token);
    expect([cancelled.status, JSON.stringify(cancelled.body).includes("xxx")]).toEqual([403, false]);
    const listed = await server.get("executions", token);
    expect(listed.body.executions).toMatchObject([{ id: made.id, result: null, tool_params: null }]);
    expect([await seen(ADMIN), (await readBlob(server, made.blob, ADMIN)).status]).toEqual([200, 200]);
  });

  it("does not show what was stored under the wider one, and neither does one that has ended", async () => {
    await using server = await openLong();
    const { id, token } = await agent(server, { tools: ["publish_artifact", "act"], write: ["./**"] });
    const { body } = await storeBlob(server, "mine", token);
    const seen = () => readBlob(server, body.hash, token, body.receipt.seq);
    expect(await seen()).toEqual({ status: 200, text: "mine" });
    await server.gate.sessions.renew(id, { tools: ["act"] });
    expect(await seen()).toEqual({ status: 403, code: "LEASE_SCOPE" });
    const session = { id, project: "default", lease: EVERYTHING, isOpened: true } as const;
    await server.gate.sessions.revoke(id);
    expect(server.gate.executions.blobFor(session, body.hash, body.receipt.seq)).toMatchObject({
      code: "LEASE_REVOKED",
    });
  });

  it("still shows what was refused under it", async () => {
    await using server = await openLong();
    const { id, token } = await agent(server);
    const { body } = await server.post(
      "tools/execute",
      { tool_name: "write_file", tool_params: { path: "a", content: "" } },
      token,
    );
    expect(body.refusal.code).toBe("LEASE_SCOPE");
    await server.gate.sessions.renew(id, { write: [] });
    expect((await server.get(`executions/${body.callId}`, token)).body).toMatchObject({ status: "DENIED" });
  });
});

needs("bwrap")("a program that could read more than the lease covers now", () => {
  it("has said what is not shown any more, neither by its id nor by its key", async () => {
    await using server = await openTestServer({
      config: { tools: { builtin: ["shell"] } },
      rules: [{ id: "echo", effect: "allow", touch: { exec: ["echo **"] } }],
    });
    const { id, token } = await agent(server, { tools: ["run_command"], commands: ["echo **"], read: ["./**"] });
    const run = async () => {
      const response = await fetch(`${server.url}/my/projects/default/tools/execute`, {
        method: "POST",
        headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json", "Idempotency-Key": "once" },
        body: JSON.stringify({ tool_name: "run_command", tool_params: { command: "echo hello" } }),
      });
      return (await response.json()) as { kind: string; callId: string; refusal?: { code: string } };
    };
    const made = await run();
    expect(made.kind).toBe("completed");
    const seen = async () => (await server.get(`executions/${made.callId}`, token)).status;
    await server.gate.sessions.renew(id, { for: "9h" });
    expect([await seen(), await run()]).toEqual([200, made]);
    await server.gate.sessions.renew(id, { read: ["./public/**"] });
    expect([await seen(), (await run()).refusal?.code]).toEqual([403, "CONFLICT"]);
  });
});

describe("storing a blob", () => {
  it("keeps the bytes, and tells the ledger who did", async () => {
    await using server = await openLong({
      config: { server: { users: [user("cal", "caller"), user("vic", "viewer")] } },
    });
    for (const content of ["some bytes", ""]) {
      const { status, body } = await storeBlob(server, content, "cal");
      expect([status, body.bytes]).toEqual([201, content.length]);
      expect(await readBlob(server, body.hash, "vic", body.receipt.seq)).toEqual({ status: 200, text: content });
      expect(await readBlob(server, body.hash, "vic")).toEqual(GONE);
      const entry = server.scratch.entries().find(({ seq }) => seq === body.receipt.seq);
      expect(entry).toMatchObject({
        kind: "evidence.published",
        actor: "user:cal",
        body: { blob: body.hash, bytes: content.length },
      });
    }
    expect((await storeBlob(server, "x", "vic")).status).toBe(403);
  });

  it("knows its hash beforehand, or keeps nothing", async () => {
    await using server = await openLong();
    const { body } = await storeBlob(server, "some bytes");
    expect((await storeBlob(server, "some bytes", ADMIN, `?hash=${body.hash}`)).status).toBe(201);
    const before = server.scratch.entries().length;
    const other = await storeBlob(server, "other bytes", ADMIN, `?hash=${body.hash}`);
    expect([other.status, other.body.code]).toEqual([422, "HASH_INVALID"]);
    expect((await storeBlob(server, "x", ADMIN, "?hash=nope")).status).toBe(400);
    expect(server.scratch.entries()).toHaveLength(before);
  });

  it.each<[string, Readonly<Record<string, string>>, number, string]>([
    ["of no type", {}, 415, "MEDIA_TYPE_UNSUPPORTED"],
    ["that a form could send", { "Content-Type": "text/plain" }, 415, "MEDIA_TYPE_UNSUPPORTED"],
    [
      "that is compressed",
      { "Content-Type": "application/octet-stream", "Content-Encoding": "gzip" },
      415,
      "MEDIA_TYPE_UNSUPPORTED",
    ],
    [
      "that says to be too long",
      { "Content-Type": "application/octet-stream", "Content-Length": "104857601" },
      413,
      "BODY_TOO_LARGE",
    ],
  ])("does not take a body %s", async (_, headers, status, code) => {
    await using server = await openLong();
    const path = "/my/projects/default/blobs";
    const authorized = { ...headers, Authorization: `Bearer ${ADMIN}` };
    const answered = await rawRequest(server.url, { method: "POST", path, headers: authorized, body: "bytes" });
    expect([answered.status, answered.body.code]).toEqual([status, code]);
  });

  it("keeps no secret", async () => {
    const KEY = "a-key-of-the-operator";
    await using server = await openLong({ config: { secrets: [{ env: "KEY" }] }, variables: { KEY } });
    const { body } = await storeBlob(server, `it is ${KEY}, keep it`);
    const { text } = await readBlob(server, body.hash, ADMIN);
    expect(text).toBe("it is [REDACTED:KEY], keep it");
  });

  it("is for agents whose lease says so, and only they read it", async () => {
    await using server = await openLong();
    const [plain, other] = [await agent(server), await agent(server)];
    expect((await storeBlob(server, "x", plain.token)).body.code).toBe("LEASE_SCOPE");
    const publisher = await agent(server, { tools: ["publish_artifact"] });
    const { status, body } = await storeBlob(server, "mine", publisher.token);
    const [hash, { seq }] = [body.hash, body.receipt];
    expect(status).toBe(201);
    expect(await readBlob(server, hash, publisher.token, seq)).toEqual({ status: 200, text: "mine" });
    expect(await readBlob(server, hash, publisher.token)).toEqual(GONE); // it came of no call
    expect(await readBlob(server, hash, other.token, seq)).toEqual(GONE);
    const counted = await agent(server, { tools: ["publish_artifact"], budget: { bytes: 1000 } });
    expect((await storeBlob(server, "x", counted.token)).body.code).toBe("LEASE_SCOPE");
    const used = await agent(server, { tools: ["publish_artifact"], budget: { calls: 0 } });
    expect((await storeBlob(server, "x", used.token)).body.code).toBe("BUDGET_EXCEEDED");
    await server.gate.sessions.revoke(publisher.id);
    expect((await storeBlob(server, "x", publisher.token)).body.code).toBe("LEASE_REVOKED");
  });

  it("takes what comes in pieces, and nothing of what is cut off", async () => {
    await using server = await openLong();
    const piece = Buffer.alloc(700_000, "p");
    async function* pieces() {
      yield piece;
      yield piece;
    }
    const response = await fetch(`${server.url}/my/projects/default/blobs`, {
      method: "POST",
      headers: { Authorization: `Bearer ${ADMIN}`, "Content-Type": "application/octet-stream" },
      body: ReadableStream.from(pieces()) as never,
      duplex: "half",
    } as RequestInit);
    const stored = (await response.json()) as { hash: string; bytes: number };
    expect(stored.bytes).toBe(1_400_000);
    expect((await readBlob(server, stored.hash, ADMIN)).text?.length).toBe(1_400_000);
    const before = server.scratch.entries().length;
    async function* broken() {
      yield piece;
      throw new Error("the line is dead");
    }
    await expect(
      fetch(`${server.url}/my/projects/default/blobs`, {
        method: "POST",
        headers: { Authorization: `Bearer ${ADMIN}`, "Content-Type": "application/octet-stream" },
        body: ReadableStream.from(broken()) as never,
        duplex: "half",
      } as RequestInit),
    ).rejects.toThrow();
    expect(server.scratch.entries()).toHaveLength(before);
  });
});
