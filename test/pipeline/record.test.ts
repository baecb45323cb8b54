import { describe, expect, it } from "vitest";
import { canonicalJson } from "../../src/domain/canonical-json.ts";
import { digestOf, digestOfText } from "../../src/domain/digest.ts";
import * as record from "../../src/pipeline/record.ts";
import { finishedNow } from "../support/redaction.ts";
import { approvedCall, DONE, judgedCall, newQuestion, READ, rawCall } from "../support/sample-calls.ts";

const AT = "2026-01-02T03:04:05.000Z";
const COMMON = { at: AT, project: "default", sessionId: "session_1", callId: "call_1", actor: "local:ann" };
const SECRET = "hunter2";
const QUESTION = newQuestion({ deadlineMs: 5000 });
const DIGEST = approvedCall().seal.digest;

describe("what the ledger is told", () => {
  it("of a request: the tool and the digest of the arguments", () =>
    expect(record.requested(rawCall({ rawInput: { a: SECRET } }), AT)).toEqual({
      ...COMMON,
      kind: "tool.requested",
      planDigest: null,
      body: { tool: "sample", inputDigest: digestOf({ a: SECRET }) },
    }));

  it("of a judged request: the digest of what was judged, whatever the caller's object holds by now", () =>
    expect(record.requested(judgedCall("allow", { input: { a: 1 }, rawInput: { a: 2 } }), AT).body).toMatchObject({
      inputDigest: digestOf({ a: 1 }),
    }));

  it("of a decision: every touch with its rule", () =>
    expect(record.decided(judgedCall("ask"), AT)).toEqual({
      ...COMMON,
      kind: "tool.decided",
      planDigest: DIGEST,
      body: {
        budgetConsumed: 0,
        decision: "ask",
        risk: "LOW",
        ruleId: "r",
        rulesHash: digestOf("rules"),
        touches: [{ effect: "ask", ruleId: "r", touch: READ }],
      },
    }));

  it("of a refusal: code, stage, words and rule", () => {
    const refusal = { code: "RULE_DENY", stage: "judge", message: "no", ruleId: "r", hint: "h" } as const;
    expect(record.refusedEntry(rawCall(), AT, refusal, null)).toEqual({
      ...COMMON,
      kind: "tool.decided",
      planDigest: null,
      body: {
        budgetConsumed: 0,
        decision: "deny",
        code: "RULE_DENY",
        stage: "judge",
        message: "no",
        ruleId: "r",
      },
    });
    const { ruleId: _, ...nobodys } = refusal;
    expect(record.refusedEntry(rawCall(), AT, nobodys, DIGEST)).toMatchObject({
      planDigest: DIGEST,
      body: { ruleId: null },
    });
  });

  it("of a question: the decision, with the question's id and deadline", () =>
    expect(record.asked(judgedCall("ask"), AT, QUESTION)).toEqual({
      ...record.decided(judgedCall("ask"), AT),
      body: {
        approvalId: "approval_1",
        deadline: "1970-01-01T00:00:05.000Z",
        ...record.decided(judgedCall("ask"), AT).body,
      },
    }));

  it("of a start: by whose word, and the attempt", () => {
    const call = { ...approvedCall(), approval: { by: "person", who: "ann" } } as const;
    expect(record.started(call, AT, 1)).toEqual({
      ...COMMON,
      kind: "tool.started",
      planDigest: DIGEST,
      body: { attempt: 1, by: "person", who: "ann" },
    });
    expect(record.started(approvedCall(), AT, 2).body).toEqual({ attempt: 2, by: "rule", who: "r" });
  });

  it("of an end: how it ended, and the digest of the result", () => {
    const call = approvedCall();
    const completed = finishedNow(call, { kind: "returned", result: DONE }, 7);
    expect(record.executed(call, AT, completed)).toMatchObject({
      kind: "tool.executed",
      planDigest: DIGEST,
      body: {
        outcome: "completed",
        code: null,
        durationMs: 7,
        resultDigest: digestOfText(completed.resultText?.() ?? ""),
      },
    });
    const timedOut = finishedNow(call, { kind: "stopped", why: "timeout", proven: true }, 7);
    expect(record.executed(call, AT, timedOut).body).toEqual({
      budgetConsumed: 1,
      outcome: "timed_out",
      code: "TIMEOUT",
      durationMs: 7,
      resultDigest: null,
    });
  });

  it("is never an argument or a result itself", () => {
    const call = { ...approvedCall({ rawInput: { a: SECRET }, input: { a: SECRET } }) };
    const result = { kind: "completed", content: [{ type: "text", text: SECRET }] } as const;
    const entries = [
      record.requested(call, AT),
      record.decided(call, AT),
      record.asked(call, AT, QUESTION),
      record.started(call, AT, 1),
      record.executed(call, AT, finishedNow(call, { kind: "returned", result }, 0)),
    ];
    expect(JSON.stringify(entries)).not.toContain(SECRET);
  });
});

describe("what callers and desks may say", () => {
  const ODD = "\ud800";
  const call = {
    ...approvedCall({
      toolName: `${ODD}${"x".repeat(10_000)}`,
      rawInput: ODD,
      actor: ODD,
      session: { ...rawCall().session, id: ODD },
      project: ODD,
    }),
    approval: { by: "person", who: ODD },
  } as const;
  const refusal = { code: "FAULT", stage: "finish", message: ODD } as const;

  it("has a canonical form all the same: one call must not spoil the commit of others", () => {
    const { input: _, ...raw } = call;
    for (const entry of [
      record.requested(raw, AT),
      record.decided(call, AT),
      record.refusedEntry(call, AT, refusal, null),
      record.asked(call, AT, QUESTION),
      record.started(call, AT, 1),
    ])
      expect(() => canonicalJson(entry)).not.toThrow();
    expect(record.requested(raw, AT).body).toEqual({ inputDigest: null, tool: `\ufffd${"x".repeat(255)}` });
  });
});

describe("the row of a call", () => {
  it("says whose it is, and by what name it was called", () =>
    expect(record.newCall(rawCall({ toolName: "x".repeat(300), caller: "detached" }))).toEqual({
      callId: "call_1",
      project: "default",
      sessionId: "session_1",
      owner: "owner_1",
      host: "host",
      tool: "x".repeat(256),
      caller: "detached",
    }));
});
