import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { Failure } from "../../../src/domain/outcome.ts";
import { hintFor } from "../../../src/tools/script/failure-hints.ts";

const failure = (more: Partial<Failure>): Failure => ({
  ...{ code: "TOOL_FAILED", message: "", retryable: false },
  ...more,
});
const hint = (more: Partial<Failure>, said = "") => hintFor(failure(more), [{ type: "text", text: said }]);

/** The seed's five, by what they are called there and in the guide. */
const GUIDE = readFileSync(
  fileURLToPath(new URL("../../../docs/guide/script-tools-troubleshooting.md", import.meta.url)),
  "utf8",
);

describe("a failure that authors of tools meet often", () => {
  it.each<[string, Partial<Failure>, string, RegExp]>([
    ["Permission denied", { exitCode: 1 }, "mkdir: cannot create 'a': Permission denied", /`grant`/],
    ["Permission denied", { exitCode: 126 }, "", /chmod/],
    ["Command not found", { exitCode: 127 }, "bash: line 1: x: command not found", /install/],
    ["Template rendering failed", { code: "TEMPLATE_MISSING_VALUE" }, "", /default/],
    [
      "Empty temporary directories",
      { exitCode: 1 },
      "cp: No space left on device",
      /isolated folders go with each call/,
    ],
  ])("has a hint and a section: %s %j", (section, more, said, expected) => {
    expect(hint(more, said)).toMatch(expected);
    expect(GUIDE).toContain(`## ${section}`);
  });

  it("is not every failure", () => {
    expect(hint({ exitCode: 1 }, "trouble")).toBeNull();
  });
});
