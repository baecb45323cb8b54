import { describe, expect, it } from "vitest";
import { canonicalJson } from "../../src/domain/canonical-json.ts";
import { digestOf, digestOfText } from "../../src/domain/digest.ts";
import * as record from "../../src/pipeline/record.ts";
import { finishedNow } from "../support/redaction.ts";
import { approvedCall, DONE, judgedCall, READ, rawCall } from "../support/sample-calls.ts";

const AT = "2026-01-02T03:04:05.000Z";
const COMMON = { at: AT, project: "default", sessionId: "session_1", callId: "call_1", actor: "local:ann" };
const SECRET = "hunter2";
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
      body: { decision: "deny", code: "RULE_DENY", stage: "judge", message: "no", ruleId: "r" },
    });
    const { ruleId: _, ...nobodys } = refusal;
    expect(record.refusedEntry(rawCall(), AT, nobodys, DIGEST)).toMatchObject({
      planDigest: DIGEST,
      body: { ruleId: null },
    });
  });

  it("of an answer and a start: who", () => {
    const call = { ...approvedCall(), approval: { by: "person", who: "ann" } } as const;
    expect(record.answered(call, AT)).toMatchObject({
      kind: "approval.answered",
      planDigest: DIGEST,
      body: { answer: "approve", who: "ann" },
    });
    expect(record.started(call, AT)).toMatchObject({
      kind: "tool.started",
      planDigest: DIGEST,
      body: { attempt: 1, by: "person", who: "ann" },
    });
  });

  it("of an end: how it ended, and the digest of the result", () => {
    const call = approvedCall();
    const completed = finishedNow(call, { kind: "returned", result: DONE }, 7);
    expect(record.executed(call, AT, completed)).toMatchObject({
      kind: "tool.executed",
      planDigest: DIGEST,
      body: { outcome: "completed", code: null, durationMs: 7, resultDigest: digestOfText(completed.resultText ?? "") },
    });
    const timedOut = finishedNow(call, { kind: "stopped", why: "timeout", proven: true }, 7);
    expect(record.executed(call, AT, timedOut).body).toEqual({
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
      record.started(call, AT),
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
      record.answered(call, AT),
      record.started(call, AT),
    ])
      expect(() => canonicalJson(entry)).not.toThrow();
    expect(record.requested(raw, AT).body).toEqual({ inputDigest: null, tool: `\ufffd${"x".repeat(255)}` });
  });
});

describe("a change", () => {
  const entries = () => [record.requested(rawCall(), AT)] as const;

  it("brings the row along when it is the first", () =>
    expect(record.change(rawCall(), "received", "refused", entries)).toEqual({
      callId: "call_1",
      from: "received",
      to: "refused",
      created: {
        callId: "call_1",
        project: "default",
        sessionId: "session_1",
        owner: "owner_1",
        host: "host",
        tool: "sample",
        caller: "attended",
      },
      entries,
    }));

  it("and no other time", () =>
    expect(record.change(rawCall(), "approved", "executing", entries)).toEqual({
      callId: "call_1",
      from: "approved",
      to: "executing",
      entries,
    }));
});
