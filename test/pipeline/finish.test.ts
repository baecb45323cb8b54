import { describe, expect, it } from "vitest";
import { CODES } from "../../src/domain/codes.ts";
import { isLater } from "../../src/domain/now.ts";
import type { RunResult } from "../../src/domain/tool.ts";
import type { Touch } from "../../src/domain/touch.ts";
import type { Ran } from "../../src/pipeline/execute.ts";
import { finish } from "../../src/pipeline/finish.ts";
import { made } from "../redact/samples.ts";
import { finishedNow, redaction } from "../support/redaction.ts";
import { approvedCall, DONE, plannedCall, READ, WRITE } from "../support/sample-calls.ts";

const returned = (result: RunResult): Ran => ({ kind: "returned", result });
const FAILURE = { code: "CONFLICT", message: "m", retryable: true } as const;
const SAID = [{ type: "text" as const, text: "said" }];
const finished = (ran: Ran) => finishedNow(approvedCall(), ran, 7);

describe("finish", () => {
  it.each<[string, Ran, string, string, string | null]>([
    ["completed", returned(DONE), "completed", "completed", null],
    [
      "failed",
      returned({ kind: "failed", error: { code: "CONFLICT", message: "m", retryable: true }, content: [] }),
      "failed",
      "failed",
      "CONFLICT",
    ],
    ["lost on another machine", returned({ kind: "lost" }), "unknown", "unknown", "OUTCOME_UNKNOWN"],
    ["stopped by itself", returned({ kind: "stopped" }), "cancelled", "failed", "CANCELLED"],
    ["threw", { kind: "threw", cause: new Error("a secret") }, "failed", "failed", "TOOL_FAILED"],
    ["timed out", { kind: "stopped", why: "timeout", proven: true }, "timed_out", "failed", "TIMEOUT"],
    ["cancelled", { kind: "stopped", why: "cancel", proven: true }, "cancelled", "failed", "CANCELLED"],
    ["would not stop", { kind: "stopped", why: "timeout", proven: false }, "unknown", "unknown", "OUTCOME_UNKNOWN"],
    [
      "gone, who knows where",
      { kind: "stopped", why: "cancel", proven: false },
      "unknown",
      "unknown",
      "OUTCOME_UNKNOWN",
    ],
  ])("%s", (_, ran, state, kind, code) => {
    const { state: was, outcome } = finished(ran);
    expect([was, outcome.kind, "error" in outcome ? outcome.error.code : null]).toEqual([state, kind, code]);
    expect(outcome).toMatchObject({ callId: "call_1", tool: "sample", durationMs: 7 });
    if (code !== null) expect(CODES).toHaveProperty(code);
  });

  it("passes on all that a completed run gives", () => {
    const truncated = { bytes: 9, blob: "kept" };
    const result: RunResult = { ...DONE, structured: { a: 1 }, exitCode: 3, truncated } as RunResult;
    expect(finished(returned(result)).outcome).toEqual({
      kind: "completed",
      budgetConsumed: 1,
      callId: "call_1",
      tool: "sample",
      durationMs: 7,
      content: [{ type: "text", text: "done" }],
      structured: { a: 1 },
      exitCode: 3,
      truncated,
      attempts: 1,
      cached: false,
      containment: "process",
    });
  });

  it("says which attempt it was that completed", () =>
    expect(finishedNow(approvedCall(), returned(DONE), 7, 2).outcome).toMatchObject({ attempts: 2 }));

  it("says how long the tool had", () =>
    expect(finished({ kind: "stopped", why: "timeout", proven: true }).outcome).toMatchObject({
      error: { message: "the tool did not end within 1000 ms", retryable: false },
    }));

  it("keeps the cause of a throw inside", () =>
    expect(JSON.stringify(finished({ kind: "threw", cause: new Error("a secret") }))).not.toContain("secret"));
});

describe("the text of a result", () => {
  it("is over what the caller gets", () => {
    const { content } = DONE as { content: unknown };
    expect(finished(returned(DONE)).resultText?.()).toBe(JSON.stringify({ content }));
    const structured = { ...DONE, structured: { a: 1 } } as RunResult;
    expect(finished(returned(structured)).resultText?.()).toBe(JSON.stringify({ content, structured: { a: 1 } }));
  });

  it("is over what the caller gets, also where that is nothing", () => {
    const { outcome, resultText } = finished(returned({ ...DONE, structured: null } as unknown as RunResult));
    const { content, structured } = outcome as unknown as { readonly content: unknown; readonly structured?: unknown };
    expect(resultText?.()).toBe(JSON.stringify({ content, structured }));
  });

  it.each<[string, () => { content: unknown[]; structured?: { said: string[] } }]>([
    ["beside a text", () => ({ content: [{ type: "text", text: "done" }], structured: { said: ["one"] } })],
    ["of more than texts", () => ({ content: [{ type: "text", text: "done", said: ["one"] }] })],
  ])("and what the caller gets stay what they were when the tool changes its own later: %s", (_, make) => {
    const own = make();
    const call = approvedCall();
    const { definition } = call.tool;
    const ofFunction = { ...call, tool: { ...call.tool, definition: { ...definition, source: "function" as const } } };
    const { outcome } = finishedNow(ofFunction, returned({ ...DONE, ...own } as RunResult), 7, 1);
    const before = JSON.stringify(outcome);
    (own.structured ?? (own.content[0] as { said: string[] })).said.push("more");
    own.content.push({ type: "text", text: "more" });
    expect(JSON.stringify(outcome)).toBe(before);
  });

  it("is null where there is no result", () => expect(finished({ kind: "threw", cause: null }).resultText).toBeNull());

  const circle: Record<string, unknown> = {};
  circle["self"] = circle;
  it.each([
    ["a bigint", { n: 1n }],
    ["a circle", circle],
  ])("of %s can't be, so the tool failed", (_, structured) => {
    const { state, outcome } = finished(returned({ ...DONE, structured } as unknown as RunResult));
    expect(state).toBe("failed");
    expect(outcome).toMatchObject({
      kind: "failed",
      error: { code: "TOOL_FAILED", message: "the tool ended with a result that is not JSON" },
      content: [],
    });
  });
});

describe("a long result", () => {
  const secret = made(20);
  const text = `password=${secret}\n`.repeat(10_000);
  const content = [{ type: "text" as const, text }];

  it.each<[string, Ran, string]>([
    ["of a call that completed", returned({ ...DONE, content } as RunResult), "completed"],
    ["with a value beside it", returned({ ...DONE, content, structured: { text } } as RunResult), "completed"],
    ["of a call that failed", returned({ kind: "failed", error: FAILURE, content }), "failed"],
    ["of a call that was stopped", { kind: "stopped", why: "timeout", proven: true, content }, "timed_out"],
  ])("%s is searched while others have their turns", async (_, ran, state) => {
    const ports = redaction();
    const finishing = finish(approvedCall(), ran, { durationMs: 7, attempts: 1, budgetConsumed: 1 }, ports);
    expect(isLater(finishing)).toBe(true);
    const finished = await finishing;
    expect(finished.state).toBe(state);
    expect(
      JSON.stringify([finished.outcome, finished.resultText?.(), ...ports.blobs.kept.values().map(String)]),
    ).not.toContain(secret);
    expect(JSON.stringify(finished.outcome)).toContain("[REDACTED:");
  });

  const kept = { bytes: 9_000_000, blob: "f".repeat(64) };
  const huge = [{ type: "text" as const, text: `password=${secret}\n`.repeat(100_000) }];
  it.each<[string, Partial<Extract<Ran, { kind: "stopped" }>>, object | undefined]>([
    ["short, and nothing is cut", { content: SAID }, undefined],
    ["cut by the tool, which says where all of it is", { content: SAID, truncated: kept }, kept],
    ["over the limit, and kept as a blob", { content: huge }, { blob: `${"0".repeat(63)}1` }],
    ["both: what the tool left out is the more", { content: huge, truncated: kept }, kept],
  ])("of a call that was stopped is %s", async (_, said, truncated) => {
    const ports = redaction();
    const ran: Ran = { kind: "stopped", why: "cancel", proven: true, ...said };
    const { outcome } = await finish(approvedCall(), ran, { durationMs: 7, attempts: 1, budgetConsumed: 1 }, ports);
    if (outcome.kind !== "failed") throw new Error(outcome.kind);
    if (truncated === undefined) expect(outcome).not.toHaveProperty("truncated");
    else expect(outcome.truncated).toMatchObject(truncated);
    expect(JSON.stringify(outcome.content).length).toBeLessThan(1_100_000);
    expect(ports.blobs.kept.values().map(String).toArray().join("")).not.toContain(secret);
  });

  it("that is no JSON is a failure of the tool", async () => {
    const structured: Record<string, unknown> = { text };
    structured["self"] = 1n;
    const ran = returned({ ...DONE, content, structured } as unknown as RunResult);
    const finished = await finish(approvedCall(), ran, { durationMs: 7, attempts: 1, budgetConsumed: 1 }, redaction());
    expect(finished.outcome).toMatchObject({ kind: "failed", error: { code: "TOOL_FAILED" } });
  });
});

describe("an unknown end", () => {
  it.each<[string, readonly [Touch, ...Touch[]], boolean]>([
    ["that only read", [READ, READ], true],
    ["that also wrote", [READ, WRITE], false],
    ["that wrote", [WRITE], false],
    ["that did who knows what", [{ kind: "unknown", reason: "x" }], false],
    ["that connected", [{ kind: "connect", host: "h", port: 1, scheme: "https" }], false],
  ])("of a call %s may be tried again: %s", (_, touches, retryable) => {
    const call = { ...approvedCall(), plan: plannedCall({}, { touches }).plan };
    const { outcome } = finishedNow(call, { kind: "stopped", why: "cancel", proven: false }, 0);
    expect(outcome).toMatchObject({ kind: "unknown", error: { retryable } });
  });
});
