import { describe, expect, it, vi } from "vitest";
import type { Fault } from "../../src/ports/faults.ts";
import type { Border } from "../../src/ports/probe.ts";
import { FaultLog } from "../../src/wiring/fault-log.ts";
import { actingTool } from "../support/acting-tool.ts";
import { redactorFor } from "../support/redaction.ts";
import { ALLOW_ALL, ASK_ALL, approves, asKind, codeOf, openScratchGate } from "../support/scratch-gate.ts";

const SECRET = "correct-horse-battery-4711";

describe("an exception in a stage of a call", () => {
  const BORDERS: readonly (readonly [Border, Fault["stage"], string])[] = [
    ["received", "resolve", "FAULT"],
    ["resolved", "validate", "FAULT"],
    ["validated", "plan", "FAULT"],
    ["planned", "judge", "FAULT"],
    ["judged", "approve", "FAULT"],
    ["asked", "approve", "FAULT"],
    // The desk has moved the call to `approved` already: it is carried on at the next start.
    ["answered", "approve", "ILLEGAL_TRANSITION"],
    ["approved", "journal", "FAULT"],
    ["started", "execute", "OUTCOME_UNKNOWN"],
    ["ran", "finish", "OUTCOME_UNKNOWN"],
    ["finished", "journal", "OUTCOME_UNKNOWN"],
  ];

  it.each(BORDERS)(
    "after %s is in the fault log as one of %s, and its call ends as %s",
    async (border, stage, code) => {
      let isThrown = false;
      const reached = (at: Border) => {
        if (at !== border || isThrown) return;
        isThrown = true;
        throw new Error(`thrown after ${border}`);
      };
      await using scratch = openScratchGate({ rules: ASK_ALL, approver: approves, inner: { probe: { reached } } });
      const outcome = await scratch.gate.call({ tool: "write_file", input: { path: "a.txt", content: "x" } });
      expect(codeOf(outcome)).toBe(code);
      expect(scratch.faults).toEqual([
        {
          callId: outcome.callId,
          stage,
          code: null,
          cause: expect.stringContaining(`Error: thrown after ${border}\n`),
        },
      ]);
      expect(scratch.faults[0]?.cause).toContain("fault-log.test.ts"); // the stack
      expect(JSON.stringify([outcome, scratch.entries()])).not.toContain("thrown after");
    },
  );

  it("of a tool is in the fault log, while the caller reads that the tool failed", async () => {
    const act = () => {
      throw new RangeError("the tool fell over");
    };
    await using scratch = openScratchGate({
      rules: ALLOW_ALL,
      tools: ({ workspace }) => [actingTool(workspace, { act }).tool],
    });
    const outcome = asKind(await scratch.gate.call({ tool: "act", input: {} }), "failed");
    expect(outcome.error.code).toBe("TOOL_FAILED");
    expect(scratch.faults).toMatchObject([{ stage: "execute", callId: outcome.callId }]);
    expect(scratch.faults[0]?.cause).toContain("RangeError: the tool fell over");
    expect(JSON.stringify([outcome, scratch.entries()])).not.toContain("fell over");
  });

  it("of an explanation is in the fault log", async () => {
    await using scratch = openScratchGate({ rules: ALLOW_ALL, config: { tools: { builtin: ["files"] } } });
    vi.spyOn(scratch.config.redactor, "redactInSlices").mockRejectedValue(new Error("thrown while it is explained"));
    const explained = await scratch.gate.explain({ tool: "read_file", input: { path: "a.txt" } });
    expect(JSON.stringify(explained)).not.toContain("thrown");
    expect(scratch.faults).toMatchObject([{ stage: "plan", cause: expect.stringContaining("while it is explained") }]);
  });
});

describe("the fault log", () => {
  const reported = (cause: unknown): Fault => {
    const faults: Fault[] = [];
    const log = new FaultLog(redactorFor({ KEY: SECRET }), (fault) => void faults.push(fault));
    log.report(cause, { stage: "door", callId: "call_1" });
    expect(faults).toHaveLength(1);
    return faults[0] as Fault;
  };

  it.each([
    ["a message", () => new Error(`no access with ${SECRET}`)],
    ["a cause of a cause", () => new Error("a", { cause: new Error("b", { cause: new Error(SECRET) }) })],
    ["a text that was thrown", () => `it was ${SECRET}`],
    ["a code", () => Object.assign(new Error("no"), { code: SECRET })],
    ["a stack", () => Object.assign(new Error("no"), { stack: `Error: no\n    at ${SECRET}` })],
  ])("shows no secret of %s", (_, make) => {
    const fault = reported(make());
    expect(JSON.stringify(fault)).not.toContain(SECRET);
    expect(JSON.stringify(fault)).toContain("[REDACTED:KEY]");
  });

  it("shows the whole chain of causes, also of one that is a circle", () => {
    const circle = new Error("outer");
    circle.cause = new Error("inner", { cause: circle });
    expect(reported(circle).cause).toMatch(/outer.*caused by: Error: inner.*caused by: Error: outer/s);
  });

  it.each([
    [null],
    [undefined],
    [
      {
        toString: () => {
          throw new Error("hostile");
        },
      },
    ],
    [Symbol("s")],
  ])("takes whatever is thrown: %#", (thrown) => {
    expect(reported(thrown).cause).not.toBe("");
  });

  it("escapes what acts on a terminal", () => {
    expect(reported(new Error("\u001b[2J")).cause).not.toContain("\u001b");
  });

  it("tells the listener that came last, until it has gone", () => {
    const told: string[] = [];
    const log = new FaultLog(redactorFor(), () => void told.push("first"));
    const stop = log.tell(() => void told.push("second"));
    log.report(new Error("a"), { stage: "door" });
    stop();
    log.report(new Error("b"), { stage: "door" });
    expect(told).toEqual(["second", "first"]);
  });

  it("warns the process if the listener fails or there is none", () => {
    using warned = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
    const failing = new FaultLog(redactorFor(), () => {
      throw new Error("the listener fell over");
    });
    failing.report(new Error("the fault"), { stage: "door" });
    new FaultLog(redactorFor()).report(new Error("nobody listens"), { stage: "door" });
    expect(warned.mock.calls.map(([text]) => /Error: ([a-z ]+)/.exec(String(text))?.[1])).toEqual([
      "the fault",
      "the listener fell over",
      "nobody listens",
    ]);
  });
});
