import { describe, expect, it } from "vitest";
import { failedResult, fileRefusal, judgedPath } from "../../../src/tools/builtin/file-plan.ts";
import { plannedCall, WRITE } from "../../support/sample-calls.ts";

describe("what the file system says", () => {
  const fault = { code: "IO_ERROR", message: "no", hint: "try again" } as const;

  it("is a refusal while the call is planned", () => expect(fileRefusal(fault)).toEqual({ ...fault, stage: "plan" }));

  it("is a failure while it runs, retryable as its code says", () => {
    expect(failedResult(fault)).toEqual({
      kind: "failed",
      error: { code: "IO_ERROR", message: "no", retryable: true, detail: "try again" },
      content: [],
    });
    expect(failedResult({ code: "FILE_NOT_FOUND", message: "no" })).toMatchObject({ error: { retryable: false } });
  });
});

describe("the judged path", () => {
  it("is the touch's, never the input's", () => {
    const { plan } = plannedCall({ input: { path: "/elsewhere" } }, { touches: [WRITE] });
    expect(judgedPath(plan)).toBe("/w/a.txt");
  });

  it("of a plan that does not begin with a file is our mistake", () => {
    const { plan } = plannedCall({}, { touches: [{ kind: "unknown", reason: "x" }, WRITE] });
    expect(() => judgedPath(plan)).toThrow(TypeError);
  });
});
