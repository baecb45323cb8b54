import { AsyncLocalStorage } from "node:async_hooks";
import {
  type Attributes,
  type Context,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { connectClient, ERAS } from "../support/mcp-client.ts";
import { ASK_ALL, openScratchGate } from "../support/scratch-gate.ts";
import { ADMIN, ended, openTestServer } from "../support/test-server.ts";

interface Recorded {
  readonly name: string;
  readonly kind: SpanKind | undefined;
  readonly attributes: Attributes;
  readonly parent: string | undefined;
  code: SpanStatusCode;
  isEnded: boolean;
}

/** What a program registers that wants to hear of spans: here it writes them down. */
function register(): readonly Recorded[] {
  const spans: Recorded[] = [];
  const stored = new AsyncLocalStorage<Context>();
  context.setGlobalContextManager({
    active: () => stored.getStore() ?? ROOT_CONTEXT,
    with: (of, run, self, ...args) => stored.run(of, () => run.call(self as never, ...args)),
    bind: (_, target) => target,
    enable() {
      return this;
    },
    disable() {
      return this;
    },
  });
  propagation.setGlobalPropagator({
    inject: () => {},
    fields: () => ["traceparent"],
    extract: (of, carrier) => {
      const [, traceId = "", spanId = ""] = String((carrier as Record<string, string>)["traceparent"] ?? "").split("-");
      return traceId === "" ? of : trace.setSpanContext(of, { traceId, spanId, traceFlags: 1 });
    },
  });
  trace.setGlobalTracerProvider({
    getTracer: () => ({
      startSpan: (name, options = {}, of = context.active()) => {
        const recorded: Recorded = {
          name,
          kind: options.kind,
          attributes: { ...options.attributes },
          parent: trace.getSpanContext(of)?.spanId,
          code: SpanStatusCode.UNSET,
          isEnded: false,
        };
        spans.push(recorded);
        return spanOf(recorded);
      },
      startActiveSpan: () => {
        throw new Error("not used here");
      },
    }),
  });
  return spans;
}

const spanOf = (recorded: Recorded): Span =>
  ({
    setAttributes: (more: Attributes) => void Object.assign(recorded.attributes, more),
    setStatus: ({ code }: { code: SpanStatusCode }) => {
      recorded.code = code;
    },
    end: () => {
      recorded.isEnded = true;
    },
    spanContext: () => ({ traceId: "1".repeat(32), spanId: "2".repeat(16), traceFlags: 1 }),
  }) as unknown as Span;

let spans: readonly Recorded[];
beforeEach(() => {
  spans = register();
});
afterEach(() => {
  trace.disable();
  context.disable();
  propagation.disable();
});

describe("a program that wants to hear of spans", () => {
  it("hears of every call by the names of the GenAI conventions, and of nothing that was said in it", async () => {
    await using scratch = openScratchGate();
    scratch.put("notes.txt", "private words");
    const { callId, receipt } = await scratch.gate.call({ tool: "read_file", input: { path: "notes.txt" } });
    expect(spans).toEqual([
      {
        name: "execute_tool read_file",
        kind: SpanKind.INTERNAL,
        attributes: {
          "gen_ai.operation.name": "execute_tool",
          "gen_ai.tool.name": "read_file",
          "gen_ai.tool.call.id": callId,
          "gen_ai.tool.type": "function",
          "gen_ai.conversation.id": expect.stringContaining("session_"),
          "toolgate.project": "default",
          "toolgate.tool.source": "builtin",
          "toolgate.outcome": "completed",
          "toolgate.receipt.seq": receipt?.seq,
        },
        parent: undefined,
        code: SpanStatusCode.UNSET,
        isEnded: true,
      },
    ]);
    expect(JSON.stringify(spans)).not.toMatch(/notes|private/);
  });

  it.each([
    ["read_file", { path: "/etc/passwd" }, "DEFAULT_DENY"],
    ["no_such_tool", {}, "TOOL_UNKNOWN"],
    ["read_file", { path: 7 }, "INVALID_ARGUMENTS"],
  ])("hears why %s %j was refused", async (tool, input, code) => {
    await using scratch = openScratchGate();
    await scratch.gate.call({ tool, input });
    expect(spans).toMatchObject([
      { attributes: { "error.type": code, "toolgate.outcome": "refused" }, code: SpanStatusCode.ERROR, isEnded: true },
    ]);
  });

  it("hears of a call over HTTP below the span of its caller, until it is asked and from the answer on", async () => {
    await using server = await openTestServer({ rules: ASK_ALL });
    const parent = "a".repeat(16);
    const response = await fetch(`${server.url}/my/projects/default/tools/execute`, {
      method: "POST",
      headers: { Authorization: `Bearer ${ADMIN}`, traceparent: `00-${"b".repeat(32)}-${parent}-01` },
      body: JSON.stringify({ tool_name: "write_file", tool_params: { path: "a.txt", content: "x" }, wait: false }),
    });
    const { callId, approval } = (await response.json()) as { callId: string; approval: { id: string } };
    await server.post(`approvals/${approval.id}/approve`);
    await ended(server, callId);
    expect(spans.map(({ attributes, parent: of }) => [attributes["toolgate.outcome"], of])).toEqual([
      ["pending", parent],
      ["completed", undefined],
    ]);
    expect(new Set(spans.map(({ attributes }) => attributes["gen_ai.tool.call.id"]))).toEqual(new Set([callId]));
  });

  it.each(ERAS)("hears of a call of an MCP client below the span that its request names, %s", async (era) => {
    await using scratch = openScratchGate();
    scratch.put("a.txt", "hello");
    await using connected = await connectClient(scratch.gate, { era });
    const parents = ["a", "c", "c"].map((digit) => digit.repeat(16));
    for (const parent of parents) {
      const _meta = { traceparent: `00-${"b".repeat(32)}-${parent}-01` };
      await connected.client.callTool({ name: "read_file", arguments: { path: "a.txt" }, _meta });
    }
    expect(spans.map(({ parent }) => parent)).toEqual(parents);
  });
});
