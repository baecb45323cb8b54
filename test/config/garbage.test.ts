import * as fc from "fast-check";
import { expect, it } from "vitest";
import { DEFAULT_CONFIG } from "../../src/config/default-config.ts";
import { FILE_TOUCH_KINDS } from "../../src/domain/touch.ts";
import { factsFor } from "../rules/sample-facts.ts";
import { withCorpus } from "../support/parts.ts";
import { loadText } from "./scratch.ts";

/** Whatever the text is: a config that allows nothing, or problems that each have a place. */
function expectNothingAllowed(text: string | Uint8Array): void {
  const result = loadText(text);
  if (!result.ok) {
    expect(result.problems.length).toBeGreaterThan(0);
    for (const { line, column, message } of result.problems) {
      expect(Math.min(line, column)).toBeGreaterThanOrEqual(1);
      expect(message).toMatch(/^[^\n\p{Cc}]+$/u);
    }
    return;
  }
  for (const kind of FILE_TOUCH_KINDS) {
    for (const path of ["/", "/etc/passwd", result.config.workspace, `${result.config.workspace}/a`]) {
      expect(result.config.rules.judge({ kind, path }, factsFor("read_file")).effect).toBe("deny");
    }
  }
}

withCorpus<{ text: string }>("blns.jsonl")("naughty strings", (lines) => {
  it.each<[form: string, wrap: (text: string) => string]>([
    ["as the file", (text) => text],
    ["as a value", (text) => `state: ${text}`],
    ["as a quoted value", (text) => `state: ${JSON.stringify(text)}`],
    ["as a key", (text) => `${JSON.stringify(text)}: x`],
    ["as an effect", (text) => `rules: [{ id: a, effect: ${JSON.stringify(text)} }]`],
    ["as an id", (text) => `rules: [{ id: ${JSON.stringify(text)}, effect: deny }]`],
    ["as a pattern", (text) => `rules: [{ id: a, effect: deny, touch: { read: [${JSON.stringify(text)}] } }]`],
  ])("%s", (_, wrap) => {
    for (const { text } of lines) expectNothingAllowed(wrap(text));
  });
});

withCorpus<{ name: string; base64: string }>("json_parsing.jsonl")("JSON of all kinds", (lines) => {
  it("as the file", () => {
    for (const { base64 } of lines) expectNothingAllowed(Buffer.from(base64, "base64"));
  });
  it("as the rules", () => {
    for (const { base64 } of lines)
      expectNothingAllowed(Buffer.concat([Buffer.from("rules: "), Buffer.from(base64, "base64")]));
  });
});

it("a config with a part torn out is one that holds, or none", () => {
  const DENYING = DEFAULT_CONFIG.replaceAll("effect: allow", "effect: ask").replaceAll(/effect: ask/g, "effect: deny");
  const cut = fc.nat(DENYING.length);
  const junk = fc.oneof(
    fc.string({ maxLength: 5, unit: "binary" }),
    fc.constantFrom("{", "[", "- ", ": ", "&a ", "*a ", "? ", "!!x ", "\t", "\n", '"', "|\n", "---\n"),
  );
  void fc.assert(
    fc.property(cut, cut, junk, (from, to, inserted) =>
      expectNothingAllowed(DENYING.slice(0, from) + inserted + DENYING.slice(to)),
    ),
    { numRuns: 300 },
  );
});
