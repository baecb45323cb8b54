// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is how secrets are named

import { expect, it } from "vitest";
import type { JsonObject } from "../../src/domain/json.ts";
import type { ToolEvent } from "../../src/wiring/tool-events.ts";
import { openEvents } from "../support/event-reader.ts";
import { needs } from "../support/parts.ts";
import { openScratchGate } from "../support/scratch-gate.ts";
import { openTestServer } from "../support/test-server.ts";
import { openScriptGate, param } from "../tools/script/script-gate.ts";

const TOOLS: JsonObject = {
  good: {
    script: "printf '%s' {{a}}",
    parameters: [param("a")],
    sandbox: { environment_variables: { KEY: "${secret:MY_TOKEN}" } },
  },
  bad: { script: "exit 3", error_mapping: { "3": { code: -32002, message: "Not there" } } },
  again: { script: "exit 1", retry: { attempts: 2, initial_delay: 0 } },
  cached: { script: "echo x", caching: { enabled: true } },
};
const VARIABLES = { MY_TOKEN: "a-token-of-the-operator" };
const call = (tool: string, input: JsonObject = {}) => ({ tool, input });

/** The next so many. */
async function taken(events: AsyncGenerator<ToolEvent>, count: number): Promise<readonly ToolEvent[]> {
  const heard: ToolEvent[] = [];
  while (heard.length < count) {
    const { value, done } = await events.next();
    if (done) break;
    heard.push(value);
  }
  return heard;
}

needs("bwrap")("the events `tool_execution`", () => {
  it("tell a program what was started, and how it ended, with the fields of the seed", async () => {
    await using scratch = openScriptGate(TOOLS, { variables: VARIABLES });
    const { gate } = scratch;
    const stop = new AbortController();
    const events = gate.toolEvents.follow({ signal: stop.signal });
    const first = taken(events, 10);
    const good = await gate.call(call("good", { a: `x ${VARIABLES.MY_TOKEN}` }));
    const bad = await gate.call(call("bad"));
    await gate.call(call("nothing"));
    await gate.call(call("again"));
    await gate.call(call("cached"));
    await gate.call(call("cached"));
    const heard = await first;
    const event = {
      event: "tool_execution",
      component: "bash_executor",
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
    };
    expect(heard.slice(0, 4)).toEqual([
      {
        ...event,
        task_id: good.callId,
        data: {
          tool_id: "good",
          status: "started",
          parameters: { a: "x [REDACTED:MY_TOKEN]" },
          execution_context: "default",
        },
      },
      {
        ...event,
        task_id: good.callId,
        data: {
          tool_id: "good",
          status: "completed",
          execution_time: expect.any(Number),
          return_code: 0,
          output_length: "x [REDACTED:MY_TOKEN]".length,
          cached: false,
        },
      },
      { ...event, task_id: bad.callId, data: expect.objectContaining({ tool_id: "bad", status: "started" }) },
      {
        ...event,
        task_id: bad.callId,
        data: expect.objectContaining({
          status: "failed",
          return_code: 3,
          error: "Not there",
          retry: { attempts: 1, retryable: false },
        }),
      },
    ]);
    expect(heard.slice(4).map(({ data }) => [data.tool_id, data.status, data.cached ?? data.retry?.attempts])).toEqual([
      ["again", "started", undefined],
      ["again", "failed", 2],
      ["cached", "started", undefined],
      ["cached", "completed", false],
      ["cached", "started", undefined],
      ["cached", "completed", true],
    ]);
    stop.abort();
    expect(await events.next()).toMatchObject({ done: true });
    // Who comes later is told what the ledger knows.
    const later = gate.toolEvents.follow({ after: 0, tasks: [bad.callId] });
    const told = await taken(later, 2);
    await later.return();
    expect(told.map(({ task_id: id, data }) => [id, data.status, data.return_code, data.error])).toEqual([
      [bad.callId, "started", undefined, undefined],
      [bad.callId, "failed", 3, "TOOL_FAILED"],
    ]);
  });

  it("are on the seed's route, for the calls that somebody wants to hear of", async () => {
    const files = { "tools.yaml": JSON.stringify({ tools: TOOLS }) };
    const config = { tools: { builtin: [], scripts: ["tools.yaml"] } };
    const rules = [{ id: "scripts", effect: "allow" }] as const;
    await using server = await openTestServer({ rules, files, config, variables: VARIABLES });
    const one = (await server.execute("bad")).body;
    const two = (await server.execute("good", { a: "x" })).body;
    const path = `/streaming/sse?task_filter=${two.callId},call_x`;
    await using events = await openEvents(server.url, { path, lastEventId: 0 });
    expect(events.headers.get("content-type")).toContain("text/event-stream");
    const started = await events.next();
    expect(started).toMatchObject({
      name: "tool_execution",
      data: { event: "tool_execution", task_id: two.callId, data: { tool_id: "good", status: "started" } },
    });
    expect(await events.next()).toMatchObject({
      name: "tool_execution",
      id: String(two.receipt.seq),
      data: { task_id: two.callId, data: { status: "completed", return_code: 0, output_length: 1, cached: false } },
    });
    await using all = await openEvents(server.url, { path: "/streaming/sse", lastEventId: 0 });
    expect((await all.next())?.data.task_id).toBe(one.callId);
    const denied = await fetch(`${server.url}/streaming/sse`);
    expect(denied.status).toBe(401);
    await denied.body?.cancel();
  });
});

it("are looked up one by one, and others go in between, for who has missed many", async () => {
  await using scratch = openScratchGate();
  const { gate } = scratch;
  scratch.put("a.txt", "x");
  const calls = 100;
  for (let at = 0; at < calls; at++) await gate.call(call("read_file", { path: "a.txt" }));
  let [isOver, turns] = [false, 0];
  const count = () => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  const later = gate.toolEvents.follow({ after: 0 });
  const first = await taken(later, 1); // and what it needs is loaded
  setImmediate(count);
  const rest = await taken(later, 2 * calls - 1);
  isOver = true;
  await later.return();
  expect([...first, ...rest].map(({ data }) => data.status)).toEqual(
    Array.from({ length: calls }, () => ["started", "completed"]).flat(),
  );
  expect(turns).toBeGreaterThan(calls);
});
