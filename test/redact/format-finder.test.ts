import { Buffer } from "node:buffer";
import { describe, expect, it } from "vitest";
import { FORMAT_RULES, FormatFinder } from "../../src/redact/format-finder.ts";
import { MATCH_BYTES_MAX } from "../../src/redact/format-rule.ts";
import { NAMED_VALUES, PUBLISHED, TOKENS } from "../../src/redact/gitleaks-rules.ts";
import { CONTEXT_CASES, VENDOR_CASES } from "./format-cases.ts";
import { made, redactorOf } from "./samples.ts";

const finder = new FormatFinder();
const rulesIn = (text: string): readonly string[] => finder.find(Buffer.from(text)).map(({ rule }) => rule);

const GENERATED: ReadonlySet<string> = new Set([...NAMED_VALUES, ...TOKENS].map(([id]) => id));

describe("shapes of vendors", () => {
  it.each(VENDOR_CASES)("$rule: $secret, and not $outside", ({ rule, secret, outside }) => {
    for (const text of [secret, `a ${secret} b`, `"${secret}"`, `(${secret})`, `x=${secret},y`])
      expect(rulesIn(text)).toContain(rule);
    expect(rulesIn(outside)).not.toContain(rule);
    expect(rulesIn(`word${secret}`)).not.toContain(rule);
  });
});

describe("secrets in context", () => {
  it.each(CONTEXT_CASES)("$rule: $secret, and not $outside", ({ rule, secret, outside }) => {
    expect(rulesIn(secret)).toContain(rule);
    expect(rulesIn(`text before\n${secret}\ntext behind`)).toContain(rule);
    expect(rulesIn(outside)).toEqual([]);
  });

  it("each rule of our own has a case", () => {
    const tried = new Set([...VENDOR_CASES, ...CONTEXT_CASES].map(({ rule }) => rule));
    expect(FORMAT_RULES.map(({ id }) => id).filter((id) => !tried.has(id) && !GENERATED.has(id))).toEqual([]);
  });
});

describe("rules of gitleaks", () => {
  const hex = (length: number) => made(length, "hex");

  it.each([
    ["adobe-client-id", `adobe_id = "${hex(32)}"`, `adobe_id = "${hex(31)}"`],
    ["algolia-api-key", `ALGOLIA_API_KEY=${hex(32)}`, `ALGOLIA=${hex(33)}`],
    ["atlassian-api-token", `JIRA_TOKEN: ${hex(24)}`, `jIrA_TOKEN: ${hex(25)}`],
    ["bitbucket-client-secret", `{"bitbucket": "${hex(64)}"}`, `{"bitbucket": ["${hex(64)}"]}`],
    ["clojars-api-token", `CLOJARS_${hex(60)}`, `CLOJARS_${hex(59)}`],
    ["dynatrace-api-token", `dt0c01.${hex(24)}.${hex(64)}`, `dt0c02.${hex(24)}.${hex(64)}`],
    ["infracost-api-token", `ico-${made(32)}`, `box.ico-${hex(32)}.png`],
    ["prefect-api-token", `pnu_${made(36)}`, `pnu_${made(35)}`],
    ["pulumi-api-token", `pul-${hex(40)}`, `repul-${hex(40)}`],
    ["shippo-api-token", `shippo_live_${hex(40)}`, `shippo_dead_${hex(40)}`],
    ["twitter-api-key", `twitter.key := '${hex(25)}'`, `twitter ${hex(25)}`],
  ])("%s: %s, and not %s", (rule, secret, outside) => {
    expect(rulesIn(secret)).toContain(rule);
    expect(rulesIn(`text before\n${secret}\ntext behind`)).toContain(rule);
    expect(rulesIn(outside)).not.toContain(rule);
  });

  it.each(NAMED_VALUES.map(([id, keywords, names]) => ({ id, keywords, names })))(
    "$id is tried where one of its names stands",
    ({ keywords, names }) => {
      const begins = new RegExp(`^(?:${names})`, "i");
      const ends = ["", "token", "_token", "key"];
      for (const keyword of keywords.split(" "))
        expect(
          ends.some((end) => begins.test(keyword + end) || names.includes(keyword)),
          keyword,
        ).toBe(true);
    },
  );

  it("takes no published example for a secret", () => {
    for (const value of PUBLISHED) expect(rulesIn(`api_key = "${value}"`), value).toEqual([]);
  });
});

describe("what is taken", () => {
  it.each([
    ["the value, not the name", "export API_KEY=0123abcd4567efgh # mine", "export API_KEY=[REDACTED:token] # mine"],
    ["the password of a URL only", "https://me:hunter2@h/p?q#f", "https://me:[REDACTED:url-password]@h/p?q#f"],
    ["no bracket of the text around", "f(password=hunter2)", "f(password=[REDACTED:password])"],
    ["brackets of the value", "password=2{hunter}", "password=[REDACTED:password]"],
    ["no next part of a query", "?token=0123abcd4567efgh&x=1", "?token=[REDACTED:token]&x=1"],
    ["all of a value with letters of any kind", "password=pässwörd1 ü", "password=[REDACTED:password] ü"],
    ["a long value whole", `token=${made(5000)} x`, "token=[REDACTED:token] x"],
    ["the name of the vendor rather than of the variable", `TOKEN=ghp_${made(36)}`, "TOKEN=[REDACTED:github-token]"],
    [
      "two on one line",
      "password=hunter2 token=0123abcd4567efgh",
      "password=[REDACTED:password] token=[REDACTED:token]",
    ],
  ])("is %s", async (_, text, expected) => {
    expect((await redactorOf()).redactText(text).text).toBe(expected);
  });
});

it("has no expression without a bound", () => {
  for (const { id, expression } of FORMAT_RULES) {
    const free = expression.source.replace(/\\.|\[(?:\\.|[^\]\\])*\]/g, () => "_").match(/[*+]|\{\d+,\}/g);
    expect(free, id).toBeNull();
  }
});

it("has no match that is longer than what a stream holds back", () => {
  const long = { key: `-----BEGIN PRIVATE KEY-----\n${`${made(64)}\n`.repeat(2000)}`, one: `token=${made(100_000)}` };
  for (const text of Object.values(long)) {
    for (const { start, end } of finder.find(Buffer.from(text))) expect(end - start).toBeLessThan(MATCH_BYTES_MAX);
  }
});
