import { expect, it } from "vitest";
import type { RunResult } from "../../../src/domain/tool.ts";
import { type ClientResult, runResultFrom } from "../../../src/tools/client/client-result.ts";

const text = (value: string) => ({ type: "text", text: value }) as const;

it.each<[string, ClientResult, Partial<RunResult>]>([
  ["nothing", { status: "completed" }, { kind: "completed", content: [], structured: {} }],
  [
    "both outputs",
    { status: "completed", result: { stdout: "a", stderr: "b", exit_code: 0 } },
    { content: [text("a"), text("b")], exitCode: 0 },
  ],
  ["no stderr", { status: "completed", result: { stdout: "a", stderr: null } }, { content: [text("a")] }],
  ["a bad end", { status: "completed", result: { success: false, exit_code: 3 } }, { kind: "completed", exitCode: 3 }],
  ["no exit code", { status: "completed", result: { exit_code: null } }, { structured: { exit_code: null } }],
  [
    "a failure",
    { status: "failed", error: "no" },
    { kind: "failed", error: { code: "TOOL_FAILED", message: "no", retryable: false } },
  ],
  [
    "a failure without words",
    { status: "failed", result: { stdout: "part", exit_code: 1 } },
    {
      kind: "failed",
      content: [text("part")],
      error: { code: "TOOL_FAILED", message: "the executor says that it failed", retryable: false, exitCode: 1 },
    },
  ],
])("%s", (_, said, expected) => {
  expect(runResultFrom(said)).toMatchObject(expected);
});

it("has no exit code where none was said", () => {
  expect(runResultFrom({ status: "completed", result: { exit_code: null } })).not.toHaveProperty("exitCode");
});
