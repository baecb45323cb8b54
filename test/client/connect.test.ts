import { describe, expect, expectTypeOf, it } from "vitest";
import { connect, type Outcome, ProblemError } from "../../src/client/index.ts";
import { ROUTES as TABLE } from "../../src/client/routes.ts";
import { ROUTES } from "../../src/doors/rest/routes.ts";
import { actingTool } from "../support/acting-tool.ts";
import { ASK_ALL } from "../support/scratch-gate.ts";
import { ADMIN, openTestServer, type TestServer } from "../support/test-server.ts";

const clientOf = ({ url }: TestServer, more: Partial<Parameters<typeof connect>[0]> = {}) =>
  connect({ url, token: ADMIN, ...more });

const WRITE = { tool_name: "write_file", tool_params: { path: "a.txt", content: "x" } };

describe("the typed client", () => {
  it("has every route", () => {
    const rows = Object.entries(TABLE).map(([id, { method, path }]) => `${id} ${method} ${path}`);
    expect(rows.sort()).toEqual(ROUTES.map(({ id, method, path }) => `${id} ${method} ${path}`).sort());
  });

  it("makes calls, waits for their answer, and reads what came of them", async () => {
    await using server = await openTestServer({ rules: ASK_ALL });
    const client = clientOf(server);
    const waiting = client.executeTool(WRITE);
    expectTypeOf(waiting).resolves.toEqualTypeOf<Outcome>();
    for await (const { event, data } of client.projectEvents()) {
      if (event !== "tool.approval_request") continue;
      await client.approve({ approval_id: String(data["approval_id"]), reason: "fine" });
      break;
    }
    const outcome = await waiting;
    expect(outcome.kind).toBe("completed");
    expect(await client.showExecution({ execution_id: outcome.callId })).toMatchObject({ status: "COMPLETED" });
    const { executions } = await client.listExecutions({ status: "COMPLETED", limit: 1 });
    expect(executions.map(({ id }) => id)).toEqual([outcome.callId]);
    expect(await client.metrics()).toContain("toolgate_ledger_entries");
    // @ts-expect-error there is no such status
    await expect(client.listExecutions({ status: "DONE" })).rejects.toThrow(ProblemError);
    // @ts-expect-error which one?
    await expect(client.showExecution()).rejects.toMatchObject({ code: "EXECUTION_UNKNOWN", status: 404 });
  });

  it("gives a refusal back as an outcome, and throws what never became a call", async () => {
    await using server = await openTestServer();
    const refused = await clientOf(server).executeTool({
      tool_name: "read_file",
      tool_params: { path: "/etc/passwd" },
    });
    expect(refused.refusal?.code).toBe("DEFAULT_DENY");
    await expect(clientOf(server, { token: "nobody" }).listApprovals()).rejects.toMatchObject({
      code: "AUTH_REQUIRED",
    });
    await expect(clientOf(server).approve({ approval_id: "a/../b?c" })).rejects.toMatchObject({ status: 404 });
    const broken = clientOf(server, { token: "nobody" }).events();
    await expect(broken.next()).rejects.toThrow(ProblemError);
  });

  it("makes a call once under a key, and reads what was too long as bytes", async () => {
    const text = "y".repeat(2_000_000);
    await using server = await openTestServer({
      tools: ({ workspace }) => [actingTool(workspace, { act: () => text }).tool],
    });
    const client = clientOf(server);
    const [first, second] = [
      await client.executeTool({ tool_name: "act" }, { idempotencyKey: "k" }),
      await client.executeTool({ tool_name: "act" }, { idempotencyKey: "k" }),
    ];
    expect(second.callId).toBe(first.callId);
    const bytes = await client.readBlob({ hash: String(first.truncated?.["blob"]) });
    expect(await bytes.text()).toContain(text);
  });

  it("comes back where a stream broke: none is lost, none comes twice", async () => {
    await using server = await openTestServer({ tools: ({ workspace }) => [actingTool(workspace).tool] });
    let opened = 0;
    // The connection breaks in the middle of whatever is being sent.
    const breaking: typeof fetch = async (target, init) => {
      const response = await fetch(target, init);
      if (opened++ > 4 || response.body === null) return response;
      const reader = response.body.getReader();
      let sent = 0;
      const body = new ReadableStream<Uint8Array>({
        pull: async (controller) => {
          const { value, done } = await reader.read();
          if (done) return controller.close();
          controller.enqueue(value.slice(0, 700 - sent));
          sent += value.length;
          if (sent >= 700) controller.error(new Error("cut"));
        },
        cancel: () => reader.cancel(),
      });
      return new Response(shortRetry(body), { headers: response.headers });
    };
    const stop = new AbortController();
    const events = clientOf(server, { fetch: breaking }).events({ last_event_id: 0 }, { signal: stop.signal });
    for (let n = 0; n < 10; n++) await server.gate.call({ tool: "act", input: { n } });
    const last = server.scratch.entries().length;
    const heard: number[] = [];
    for await (const { id } of events) {
      heard.push(Number(id));
      if (Number(id) === last) break;
    }
    stop.abort();
    expect(opened).toBeGreaterThan(2);
    expect(heard).toEqual(Array.from({ length: last }, (_, n) => n + 1));
  });
});

/** The server's own pause is for people's browsers. */
const shortRetry = (body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> =>
  body.pipeThrough(
    new TransformStream({
      transform: (chunk, controller) =>
        controller.enqueue(
          Buffer.from(Buffer.from(chunk).toString("latin1").replace("retry: 2000", "retry: 1"), "latin1"),
        ),
    }),
  );
