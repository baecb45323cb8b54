import { Buffer } from "node:buffer";
import { describe, expect, it } from "vitest";
import type { Outcome } from "../../../src/domain/outcome.ts";
import { shortOutcome } from "../../../src/store/sqlite/short-outcome.ts";

const BASE = { callId: "call_0192f0c1", tool: "t", durationMs: 12.345, budgetConsumed: 1 };
const LONG = "\u0001é😀\ud800".repeat(2000);
const COMPLETED: Outcome = {
  ...{ kind: "completed", ...BASE, attempts: 1, cached: false, containment: "process", exitCode: 0 },
  content: [{ type: "text", text: LONG }],
  structured: { a: LONG },
};
const ERROR = { code: "TOOL_FAILED", message: LONG, retryable: false, exitCode: 7, detail: { a: LONG } } as const;

describe("the outcome of a call without what it said", () => {
  it.each<[string, Outcome, object]>([
    [
      "completed",
      COMPLETED,
      { kind: "completed", exitCode: 0, content: [{ type: "text" }], truncated: { blob: null } },
    ],
    [
      "cut before",
      { ...COMPLETED, truncated: { bytes: 9, blob: "b".repeat(64) } },
      { truncated: { bytes: 9, blob: "b".repeat(64) } },
    ],
    [
      "failed",
      { kind: "failed", ...BASE, error: ERROR, content: [{ type: "text", text: LONG }] },
      { kind: "failed", error: { code: "TOOL_FAILED", retryable: false, exitCode: 7 } },
    ],
    [
      "refused",
      { kind: "refused", ...BASE, refusal: { code: "RULE_DENY", stage: "judge", message: LONG, hint: LONG } },
      { kind: "refused", refusal: { code: "RULE_DENY", stage: "judge" } },
    ],
    [
      "unknown",
      { kind: "unknown", ...BASE, error: { ...ERROR, code: "OUTCOME_UNKNOWN" } },
      { kind: "unknown", error: { code: "OUTCOME_UNKNOWN" } },
    ],
    [
      "pending",
      { kind: "pending", ...BASE, approval: { id: "a", risk: "LOW", reasons: [LONG], deadline: "2026-01-01" } },
      { kind: "pending", approval: { id: "a", reasons: [] } },
    ],
  ])("%s, in less than 1,024 bytes", (_, outcome, kept) => {
    const short = shortOutcome(JSON.stringify({ ...outcome, tool: LONG }));
    expect(JSON.parse(short)).toMatchObject({ callId: BASE.callId, durationMs: 12.345, budgetConsumed: 1, ...kept });
    expect(Buffer.byteLength(short)).toBeLessThan(1024);
  });

  it("keeps a short name and a short message as they are", () => {
    const refusal = { code: "RULE_DENY", stage: "judge", message: "no “é”" } as const;
    const short = JSON.parse(shortOutcome(JSON.stringify({ kind: "refused", ...BASE, refusal })));
    expect(short).toEqual({ kind: "refused", ...BASE, refusal });
  });
});
