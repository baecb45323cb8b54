import { describe, expect, it } from "vitest";
import { CODES, type Code } from "../../src/domain/codes.ts";
import type { Outcome } from "../../src/domain/outcome.ts";
import { isBad, outcomeInWords } from "../../src/formats/outcome-in-words.ts";
import { completed, failed, pending, refused, unknown } from "./some-tools.ts";

describe("an outcome in words", () => {
  it.each<[string, Outcome, string | null]>([
    ["completed", completed(), null],
    ["failed", failed(), "The tool ran and failed (TOOL_FAILED): it broke."],
    [
      "failed, and may be tried again",
      failed({ code: "IO_ERROR", retryable: true, retryAfterMs: 1500 }),
      "The tool ran and failed (IO_ERROR): it broke. Make the same call again later. The same call may succeed in 2 s.",
    ],
    [
      "failed, and may be tried again sometime",
      failed({ retryable: true, message: "it broke!" }),
      "The tool ran and failed (TOOL_FAILED): it broke! The same call may succeed later.",
    ],
    [
      "refused by a rule",
      refused(),
      "Refused, nothing was run (RULE_DENY, rule no-writes): a rule denies `write a`.\nDon't try to reach the same thing in another way; do without it, or tell the user what you need and why.",
    ],
    [
      "refused for its arguments",
      refused({
        code: "INVALID_ARGUMENTS",
        message: "2 things are wrong",
        hint: "`toolgate tools` shows what each tool takes",
        errors: [
          { field: "a", rule: "type", message: "`a` has to be a text" },
          { field: "b", rule: "required", message: "`b` is missing" },
        ],
      }),
      "Refused, nothing was run (INVALID_ARGUMENTS, rule no-writes): 2 things are wrong.\n- `a` has to be a text\n- `b` is missing\nCorrect the call and make it again.",
    ],
    [
      "refused, where only people can do something",
      refused({ code: "TOOL_CHANGED", message: "it is held back", hint: "look at it with `toolgate mcp inspect up`" }),
      "Refused, nothing was run (TOOL_CHANGED, rule no-writes): it is held back.\nThis is nothing that you can mend; tell the user: look at it with `toolgate mcp inspect up`.",
    ],
    [
      "refused, with a hint of its own",
      refused({ code: "FILE_TOO_LARGE", message: "too large", hint: "write it in parts" }),
      "Refused, nothing was run (FILE_TOO_LARGE, rule no-writes): too large.\nwrite it in parts.",
    ],
    [
      "pending",
      pending,
      "Not run yet: a person has to approve this call first (approval q_1, risk HIGH, until 2026-11-16T00:00:00.000Z).\n- it deletes\nDon't make the call again: once it is approved it runs by itself. Go on with something else, or tell the user what waits.",
    ],
    [
      "unknown",
      unknown(false),
      "The call was started and nobody knows how it ended (OUTCOME_UNKNOWN): its end is not known. It may have taken effect, wholly or in part, or not at all. Find out before you do anything else.",
    ],
    [
      "unknown, and only reads",
      unknown(true),
      "The call was started and nobody knows how it ended (OUTCOME_UNKNOWN): its end is not known. It only reads, so it may be made again.",
    ],
  ])("%s", (_, outcome, words) => {
    expect(outcomeInWords(outcome)).toBe(words);
    expect(isBad(outcome)).toBe(words !== null);
  });

  it("says no word of commands that a model can't give", () => {
    for (const code of Object.keys(CODES) as Code[]) {
      const { ruleId: _, ...refusal } = { code, stage: "plan", message: "m", ruleId: "" } as const;
      const words = outcomeInWords({ kind: "refused", callId: "c", tool: "t", durationMs: 0, refusal });
      expect(words).toContain(`(${code}): m.`);
      expect(words).not.toContain("toolgate");
    }
  });
});
