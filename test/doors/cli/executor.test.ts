import { once } from "node:events";
import { chmodSync } from "node:fs";
import { createInterface } from "node:readline";
import { describe, expect, it } from "vitest";
import { connect } from "../../../src/client/connect.ts";
import type { ClientToolSpec } from "../../../src/domain/client-tool.ts";
import type { JsonObject } from "../../../src/domain/json.ts";
import { LIMITS } from "../../../src/domain/limits.ts";
import { executor } from "../../../src/doors/cli/executor.ts";
import { resultBody } from "../../../src/doors/cli/executor-call.ts";
import { ExecutorLoop, type Step } from "../../../src/doors/cli/executor-loop.ts";
import { type Cli, endOf, openCli } from "../../support/run-cli.ts";
import { withClientTools } from "../../support/test-executor.ts";
import { openTestServer, type TestServer } from "../../support/test-server.ts";
import { invoked } from "./invoked.ts";

const SCHEMA = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
const tool = (command: readonly string[]) => ({ description: "d", inputSchema: SCHEMA, command });

/** What the executor's own machine has. */
const CONFIG = JSON.stringify({
  rules: [],
  tools: {
    client: {
      format: tool(["printf", "%s|%s", "{path}", "--", "{path}"]),
      echo: tool(["cat"]),
      fails: tool(["false"]),
      carried: tool(["nice", "--", "sort", "{path}"]),
      finds: tool(["find", "{path}", "-name", "*.token", "-delete"]),
      missing: tool(["no-such-program-anywhere"]),
      unarmed: { description: "d", inputSchema: SCHEMA },
    },
  },
});

/** What the server has: the same, and nothing to run them with. */
const served = (): JsonObject => {
  const { tools } = JSON.parse(CONFIG) as { tools: { client: Record<string, JsonObject> } };
  const client = Object.entries(tools.client).map(([name, { command: _, ...rest }]) => [name, rest]);
  return { tools: { client: Object.fromEntries(client) } };
};

function withToken(cli: Cli, token: string): string {
  const path = cli.put("executor.token", `${token}\n`);
  chmodSync(path, 0o600);
  return path;
}

describe("toolgate executor", () => {
  it("runs what it is handed as words, says how it ended, and ends when it is told to", async () => {
    await using server = await openTestServer(withClientTools({ config: served() }));
    using cli = openCli(CONFIG);
    const file = withToken(cli, "eve");
    const child = cli.start(["executor", "--token-file", file, "--url", server.url, "--json"]);
    const lines = createInterface({ input: child.stdout });
    const [first] = (await once(lines, "line")) as [string];
    expect(JSON.parse(first)).toEqual({
      event: "connected",
      message: "format,echo,fails,carried,finds,missing",
      pid: child.pid,
    });

    const path = "$(touch pwned); `id` 'x' \"y\"";
    expect((await server.execute("format", { path })).body).toMatchObject({
      kind: "completed",
      content: [{ text: `${path}|--${path}|` }],
      exitCode: 0,
    });
    expect(cli.has("pwned")).toBe(false);
    const { body: echoed } = await server.execute("echo", { path: "a", more: [1] });
    expect(JSON.parse(echoed.content[0].text)).toEqual({ path: "a", more: [1] });
    expect((await server.execute("fails", { path: "a" })).body).toMatchObject({
      kind: "completed",
      exitCode: 1,
      structured: { success: false },
    });
    expect((await server.execute("missing", { path: "a" })).body).toMatchObject({
      kind: "failed",
      error: { code: "TOOL_FAILED", message: expect.stringContaining("could not be started") },
    });
    expect((await server.execute("format", { path: "--output=x" })).body).toMatchObject({
      kind: "failed",
      error: { message: expect.stringContaining("would be taken for an option") },
    });
    expect((await server.execute("carried", { path: "-ocanary" })).body).toMatchObject({
      kind: "failed",
      error: { message: expect.stringContaining("ARG_OPTION_INJECTION") },
    });
    expect(cli.has("canary")).toBe(false);
    expect((await server.execute("finds", { path: "!" })).body).toMatchObject({
      kind: "failed",
      error: { message: expect.stringContaining("ARG_OPTION_INJECTION") },
    });
    expect(cli.has("executor.token")).toBe(true);
    child.kill("SIGTERM");
    expect(await endOf(child)).toMatchObject({ code: 0 });
  });

  it("does not start with a command in which a value would be code, and says where", async () => {
    using cli = openCli(JSON.stringify({ rules: [], tools: { client: { runs: tool(["bash", "-c", "{path}"]) } } }));
    const { code, err } = await cli.run(["executor", "--token-file", withToken(cli, "eve")]);
    expect(code).not.toBe(0);
    expect(err).toContain("`bash` reads it as code");
  });

  it("is refused without the role, and says why", async () => {
    await using server = await openTestServer(withClientTools({ config: served() }));
    using cli = openCli(CONFIG);
    const ended = await cli.run(["executor", "--token-file", withToken(cli, "cal"), "--url", server.url]);
    expect(ended.code).toBe(3);
    expect(ended.err).toContain("ROLE_REQUIRED");
  });

  it.each<[string, Readonly<Record<string, string>>, string]>([
    ["no token", {}, "--token-file"],
    ["no number", { "token-file": "executor.token", concurrency: "0" }, "--concurrency"],
    ["no address", { "token-file": "executor.token", url: "file:///x" }, "--url"],
  ])("says what is wrong with %s", async (_, flags, said) => {
    using cli = openCli(CONFIG);
    withToken(cli, "eve");
    await expect(invoked(cli, executor, [], { flags })).rejects.toMatchObject(
      said === "--token-file" ? { hint: expect.stringContaining(said) } : { message: expect.stringContaining(said) },
    );
  });

  it("takes no token that others can read, and none where nothing can be run", async () => {
    using cli = openCli(CONFIG);
    chmodSync(withToken(cli, "eve"), 0o644);
    const flags = { "token-file": "executor.token" };
    expect((await invoked(cli, executor, [], { flags })).code).toBe(3);
    using bare = openCli(JSON.stringify({ rules: [] }));
    withToken(bare, "eve");
    await expect(invoked(bare, executor, [], { flags })).rejects.toThrow("no tool with a `command`");
  });
});

const SPEC: ClientToolSpec = {
  name: "format",
  description: "d",
  inputSchema: SCHEMA as JsonObject,
  timeoutMs: 20_000,
  effects: null,
  trust: null,
  touches: {},
  exec: null,
  command: ["cat"],
  unfitHeads: [""],
};

/** An executor whose server, or somebody between them, says something else than what is so. */
const lied = (server: TestServer, changed: (path: string, body: JsonObject) => JsonObject) =>
  executing(server, async (...given) => {
    const response = await fetch(...given);
    const { pathname } = new URL(String(given[0]));
    if (pathname.endsWith("/events")) return response;
    const body = changed(pathname, (await response.json()) as JsonObject);
    return new Response(JSON.stringify(body), { status: response.status, headers: response.headers });
  });

/** An executor in this process, and what it does. */
function executing(server: TestServer, send: (...given: Parameters<typeof fetch>) => Promise<Response>) {
  const steps: Step[] = [];
  const ran: string[] = [];
  const stop = new AbortController();
  const loop = new ExecutorLoop({
    client: connect({ url: server.url, token: "eve", fetch: send as typeof fetch }),
    tools: [SPEC],
    concurrency: 1,
    run: async ({ stdin }) => {
      ran.push(stdin);
      return { kind: "exited", stdout: "", stderr: "", exitCode: 0 };
    },
    tell: (step) => void steps.push(step),
  });
  const listening = loop.listen(stop.signal);
  const close = async () => {
    stop.abort();
    await listening;
  };
  return { steps, ran, [Symbol.asyncDispose]: close };
}

describe("an executor runs only what was judged", () => {
  it.each<[string, string, JsonObject]>([
    ["another plan", "/executions/", { plan_digest: "0".repeat(64) }],
    ["other arguments", "/executions/", { params_digest: "0".repeat(64) }],
    ["another tool", "/executions/", { tool_name: "other" }],
    ["a call that nobody may begin", "/executions/", { status: "DENIED" }],
  ])("not %s on record: it does not even take it", async (_, part, change) => {
    await using server = await openTestServer(withClientTools());
    await using other = lied(server, (path, body) => (path.includes(part) ? { ...body, ...change } : body));
    const called = server.execute("format", { path: "a.ts" });
    while (!other.steps.some(({ event }) => event === "refused")) await new Promise((resolve) => setImmediate(resolve));
    const { body } = await server.get("executions?status=APPROVED");
    await server.post(`executions/${body.executions[0].id}/cancel`);
    expect((await called).body.error.code).toBe("CANCELLED");
    expect(other.ran).toEqual([]);
  });

  it.each<[string, JsonObject]>([
    ["another plan", { plan_digest: "0".repeat(64) }],
    ["other arguments", { tool_params: { path: "/etc/passwd" } }],
    ["no arguments", { tool_params: null }],
    ["no time", { timeout_seconds: null }],
  ])("not %s in the answer to its acknowledgement: it says so", async (_, change) => {
    await using server = await openTestServer(withClientTools());
    await using other = lied(server, (path, body) => (path.endsWith("/ack") ? { ...body, ...change } : body));
    const { body } = await server.execute("format", { path: "a.ts" });
    expect(body).toMatchObject({ kind: "failed", error: { message: expect.stringContaining("not what was judged") } });
    expect(other.ran).toEqual([]);
  });

  it("what nobody changed, it runs", async () => {
    await using server = await openTestServer(withClientTools());
    await using other = lied(server, (_, body) => body);
    expect((await server.execute("format", { path: "a.ts" })).body.kind).toBe("completed");
    expect(other.ran).toEqual(['{"path":"a.ts"}\n']);
  });

  it("what is more than a result may have is not sent, and not cut either", () => {
    const exited = (stdout: string) => resultBody({ kind: "exited", stdout, stderr: "", exitCode: 0 });
    const most = LIMITS.executorResultBytes.default;
    expect(exited("x".repeat(most - 2048))).toMatchObject({ status: "completed", result: { exit_code: 0 } });
    for (const stdout of ["x".repeat(most), "\u0001".repeat(most / 4)])
      expect(exited(stdout)).toEqual({
        status: "failed",
        error: expect.stringContaining("it ended with exit code 0, and what it printed is more than"),
        result: { exit_code: 0 },
      });
    const failed = { kind: "failed", message: "it was told to stop", stdout: "", stderr: "x".repeat(most) } as const;
    expect(resultBody(failed)).toEqual({
      status: "failed",
      error: expect.stringMatching(/^it was told to stop, and/),
      result: {},
    });
  });

  it("sends what came of it until somebody has heard it, and that counts once", async () => {
    await using server = await openTestServer(withClientTools());
    let sent = 0;
    await using other = lied(server, (path, body) => {
      if (path.endsWith("/result") && sent++ === 0) throw new TypeError("the line broke");
      return body;
    });
    expect((await server.execute("format", { path: "a.ts" })).body.kind).toBe("completed");
    while (!other.steps.some(({ event }) => event === "sent")) await new Promise((resolve) => setImmediate(resolve));
    expect([sent, other.ran.length]).toEqual([2, 1]);
  });
});

it("an executor whose server ends comes back behind the last event that it has heard, and goes on", async () => {
  const parts = withClientTools();
  await using first = await openTestServer(parts);
  let url = first.url;
  const resumed: (string | null)[] = [];
  await using other = executing(first, async (target, init) => {
    const asked = new URL(String(target));
    if (asked.pathname.endsWith("/events")) resumed.push(new Headers(init?.headers).get("last-event-id"));
    return await fetch(new URL(`${asked.pathname}${asked.search}`, url), init);
  });
  expect((await first.execute("format", { path: "a.ts" })).body.kind).toBe("completed");
  await first.server.close(0);
  await using next = await openTestServer(parts, first.scratch);
  url = next.url;
  expect((await next.execute("format", { path: "b.ts" })).body.kind).toBe("completed");
  expect(resumed[0]).toBeNull();
  expect(Number(resumed.at(-1))).toBeGreaterThan(0);
  const connected = other.steps.filter(({ event }) => event === "connected");
  expect(connected).toEqual([connected[0], connected[0]]);
  expect(other.ran).toEqual(['{"path":"a.ts"}\n', '{"path":"b.ts"}\n']);
});
