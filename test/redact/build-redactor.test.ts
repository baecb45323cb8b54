import * as re2 from "re2js";
import { describe, expect, it } from "vitest";
import { Secret } from "../../src/domain/secret.ts";
import { buildRedactor, type RedactorOptions } from "../../src/redact/build-redactor.ts";

async function problemsOf(options: Partial<RedactorOptions>) {
  const built = buildRedactor({ secrets: [], patterns: [], builtin: "on", engine: () => re2, ...options });
  return built.ok ? [] : built.problems;
}

describe("secrets", () => {
  it.each([
    ["of five bytes", "A", "12345", /fewer than 6 bytes/],
    ["of line breaks", "A", "1234\n\n\n\n", /fewer than 6 bytes/],
    ["of more than 64 KB", "A", "x".repeat(65537), /more than 65536 bytes/],
    ["that are a part of the marker", "A", "REDACTED", /occurs in the markers/],
    ["that are a rule's name", "A", "github-token", /occurs in the markers/],
    ["that are a part of their own name", "MY_SECRET_A", "SECRET", /occurs in the markers/],
    ["with a name that is no name", "A]", "123456", /name that can't stand in a marker/],
  ])("%s are refused", async (_, name, value, message) => {
    const [problem, ...more] = await problemsOf({ secrets: [{ name, value: new Secret(value) }] });
    expect(problem).toMatchObject({ subject: name, message: expect.stringMatching(message) });
    if (!name.includes(value)) expect(JSON.stringify(problem)).not.toContain(JSON.stringify(value));
    expect(more).toEqual([]);
  });

  it.each(["123456", "x".repeat(65536)])("on the other side of the border are taken", async (value) => {
    expect(await problemsOf({ secrets: [{ name: "A", value: new Secret(value) }] })).toEqual([]);
  });
});

describe("patterns", () => {
  it.each([
    ["that match nothing", "x*", /matches the empty text/],
    ["that match between characters", "\\b", /matches the empty text/],
    ["that can't be read", "(a", /can't be read: missing closing \)/],
    ["that look ahead", "(?=a)b", /can't be read/],
    ["that refer back", "(a)\\1", /can't be read/],
    ["that are too long", "a".repeat(1001), /longer than 1000 characters/],
    ["that are too complex", ".{1,1000}x", /too complex/],
  ])("%s are refused", async (_, pattern, message) => {
    expect(await problemsOf({ patterns: [{ name: "p", pattern }] })).toEqual([
      { kind: "pattern", subject: "p", message: expect.stringMatching(message), hint: expect.any(String) },
    ]);
  });

  it("with a name that is no name are refused", async () => {
    expect(await problemsOf({ patterns: [{ name: "a b", pattern: "x" }] })).toHaveLength(1);
  });

  it("are all judged, and the secrets too", async () => {
    const patterns = [
      { name: "one", pattern: "(" },
      { name: "two", pattern: "fine" },
      { name: "three", pattern: "y?" },
    ];
    const problems = await problemsOf({ patterns, secrets: [{ name: "S", value: new Secret("1") }] });
    expect(problems.map(({ subject }) => subject)).toEqual(["S", "one", "three"]);
  });
});
