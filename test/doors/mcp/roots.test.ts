import { pathToFileURL } from "node:url";
import type { Client } from "@modelcontextprotocol/client";
import { describe, expect, it, vi } from "vitest";
import { SCOPES } from "../../../src/domain/lease.ts";
import { OUTCOME_META } from "../../../src/doors/mcp/call-result.ts";
import { leaseWithin, UNTOLD } from "../../../src/doors/mcp/roots.ts";
import { type ClientParts, connectClient, connectHttp, textOf } from "../../support/mcp-client.ts";
import { call, ENVELOPE, openLines } from "../../support/mcp-lines.ts";
import { openScratchGate, type ScratchGate } from "../../support/scratch-gate.ts";
import { ADMIN, openTestServer, type TestServer } from "../../support/test-server.ts";

describe("the lease of roots", () => {
  it.each<[string, readonly string[], readonly string[] | null]>([
    ["none", [], null],
    ["the workspace", ["file:///ws"], null],
    ["a folder above it", ["file:///ws/in", "file:///"], null],
    ["a folder in it", ["file:///ws/in/"], ["/ws/in", "/ws/in/**"]],
    ["one with a star", ["file:///ws/*"], ["/ws/\\*", "/ws/\\*/**"]],
    ["one of another machine", ["file://elsewhere.example/ws"], []],
    ["what is no folder", ["https://a.example/"], []],
    ["what is nothing", ["no address"], []],
  ])("is narrowed by %s", (_, uris, scope) => {
    const lease = leaseWithin(
      uris.map((uri) => ({ uri })),
      "/ws",
    );
    expect(lease && { read: lease.read, write: lease.write }).toEqual(scope && { read: scope, write: scope });
  });

  it("covers nothing where a root is none", () => {
    expect(leaseWithin([null, "file:///ws"], "/ws")).toMatchObject({ read: [], write: [], tools: "everything" });
  });
});

/** A workspace with a file in `in` and one outside of it. */
function filled(scratch: ScratchGate): string {
  scratch.put("in/a.txt", "inside");
  scratch.put("b.txt", "outside");
  return pathToFileURL(`${scratch.workspace}/in`).href;
}

const read = (client: Client, path: string) => client.callTool({ name: "read_file", arguments: { path } });
const codeOf = (result: { _meta?: Record<string, unknown> | undefined }) =>
  (result._meta?.[OUTCOME_META] as { readonly code?: string } | undefined)?.code;

/** It says that it has roots, and has no handler for being asked. */
const SILENT = (era: "2025-11-25" | "2025-06-18"): ClientParts => ({ era, options: { capabilities: { roots: {} } } });

describe.each(["2026-07-28", "2025-11-25", "2025-06-18"] as const)("roots of a client of %s", (era) => {
  it("narrow it on pipes", async () => {
    await using scratch = openScratchGate();
    const root = filled(scratch);
    await using narrow = await connectClient(scratch.gate, { era, roots: [root] });
    expect(textOf(await read(narrow.client, "in/a.txt"))).toContain("inside");
    expect(codeOf(await read(narrow.client, "b.txt"))).toBe("LEASE_SCOPE");
    // Once more, when there is no first call any more that settles anything.
    expect(codeOf(await read(narrow.client, "b.txt"))).toBe("LEASE_SCOPE");
  });
});

describe.each(["2025-11-25", "2025-06-18"] as const)("roots of a client of %s over HTTP", (era) => {
  it("narrow it", async () => {
    await using server = await openTestServer();
    const root = filled(server.scratch);
    const client = await connectHttp(server.url, ADMIN, { era, roots: [root] });
    expect(textOf(await read(client, "in/a.txt"))).toContain("inside");
    const refused = await read(client, "b.txt");
    expect(codeOf(refused)).toBe("LEASE_SCOPE");
    expect(textOf(refused)).toContain("the client's roots don't hold it");
    const wide = await connectHttp(server.url, ADMIN, { era, roots: ["file:///"] });
    expect(textOf(await read(wide, "b.txt"))).toContain("outside");
    const without = await connectHttp(server.url, ADMIN, { era });
    expect(textOf(await read(without, "b.txt"))).toContain("outside");
    await Promise.all([client.close(), wide.close(), without.close()]);
  });

  it("bind beside the lease of a session", async () => {
    await using server = await openTestServer();
    const root = filled(server.scratch);
    server.scratch.put("in/secret.txt", "secret");
    const opened = await server.gate.sessions.open({ tools: "everything", read: ["./in/a.txt", "./b.txt"], write: [] });
    if (opened.kind !== "opened") throw new Error("not opened");
    const client = await connectHttp(server.url, opened.token, { era, roots: [root] });
    expect(textOf(await read(client, "in/a.txt"))).toContain("inside");
    const byRoots = await read(client, "b.txt");
    expect(textOf(byRoots)).toContain("the client's roots don't hold it");
    const byLease = await read(client, "in/secret.txt");
    expect(codeOf(byLease)).toBe("LEASE_SCOPE");
    expect(textOf(byLease)).not.toContain("roots");
    // What is taken back is taken back, whatever the roots are.
    await server.gate.sessions.close(opened.session.id);
    await expect(read(client, "in/a.txt")).rejects.toThrow();
    await client.close();
  });
});

describe.each(["2025-11-25", "2025-06-18"] as const)("a client of %s that does not name its roots", (era) => {
  it("may do nothing over HTTP", async () => {
    await using server = await openTestServer();
    filled(server.scratch);
    const client = await connectHttp(server.url, ADMIN, SILENT(era));
    const refused = await read(client, "b.txt");
    expect(codeOf(refused)).toBe("LEASE_SCOPE");
    expect(textOf(refused)).toContain("did not name them");
    await client.close();
  });

  it("may do nothing on pipes, until it does", async () => {
    await using scratch = openScratchGate();
    filled(scratch);
    await using connected = await connectClient(scratch.gate, SILENT(era));
    const refused = await read(connected.client, "b.txt");
    expect(codeOf(refused)).toBe("LEASE_SCOPE");
    expect(textOf(refused)).toContain("did not name them");
    expect(scratch.rows().map(({ state }) => state)).toEqual(["refused"]);
    connected.client.setRequestHandler("roots/list", () => ({ roots: [{ uri: "file:///" }] }));
    expect(textOf(await read(connected.client, "b.txt"))).toContain("outside");
  });
});

describe("a client of 2026-07-28 that does not name its roots", () => {
  const rooted = { ...ENVELOPE, "io.modelcontextprotocol/clientCapabilities": { roots: {} } };
  const asking = (id: number, more = {}) => call(id, "read_file", { path: "b.txt" }, { _meta: rooted, ...more });

  it("is asked with each call, and may do nothing", async () => {
    await using scratch = openScratchGate();
    filled(scratch);
    await using lines = openLines(scratch);
    for (const id of [1, 2]) {
      expect(await lines.ask(asking(id))).toMatchObject({
        id,
        result: { resultType: "input_required", inputRequests: { roots: { method: "roots/list" } } },
      });
    }
    for (const inputResponses of [{}, { roots: { action: "decline" } }, { roots: { roots: "all" } }]) {
      const refused = await lines.ask(asking(3, { inputResponses }));
      expect(refused.result ?? refused.error).toBeDefined();
      expect(JSON.stringify(refused)).not.toContain('outside"');
      if (refused.result !== undefined) expect(codeOf(refused.result)).toBe("LEASE_SCOPE");
    }
    const named = await lines.ask(asking(4, { inputResponses: { roots: { roots: [{ uri: "file:///" }] } } }));
    expect(named).toMatchObject({ id: 4, result: { content: [{ text: "outside" }] } });
  });
});

it("roots of a client of 2026-07-28 are not asked for over HTTP, where its revision has no way that clients answer", async () => {
  await using server = await openTestServer();
  const root = filled(server.scratch);
  const client = await connectHttp(server.url, ADMIN, { roots: [root] });
  for (const _ of [1, 2]) expect(textOf(await read(client, "b.txt"))).toContain("outside");
  await client.close();
});

describe.each(["pipes", "HTTP"] as const)("roots that change while a question waits, over %s", (way) => {
  const READ = [{ id: "ask", effect: "ask", touch: { read: ["./**"] } }] as const;
  const era = "2025-11-25";

  /** A client whose roots are `folder`, and a question of its that waits for `b.txt`. */
  async function waiting(server: TestServer, first: string) {
    let root = first;
    const parts: ClientParts = { era, ask: "desk", options: { capabilities: { roots: { listChanged: true } } } };
    const piped = way === "pipes" ? await connectClient(server.gate, parts) : null;
    const client = piped?.client ?? (await connectHttp(server.url, ADMIN, parts));
    let told = 0;
    client.setRequestHandler("roots/list", () => {
      told++;
      return { roots: [{ uri: root }] };
    });
    const reading = read(client, "b.txt");
    const [question] = await vi.waitUntil(async () => {
      const questions = await server.gate.approvals.list();
      return questions.length > 0 && questions;
    });
    const change = async (to: string) => {
      root = to;
      const before = told;
      await client.sendRootsListChanged();
      await vi.waitUntil(() => told > before);
    };
    const approve = () => server.gate.approvals.answer(question?.approvalId ?? "", { kind: "approve", who: "me" });
    const close = async () => {
      await client.close();
      await piped?.[Symbol.asyncDispose]();
    };
    return { client, reading, change, approve, close };
  }

  it("are held against it as they are now", async () => {
    await using server = await openTestServer({ rules: READ });
    const root = filled(server.scratch);
    const { reading, change, approve, close } = await waiting(server, "file:///");
    await change(root);
    await approve();
    expect(codeOf(await reading)).toBe("LEASE_SCOPE");
    await close();
  });

  it("are held against it as they are now, and not as they were after an earlier change", async () => {
    await using server = await openTestServer({ rules: READ });
    const root = filled(server.scratch);
    const { reading, change, approve, close } = await waiting(server, "file:///");
    await change(pathToFileURL(server.scratch.workspace).href);
    await change(root);
    await approve();
    const refused = await reading;
    expect(codeOf(refused)).toBe("LEASE_SCOPE");
    expect(textOf(refused)).toContain("the client's roots don't hold it");
    await close();
  });

  it("are asked for, also where another call has come and gone meanwhile", async () => {
    await using server = await openTestServer({ rules: READ });
    filled(server.scratch);
    const { client, reading, change, approve, close } = await waiting(server, "file:///");
    expect(codeOf(await client.callTool({ name: "write_file", arguments: { path: "c", content: "" } }))).toBe(
      "DEFAULT_DENY",
    );
    await change(pathToFileURL(server.scratch.workspace).href);
    await approve();
    expect(textOf(await reading)).toContain("outside");
    await close();
  });

  it("refuse it, and say why, as long as it has not named them", async () => {
    await using server = await openTestServer({ rules: READ });
    filled(server.scratch);
    const { client, reading, approve, close } = await waiting(server, "file:///");
    const asked = Promise.withResolvers<void>();
    client.setRequestHandler("roots/list", () => {
      asked.resolve();
      return new Promise<never>(() => {});
    });
    await client.sendRootsListChanged();
    await asked.promise;
    await approve();
    const refused = await reading;
    expect(codeOf(refused)).toBe("LEASE_SCOPE");
    expect(textOf(refused)).toContain("have changed");
    await close();
  });

  it("refuse nothing where they still hold it", async () => {
    await using server = await openTestServer({ rules: READ });
    filled(server.scratch);
    const { reading, change, approve, close } = await waiting(server, pathToFileURL(server.scratch.workspace).href);
    await change("file:///");
    await approve();
    expect(textOf(await reading)).toContain("outside");
    await close();
  });
});

describe("nothing", () => {
  it("is what a client may do whose roots nobody knows", () => {
    expect(SCOPES.map((name) => UNTOLD[name])).toEqual([[], [], [], [], [], []]);
  });
});
