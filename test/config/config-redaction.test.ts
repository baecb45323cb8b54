import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { loadConfig } from "../../src/config/config.ts";
import { loaded, loadText, openScratch, problemsOf } from "./scratch.ts";

const VALUE = "s3cr3t-value-of-it";
const variables = { TOKEN: VALUE, OTHER: "another-value", SHORT: "12345", EMPTY: "" };

describe("secrets", () => {
  it("are redacted by the name of their variable, of their file, or their own", () => {
    using scratch = openScratch();
    scratch.put("keys/deploy.key", "value-in-a-file\n");
    const text = "secrets: [{ env: TOKEN }, { file: keys/deploy.key }, { env: OTHER, name: third }]";
    const { redactor } = loaded(loadConfig({ path: scratch.put("toolgate.yaml", text), variables }));
    expect(redactor.text(`${VALUE} value-in-a-file another-value`)).toBe(
      "[REDACTED:TOKEN] [REDACTED:deploy.key] [REDACTED:third]",
    );
    expect(redactor.text(Buffer.from("value-in-a-file").toString("base64"))).toContain("[REDACTED:deploy.key]");
  });

  it("are nowhere in the config", () => {
    const config = loaded(loadText("secrets: [{ env: TOKEN }]", { variables }));
    expect(JSON.stringify(config)).not.toContain(VALUE);
    expect(inspect(config, { depth: null, showHidden: true })).not.toContain(VALUE);
  });

  it("in files are closed for writing, and the environment is that of the process by default", () => {
    using scratch = openScratch();
    scratch.put("key", VALUE);
    process.env["TOOLGATE_TEST_SECRET"] = "from-the-process";
    try {
      const text = "secrets: [{ file: key }, { env: TOOLGATE_TEST_SECRET }]";
      const { redactor, rules } = loaded(loadConfig({ path: scratch.put("toolgate.yaml", text) }));
      expect(redactor.text("from-the-process")).toBe("[REDACTED:TOOLGATE_TEST_SECRET]");
      const touch = { kind: "write", path: `${scratch.folder}/key` } as const;
      expect(rules.judge(touch, {} as never)).toMatchObject({ effect: "deny", ruleId: "builtin:own-config" });
    } finally {
      delete process.env["TOOLGATE_TEST_SECRET"];
    }
  });

  it.each<[string, string, readonly string[]]>([
    [
      "is not set",
      "secrets:\n  - env: MISSING",
      ["2:10 the variable `MISSING` is not set (set it, or take the line out)"],
    ],
    ["is empty", "secrets: [{ env: EMPTY }]", ["1:18 the variable `EMPTY` is not set (set it, or take the line out)"]],
    [
      "is too short",
      "secrets: [{ env: SHORT }]",
      [
        "1:11 the secret `SHORT` has fewer than 6 bytes (so short a value is in every text by chance; use a longer one)",
      ],
    ],
    ["has no file", "secrets: [{ file: nowhere }]", ["1:19 the secret in `nowhere`: there is no such file"]],
    ["is a device", "secrets: [{ file: /dev/zero }]", ["1:19 the secret in `/dev/zero`: this is not a regular file"]],
    [
      "is both",
      "secrets: [{ env: TOKEN, file: x }]",
      ["1:11 a secret has either `env` or `file` (name the variable or the file that holds its value)"],
    ],
    [
      "is neither",
      "secrets: [{ name: x }]",
      ["1:11 a secret has either `env` or `file` (name the variable or the file that holds its value)"],
    ],
    [
      "is named twice",
      "secrets: [{ env: TOKEN }, { env: OTHER, name: TOKEN }]",
      ["1:27 the name `TOKEN` is given twice (give one of them another `name`)"],
    ],
    [
      "has a bad name",
      "secrets: [{ env: TOKEN, name: 'a b' }]",
      [
        "1:11 the secret `a b` has a name that can't stand in a marker (use up to 64 letters, digits, `_`, `-` and `.`)",
      ],
    ],
    ["is written out", `secrets: [${VALUE}]`, ["1:11 `secrets[0]` must be an object, not a string"]],
  ])("one that %s is a problem with its place", (_, text, problems) => {
    const result = loadText(text, { variables });
    expect(problemsOf(result)).toEqual(problems);
    expect(JSON.stringify(result)).not.toContain(VALUE);
  });
});

describe("patterns", () => {
  it("are a text, or a text with a name", () => {
    const text = "redact: { patterns: ['ACME-[0-9]+', { name: badge, pattern: 'B[0-9]{3}' }] }";
    expect(loaded(loadText(text)).redactor.text("ACME-12 B123")).toBe("[REDACTED:pattern-1] [REDACTED:badge]");
  });

  it.each<[string, string, string]>([
    [
      "can't be read",
      "redact:\n  patterns:\n    - '(a'",
      "3:7 the redaction pattern `pattern-1` can't be read: missing closing ): `(a`",
    ],
    [
      "can't be read, with a name",
      "redact: { patterns: [{ name: x, pattern: '(?=a)' }] }",
      "1:42 the redaction pattern `x` can't be read",
    ],
    [
      "matches nothing",
      "redact: { patterns: ['ok', 'x*'] }",
      "1:28 the redaction pattern `pattern-2` matches the empty text",
    ],
    ["is empty", "redact: { patterns: [''] }", "1:22 `redact.patterns[0]`"],
    ["is a number", "redact: { patterns: [5] }", "1:22 `redact.patterns[0]` must be"],
    ["is missing", "redact: { patterns: [{ name: x }] }", "1:22 `redact.patterns[0].pattern`"],
    [
      "is named twice",
      "redact: { patterns: [{ name: x, pattern: a }, { name: x, pattern: b }] }",
      "1:47 the name `x` is given twice",
    ],
  ])("one that %s is a problem with its place", (_, text, problem) => {
    const [first, ...more] = problemsOf(loadText(text));
    expect(first?.startsWith(problem), first).toBe(true);
    expect(more).toEqual([]);
  });
});

it("our own rules can be switched off, and the user's stay", () => {
  const { redactor } = loaded(loadText("redact: { builtin: off, patterns: ['A[0-9]{3}'] }"));
  expect(redactor.text("password=hunter2-and-more A123")).toBe("password=hunter2-and-more [REDACTED:pattern-1]");
  expect(loaded(loadText("{}")).redactor.text("password=hunter2-and-more")).toBe("password=[REDACTED:password]");
});
