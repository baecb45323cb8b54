import { describe, expect, it } from "vitest";
import type { JsonValue } from "../../../src/domain/json.ts";
import type { Content, Outcome } from "../../../src/domain/outcome.ts";
import { visibleText } from "../../../src/domain/visible.ts";
import { showOutcome } from "../../../src/doors/cli/show-outcome.ts";
import { type PaperOptions, paperTerminal } from "../../support/paper-terminal.ts";

const BASE = { callId: "call_1", tool: "t", durationMs: 1 };
const RECEIPT = { receipt: { seq: 7, hash: "h" as never } };
const ACTING = "\u001b[31m\u202e\n";

const completed = (content: readonly Content[]): Outcome => ({
  kind: "completed",
  ...BASE,
  ...RECEIPT,
  content,
  attempts: 1,
  cached: false,
  containment: "process",
});

function shown(outcome: Outcome, options: PaperOptions = {}, flags = {}) {
  const terminal = paperTerminal(options);
  showOutcome(outcome, flags, terminal);
  return { out: terminal.outText(), err: terminal.errText() };
}

describe("content", () => {
  it.each<[string, Content, string]>([
    ["text", { type: "text", text: "x" }, "x"],
    ["a diff", { type: "diff", path: "a", diff: "-x\n+y\n", newText: "y" }, "-x\n+y\n"],
    ["an image", { type: "image", mediaType: "image/png", data: "Ynl0ZXM=" }, "bytes"],
    ["a resource of bytes", { type: "resource", uri: "a", blob: "Ynl0ZXM=" }, "bytes"],
    ["a resource of text", { type: "resource", uri: "a", text: "x" }, "x"],
    ["an empty resource", { type: "resource", uri: "a" }, ""],
  ])("that is %s goes to stdout", (_, item, out) => expect(shown(completed([item]))).toEqual({ out, err: "" }));

  it("of bytes is shown as base64 on a terminal", () => {
    const image: Content = { type: "image", mediaType: "image/png", data: "Ynl0ZXM=" };
    expect(shown(completed([image]), { isOutTerminal: true }).out).toBe("Ynl0ZXM=\n");
  });

  it("ends with a line on a terminal only", () => {
    expect(
      shown(
        completed([
          { type: "text", text: "x" },
          { type: "text", text: "y\n" },
        ]),
        { isOutTerminal: true },
      ).out,
    ).toBe("x\ny\n");
    expect(
      shown(
        completed([
          { type: "text", text: "x" },
          { type: "text", text: "y\n" },
        ]),
      ).out,
    ).toBe("xy\n");
  });

  it("of a failure is shown too", () => {
    const error = { code: "TOOL_FAILED", message: "no", retryable: false } as const;
    const outcome: Outcome = { kind: "failed", ...BASE, ...RECEIPT, error, content: [{ type: "text", text: "half" }] };
    expect(shown(outcome)).toEqual({ out: "half", err: "failed t  TOOL_FAILED  ledger entry 7\n  no\n" });
  });
});

describe("what a tool says about its failure", () => {
  it.each<[string, JsonValue, string]>([
    ["a line is what to do", "create it first", "  hint create it first\n"],
    ["a hint among other things", { hint: "try again", exitCode: 3 }, "  hint try again\n"],
    ["more lines are told as they are", "error:\n  t(\n  ^\n", "  error:\n    t(\n    ^\n"],
    ["nothing", "", ""],
    ["facts only", { exitCode: 3 }, ""],
  ])("%s", (_, detail, lines) => {
    const error = { code: "FILE_NOT_FOUND", message: "no", retryable: false, detail } as const;
    const { err } = shown({ kind: "failed", ...BASE, ...RECEIPT, error, content: [] });
    expect(err).toBe(`failed t  FILE_NOT_FOUND  ledger entry 7\n  no\n${lines}`);
  });
});

describe("messages", () => {
  const refusal = { code: "RULE_DENY", stage: "judge", message: `no ${ACTING}`, hint: `try ${ACTING}` } as const;

  it("say what is in the ledger, and what is not", () => {
    expect(shown({ kind: "refused", ...BASE, ...RECEIPT, refusal }).err).toContain("RULE_DENY  ledger entry 7");
    expect(shown({ kind: "refused", ...BASE, refusal }).err).toContain("RULE_DENY  not in the ledger");
  });

  it("hold nothing that acts on a terminal, wherever it comes from", () => {
    const errors = [
      { field: ACTING, rule: "r", message: ACTING },
      { field: "", rule: "r", message: "m" },
    ];
    const { err } = shown({ kind: "refused", ...BASE, tool: ACTING, refusal: { ...refusal, errors } });
    expect(err).toBe(visibleText(err));
    expect(err.split("\n")).toHaveLength(6);
    expect(err).toContain("- the arguments (r): m");
  });

  it("say what a pending call waits for, and how to answer", () => {
    const approval = {
      id: "approval_1",
      risk: "HIGH",
      reasons: [`because ${ACTING}`],
      deadline: "2026-01-02T03:04:05.000Z",
    } as const;
    expect(shown({ kind: "pending", ...BASE, ...RECEIPT, approval })).toEqual({
      out: "",
      err: [
        "pending t  approval_1  risk HIGH  until 2026-01-02T03:04:05.000Z  ledger entry 7",
        "  because \\u{1b}[31m\\u{202e}\\u{a}",
        "  hint `toolgate approvals show approval_1` shows it, `toolgate approvals approve approval_1` runs it",
        "",
      ].join("\n"),
    });
  });

  it("warn of an unknown end", () => {
    const error = { code: "OUTCOME_UNKNOWN", message: "look first", retryable: false } as const;
    expect(shown({ kind: "unknown", ...BASE, ...RECEIPT, error }).err).toBe(
      "unknown t  OUTCOME_UNKNOWN  ledger entry 7\n  look first\n",
    );
  });

  it("are none for a completed call in a pipe, and one line on a terminal", () => {
    expect(shown(completed([])).err).toBe("");
    expect(shown(completed([]), { isOutTerminal: true }).err).toBe("completed t  ledger entry 7\n");
  });
});

it("--json is the outcome, on one line", () =>
  expect(shown(completed([{ type: "text", text: ACTING }]), {}, { json: true })).toEqual({
    out: `${JSON.stringify(completed([{ type: "text", text: ACTING }])).replace("\u202e", "\\u202e")}\n`,
    err: "",
  }));
