import { describe, expect, it } from "vitest";
import { LIMITS } from "../../../src/domain/limits.ts";
import type { Progress } from "../../../src/domain/tool.ts";
import { asKind, codeOf, openScratchGate } from "../../support/scratch-gate.ts";
import { call, gateFor, isModern, openUpstream, type Upstream } from "./http-set-up.ts";

describe("an upstream by HTTP", () => {
  it.each(["reject", "stateless"] as const)("is called, of 2026 (legacy: %s)", async (legacy) => {
    await using upstream = await openUpstream(legacy);
    await using scratch = gateFor(upstream.url);
    expect(asKind(await call(scratch, "up_echo"), "completed").content).toEqual([{ type: "text", text: "hello" }]);
    expect(scratch.entries().find(({ kind }) => kind === "upstream.started")?.body).toMatchObject({
      url: upstream.url,
    });
  });

  it("is called, of 2025", async () => {
    await using upstream = await openUpstream("stateless", (request) =>
      isModern(request) ? Response.json({ error: "what is this" }, { status: 400 }) : null,
    );
    await using scratch = gateFor(upstream.url);
    expect(codeOf(await call(scratch, "up_echo"))).toBe("completed");
  });

  it("gets its secret, which is nowhere else", async () => {
    await using upstream = await openUpstream("reject");
    const headers = { Authorization: { secret: "UP_TOKEN", prefix: "Bearer " }, "X-Plain": "plain" };
    await using scratch = gateFor(upstream.url, { headers });
    expect(codeOf(await call(scratch, "up_echo"))).toBe("completed");
    expect(upstream.requests.length).toBeGreaterThan(1);
    for (const request of upstream.requests) {
      expect(request.headers.get("authorization")).toBe("Bearer a-very-secret-token");
      expect(request.headers.get("x-plain")).toBe("plain");
    }
    expect(JSON.stringify(scratch.entries())).not.toContain("a-very-secret-token");
  });

  const forgetful = async (sessionId?: string) => {
    const server = { isGone: false };
    const before = (request: Request) => {
      if (isModern(request)) return Response.json({ error: "what is this" }, { status: 400 });
      return server.isGone ? new Response("gone", { status: 404 }) : null;
    };
    return Object.assign(await openUpstream("stateless", before, sessionId), { server });
  };

  it("whose session has ended, as after a restart of its own, is begun anew, at once", async () => {
    await using upstream = await forgetful("one");
    await using scratch = gateFor(upstream.url);
    expect(codeOf(await call(scratch, "up_echo"))).toBe("completed");
    upstream.server.isGone = true;
    const refused = asKind(await call(scratch, "up_echo"), "failed");
    expect(refused.error).toMatchObject({ code: "CONNECT_FAILED", retryable: true });
    upstream.server.isGone = false;
    expect(codeOf(await call(scratch, "up_echo"))).toBe("completed");
    expect(scratch.entries().filter(({ kind }) => kind === "upstream.started")).toHaveLength(2);
  });

  it("that has no sessions and answers a call with 404 is not believed to have done nothing", async () => {
    await using upstream = await forgetful();
    await using scratch = gateFor(upstream.url);
    expect(codeOf(await call(scratch, "up_echo"))).toBe("completed");
    upstream.server.isGone = true;
    expect(codeOf(await call(scratch, "up_echo"))).toBe("OUTCOME_UNKNOWN");
  });

  it("that takes no call with the token that it was given says so", async () => {
    let isShut = false;
    await using upstream = await openUpstream("reject", () => (isShut ? new Response(null, { status: 401 }) : null));
    await using scratch = gateFor(upstream.url);
    await scratch.gate.upstreams.ready();
    isShut = true;
    const { error } = asKind(await call(scratch, "up_echo"), "failed");
    expect(error).toMatchObject({ code: "TOOL_FAILED", message: expect.stringContaining("(401)") });
  });

  it("that never says what it has is not waited for by a gate that closes", async () => {
    const asked = Promise.withResolvers<void>();
    const never = new Promise<never>(() => {});
    await using upstream = await openUpstream("reject", (request) => {
      if (request.headers.get("mcp-method") !== "tools/list") return null;
      asked.resolve();
      return never;
    });
    await using scratch = gateFor(upstream.url);
    const looking = scratch.gate.upstreams.look("up");
    await asked.promise;
    await scratch.gate.close();
    const message = (await looking)?.fault?.message;
    expect(message).toContain("it can't be listed");
    expect(message).not.toContain("timed out");
  });

  it("is not followed to another place", async () => {
    await using other = await openUpstream("reject");
    await using upstream = await openUpstream("reject", () => Response.redirect(other.url, 307));
    await using scratch = gateFor(upstream.url);
    await scratch.gate.upstreams.ready();
    expect(other.requests).toEqual([]);
    expect(scratch.gate.upstreams.list()[0]?.health.state).toBe("failed");
  });

  it("is not followed to another place on its host either, which is named", async () => {
    const elsewhere = () => new Response(null, { status: 307, headers: { Location: "/mcp/" } });
    const isOld = (request: Request) => new URL(request.url).pathname === "/mcp";
    await using upstream = await openUpstream("reject", (request) => (isOld(request) ? elsewhere() : null));
    await using scratch = gateFor(upstream.url);
    const fault = (await scratch.gate.upstreams.look("up"))?.fault;
    expect(fault).toMatchObject({ code: "CONNECT_FAILED", message: expect.stringContaining(`${upstream.url}/ not`) });
    expect(upstream.requests.every(isOld)).toBe(true);
  });

  it("may list what it has on as many pages as there may be tools", async () => {
    const pages = LIMITS.upstreamTools.default / 10;
    const before = async (request: Request) => {
      if (request.headers.get("mcp-method") !== "tools/list") return null;
      const { id, params } = (await request.clone().json()) as { id: number; params: { cursor?: string } };
      const page = Number(params.cursor ?? 0);
      const tools = Array.from({ length: 10 }, (_, n) => ({ name: `t${page}-${n}`, inputSchema: { type: "object" } }));
      const next = page + 1 < pages ? { nextCursor: `${page + 1}` } : {};
      return Response.json({
        jsonrpc: "2.0",
        id,
        result: { resultType: "complete", tools, ttlMs: 0, cacheScope: "private", ...next },
      });
    };
    await using upstream = await openUpstream("reject", before);
    await using scratch = gateFor(upstream.url);
    const looked = await scratch.gate.upstreams.look("up");
    expect(looked?.fault).toBeNull();
    expect(looked?.seen.tools).toHaveLength(LIMITS.upstreamTools.default);
  });

  it("that is not there is left alone for a while, and says so", async () => {
    const upstream = await openUpstream("reject");
    await using scratch = gateFor(upstream.url);
    expect(codeOf(await call(scratch, "up_echo"))).toBe("completed");
    await upstream[Symbol.asyncDispose]();
    const again = scratch.again();
    const first = await again.call({ tool: "up_echo", input: { text: "x" } });
    expect(codeOf(first)).toBe("CONNECT_FAILED");
    const second = await again.call({ tool: "up_echo", input: { text: "x" } });
    expect(["CIRCUIT_OPEN", "CONNECT_FAILED"]).toContain(codeOf(second));
  });

  it.each([
    [401, "a token that it takes"],
    [403, "a token that it takes"],
    [404, "look at its address"],
  ])("that answers with %d says what to look at", async (status, hint) => {
    await using upstream = await openUpstream("stateless", () => new Response("<html>\n no", { status }));
    await using scratch = gateFor(upstream.url);
    const looked = await scratch.gate.upstreams.look("up");
    expect(looked?.fault?.hint).toContain(hint);
    expect(looked?.fault?.message).not.toContain("\n");
  });

  it("that answers with more than anybody would keep is not believed to have done nothing", async () => {
    await using upstream = await openUpstream("reject");
    await using scratch = gateFor(upstream.url);
    expect(codeOf(await call(scratch, "up_flood"))).toBe("OUTCOME_UNKNOWN");
    expect(codeOf(await call(scratch, "up_echo"))).toBe("completed");
  });

  it("that a rule keeps closed is not connected to", async () => {
    await using upstream = await openUpstream("reject");
    const { host } = new URL(upstream.url);
    await using scratch = openScratchGate({
      rules: [
        { id: "any", effect: "allow", touch: { tool: ["*"] } },
        { id: "closed", effect: "deny", touch: { connect: [host] } },
      ],
      config: { tools: { mcp: { up: { url: upstream.url } } } },
    });
    await scratch.gate.upstreams.ready();
    expect(upstream.requests).toEqual([]);
    expect(scratch.gate.upstreams.list()[0]?.health.last).toContain("a rule");
  });
});

describe("an upstream by HTTP that streams", () => {
  const PAST = (request: Request) =>
    request.headers.get("mcp-protocol-version") === "2026-07-28"
      ? Response.json({ error: "what is this" }, { status: 400 })
      : null;

  it.each([
    ["2026-07-28", () => null],
    ["2025-11-25", PAST],
  ] as const)("is heard while it works, %s", async (_, before) => {
    await using upstream = await openUpstream("stateless", before);
    await using scratch = gateFor(upstream.url);
    const heard: unknown[] = [];
    // It ends only once its progress has been heard.
    const onProgress = ({ done, total }: Progress) => {
      heard.push([done, total]);
      upstream.letGo();
    };
    const outcome = await scratch.gate.call({ tool: "up_slow", input: {} }, { onProgress });
    expect(asKind(outcome, "completed").content).toEqual([{ type: "text", text: "done" }]);
    expect(heard).toEqual([[1, 2]]);
  });

  it("tells of a changed list, and what has changed is held back", async () => {
    await using upstream = await openUpstream("reject");
    await using scratch = gateFor(upstream.url);
    expect(codeOf(await call(scratch, "up_echo"))).toBe("completed");
    await expect.poll(() => isListenedTo(upstream)).toBe(true);
    let isTold = false;
    scratch.gate.upstreams.onToolsChanged(() => {
      isTold = true;
    });
    // Told again until it is heard: who has just begun to listen may not be on its list yet.
    const changed = () => {
      upstream.change();
      return isTold;
    };
    await expect.poll(changed).toBe(true);
    expect(codeOf(await call(scratch, "up_echo"))).toBe("TOOL_CHANGED");
  });

  it.each([
    ["breaks off", "data: {"],
    ["ends without an answer", ": nothing\n\n"],
    ["never ends an event", `data: ${"x".repeat(17 * 1024 * 1024)}`],
  ])("and %s is not believed to have done nothing, and waited for no longer", async (_, sent) => {
    const isCall = (request: Request) => request.headers.get("mcp-method") === "tools/call";
    const headers = { "Content-Type": "text/event-stream" };
    await using upstream = await openUpstream("reject", (request) =>
      isCall(request) ? new Response(sent, { headers }) : null,
    );
    await using scratch = gateFor(upstream.url);
    expect(codeOf(await call(scratch, "up_echo"))).toBe("OUTCOME_UNKNOWN");
  });

  const isListenedTo = ({ requests }: Upstream): boolean =>
    requests.some(({ headers }) => headers.get("mcp-method") === "subscriptions/listen");
});
