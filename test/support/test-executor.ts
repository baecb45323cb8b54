import type { JsonObject } from "../../src/domain/json.ts";
import type { RuleSource } from "../../src/rules/rule.ts";
import { type EventReader, openEvents } from "./event-reader.ts";
import { handClock } from "./hand-clock.ts";
import type { GateParts } from "./scratch-gate.ts";
import { type Answered, type TestServer, user } from "./test-server.ts";

export const ANY_TOOL: readonly RuleSource[] = [
  { id: "any-tool", effect: "allow", touch: { tool: ["*"] } },
  { id: "files", effect: "allow", touch: { read: ["./**"], write: ["./**"] } },
];

/**
 * A tool `format` of clients, and users of every kind: `eve` and `eli` are executors. Time stands still unless a test moves
 * it, so that nobody is passed over because the machine has much to do.
 */
export const withClientTools = (more: GateParts = {}): GateParts => ({
  rules: ANY_TOOL,
  inner: { clock: handClock(Date.now()) },
  ...more,
  config: {
    tools: { client: { format: FORMAT } },
    server: {
      users: [
        user("eve", "executor"),
        user("eli", "executor"),
        user("cal", "caller"),
        user("apa", "approver", "executor"),
      ],
    },
    ...more.config,
  },
});

const FORMAT = {
  description: "Formats a file in the editor",
  inputSchema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
  timeoutMs: 20_000,
  touches: { write: ["path"] },
};

// biome-ignore lint/suspicious/noExplicitAny: what it holds is what the tests look at
export type Signal = any;

/** A client that runs tools itself, by hand. */
export interface TestExecutor extends AsyncDisposable {
  readonly events: EventReader;
  /** The next call that it is asked to run. */
  readonly signal: () => Promise<Signal>;
  readonly ack: (signal: Signal) => Promise<Answered>;
  readonly result: (signal: Signal, body?: JsonObject) => Promise<Answered>;
  readonly close: () => Promise<void>;
}

export const DONE: JsonObject = {
  status: "completed",
  result: { success: true, stdout: "formatted", stderr: null, exit_code: 0 },
};

export async function openExecutor(server: TestServer, name = "eve", executes = "*"): Promise<TestExecutor> {
  const path = `/my/projects/default/events?executes=${executes}`;
  const events = await openEvents(server.url, { path, token: name });
  await events.until("ready");
  return {
    events,
    signal: async () => (await events.until("tool.execution_signal")).data,
    ack: ({ tool_id, dispatch_token }) => server.post(`tools/${tool_id}/ack`, { dispatch_token }, name),
    result: ({ tool_id, dispatch_token }, body = DONE) =>
      server.post(`tools/${tool_id}/result`, { ...body, dispatch_token }, name),
    close: events.close,
    [Symbol.asyncDispose]: events.close,
  };
}
