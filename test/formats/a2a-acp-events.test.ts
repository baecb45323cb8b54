import { describe, expect, it } from "vitest";
import type { Outcome } from "../../src/domain/outcome.ts";
import { seedResults } from "../../src/formats/a2a-acp/results.ts";
import { seedSkill } from "../../src/formats/a2a-acp/skill.ts";
import { endedEvent, startedEvent } from "../../src/formats/a2a-acp/tool-event.ts";
import { mappedCode } from "../../src/formats/mapped-code.ts";
import { mcpResults } from "../../src/formats/mcp/results.ts";

const AT = "2026-01-02T03:04:05.000Z";
const base = { callId: "call_1", tool: "web_request", durationMs: 500 };
const completed: Outcome = {
  kind: "completed",
  ...base,
  content: [{ type: "text", text: "x".repeat(512) }],
  exitCode: 0,
  attempts: 1,
  cached: false,
  containment: "sandbox",
};
const mapped = { code: -32002, message: "Resource not found", retryable: false, detail: "no a" };
const failed: Outcome = {
  kind: "failed",
  ...base,
  error: {
    code: "TOOL_FAILED",
    message: "exit 1",
    retryable: false,
    exitCode: 1,
    mapped,
    diagnostics: { return_code: 1 },
  },
  content: [],
};

describe("the seed's event `tool_execution`", () => {
  it("has the seed's fields", () => {
    expect(
      startedEvent({ callId: "call_1", tool: "web_request", input: { method: "GET" }, project: "default", at: AT }),
    ).toEqual({
      event: "tool_execution",
      task_id: "call_1",
      timestamp: AT,
      component: "bash_executor",
      data: { tool_id: "web_request", status: "started", parameters: { method: "GET" }, execution_context: "default" },
    });
    expect(endedEvent(completed, AT)?.data).toEqual({
      tool_id: "web_request",
      status: "completed",
      execution_time: 0.5,
      return_code: 0,
      output_length: 512,
      cached: false,
    });
    expect(endedEvent(failed, AT)?.data).toEqual({
      tool_id: "web_request",
      status: "failed",
      execution_time: 0.5,
      return_code: 1,
      output_length: 0,
      error: "Resource not found",
      retry: { attempts: 1, retryable: false },
    });
  });

  it("is about what was executed", () => {
    const refused: Outcome = {
      kind: "refused",
      ...base,
      refusal: { code: "RULE_DENY", stage: "judge", message: "no" },
    };
    expect(endedEvent(refused, AT)).toBeNull();
    const error = { code: "OUTCOME_UNKNOWN", message: "?", retryable: false } as const;
    expect(endedEvent({ kind: "unknown", ...base, error }, AT)?.data).toMatchObject({
      status: "failed",
      return_code: null,
    });
  });
});

describe("a mapped error", () => {
  it("travels with the result, as the seed and MCP have it", () => {
    const answers = [{ call: { id: "1", name: "web_request" }, outcome: failed }] as never;
    expect(seedResults(answers)[0]).toMatchObject({
      isError: true,
      mcp_error: mapped,
      meta: { a2a_diagnostics: { return_code: 1 } },
    });
    expect(mcpResults(answers)[0]).toMatchObject({
      isError: true,
      _meta: { mcp_error: mapped, a2a_diagnostics: { return_code: 1 } },
    });
  });

  it("has the code that the protocol's version has", () => {
    expect(mappedCode(-32002, { protocol: "acp" })).toBe(-32002);
    expect(mappedCode(-32002, { protocol: "mcp", version: "2025-11-25" })).toBe(-32002);
    expect(mappedCode(-32002, { protocol: "mcp", version: "2026-07-28" })).toBe(-32602);
    expect(mappedCode(-32603, { protocol: "mcp", version: "2026-07-28" })).toBe(-32603);
  });
});

it("a tool is a skill of an agent card", () => {
  const definition = {
    name: "web_request",
    description: "Makes a request",
    source: "script",
    containment: "sandbox",
    inputSchema: {},
    timeoutMs: 1,
    about: { title: "HTTP Request", tags: ["http", "tool"], examples: ["GET x"], version: "1.0.0" },
  } as const;
  expect(seedSkill(definition)).toEqual({
    id: "web_request",
    name: "HTTP Request",
    description: "Makes a request",
    tags: ["bash", "tool", "http"],
    examples: ["GET x"],
  });
  const { about: _, ...plain } = definition;
  expect(seedSkill({ ...plain, source: "builtin" })).toMatchObject({
    name: "web_request",
    tags: ["tool"],
    examples: [],
  });
});
