import { describe, expect, it } from "vitest";
import type { Digest } from "../../src/domain/digest.ts";
import type { Entry } from "../../src/domain/entry.ts";
import type { JsonObject } from "../../src/domain/json.ts";
import { eventFromEntry } from "../../src/events/event-from-entry.ts";

const entry = (kind: Entry["kind"], body: JsonObject, callId: string | null = "call_1"): Entry => ({
  v: 1,
  seq: 7,
  prev: "" as Digest,
  hash: "" as Digest,
  at: "2026-01-02T03:04:05.000Z",
  kind,
  project: "default",
  sessionId: "s",
  callId,
  actor: "admin",
  planDigest: null,
  body,
});

const FACTS = { tool: "write_file", approvalId: "approval_1" };
const event = (kind: Entry["kind"], body: JsonObject) => eventFromEntry(entry(kind, body), FACTS, "/ws");

describe("an entry as an event", () => {
  it("has nothing of what governors said but what they came to", () => {
    const body = {
      answer: "silent",
      governors: [{ id: "g", messages: ["close"] }],
      reason: null,
      summary: ["g: close"],
    };
    expect(Object.keys(event("approval.automatic", { ...body, who: null }).data).toSorted()).toEqual([
      "answer",
      "reason",
      "session_id",
      "timestamp",
      "tool_id",
      "tool_name",
      "who",
    ]);
  });

  it.each([
    ["tool.requested", {}, "tool.requested", {}],
    ["tool.decided", { decision: "allow", ruleId: "r" }, "tool.started", { by: "rule", who: "r", attempt: 1 }],
    [
      "tool.decided",
      { decision: "deny", code: "RULE_DENY", message: "no", stage: "judge" },
      "tool.refused",
      { code: "RULE_DENY", rule_id: null },
    ],
    ["tool.started", { by: "person", who: "ann", attempt: 1 }, "tool.started", { by: "person", who: "ann" }],
    [
      "tool.executed",
      { outcome: "failed", code: "TIMEOUT", durationMs: 5, exitCode: 3 },
      "tool.executed",
      { status: "failed", code: "TIMEOUT", execution_time_ms: 5, exit_code: 3 },
    ],
    [
      "approval.answered",
      { answer: "expired" },
      "tool.approval_timeout",
      { approval_id: "approval_1", status: "timeout" },
    ],
    [
      "approval.answered",
      { answer: "reject", who: "ann", reason: null },
      "tool.approval_resolved",
      { approval_id: "approval_1", status: "rejected", resolved_by: "ann", reason: null },
    ],
    [
      "approval.answered",
      { answer: "cancelled" },
      "tool.approval_resolved",
      { status: "cancelled", resolved_by: null },
    ],
    [
      "approval.automatic",
      {
        answer: "reject",
        who: "governor:g",
        reason: "no",
        governors: [{ id: "g", score: 0.4, metadata: { limit: 0.5 } }],
      },
      "approval.automatic",
      { answer: "reject", who: "governor:g", reason: "no" },
    ],
    ["policy.loaded", { rules: 3 }, "policy.loaded", { rules: 3 }],
  ] as const)("%s %j", (kind, body, name, data) => {
    expect(event(kind, body)).toMatchObject({ id: 7, name, data: { ...data, timestamp: "2026-01-02T03:04:05.000Z" } });
  });

  it("says what is asked about in words, without the machine's own paths", () => {
    const touches = [{ effect: "ask", ruleId: "r", touch: { kind: "write", path: "/ws/a.txt" } }, "no touch"];
    const body = {
      decision: "ask",
      approvalId: "approval_1",
      deadline: "2026-01-02T03:14:05.000Z",
      risk: "HIGH",
      touches,
    };
    expect(event("tool.decided", body)).toMatchObject({
      name: "tool.approval_request",
      data: {
        tool_id: "call_1",
        tool_name: "write_file",
        timeout_seconds: 600,
        risk_level: "HIGH",
        description: "write `a.txt`",
      },
    });
  });

  it("that is long carries less, and says so", () => {
    const touches = Array.from({ length: 500 }, (_, n) => ({
      touch: { kind: "write", path: `/ws/${n}/${"x".repeat(50)}` },
    }));
    const { data } = event("tool.decided", {
      decision: "ask",
      approvalId: "approval_1",
      deadline: "2026-01-02T03:14:05Z",
      touches,
    });
    expect(JSON.stringify(data).length).toBeLessThan(10 * 1024);
    expect(data).toMatchObject({ approval_id: "approval_1", description: expect.stringMatching(/; and \d+ more$/) });
    const long = event("policy.refused", { message: "m".repeat(20_000), rulesHash: "h" });
    expect(long.data).toMatchObject({ rulesHash: "h", truncated: true });
  });

  it("about no call names none", () => {
    expect(eventFromEntry(entry("policy.loaded", {}, null), null, "/ws").data).toEqual({
      session_id: "s",
      timestamp: "2026-01-02T03:04:05.000Z",
    });
  });
});
