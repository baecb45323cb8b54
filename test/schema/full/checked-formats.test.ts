import { expect, it } from "vitest";
import type { JsonValue } from "../../../src/domain/json.ts";
import { fullCheck } from "../../../src/schema/full/full-check.ts";

const rulesOf = (format: string, value: JsonValue): readonly string[] =>
  fullCheck({ format })(value).map(({ rule }) => rule);

it.each<[format: string, good: JsonValue, bad: JsonValue]>([
  ["date", "2024-02-29", "2023-02-29"],
  ["time", "23:59:60Z", "24:00:00Z"],
  ["date-time", "2024-01-01T00:00:00Z", "2024-01-01"],
  ["duration", "P1DT2H", "P"],
  ["email", "a.b@example.com", "a@b@c"],
  ["hostname", "a-b.example", "-a.example"],
  ["ipv4", "127.0.0.1", "127.0.0.256"],
  ["ipv6", "::1", "1::2::3"],
  ["uri", "https://example.com/a?b#c", "/a"],
  ["uri-reference", "/a", "\\a"],
  ["uri-template", "/a/{b}", "/a/{b"],
  ["uuid", "123e4567-e89b-12d3-a456-426614174000", "123e4567"],
  ["json-pointer", "/a/~0", "a"],
  ["relative-json-pointer", "1/a", "/a"],
  ["regex", "(a|b)", "(a|b"],
  ["int32", 2 ** 31 - 1, 2 ** 31],
])("%s", (format, good, bad) => {
  expect(rulesOf(format, good)).toEqual([]);
  expect(rulesOf(format, bad)).toEqual(["format"]);
  expect(rulesOf(format, null)).toEqual([]);
});

it.each(["url", "byte", "uint8", "color", "constructor"])("reads over `%s`, as over any other word", (format) =>
  expect(rulesOf(format, "\n")).toEqual([]),
);

const LONG = 100_000;

/** A quadratic expression would not come back from these. */
it.each<[format: string, ...parts: [start: string, run: string, end: string]]>([
  ["date-time", "", "t", ""],
  ["time", "11:11:11.", "1", "x"],
  ["duration", "P", "1", ""],
  ["duration", "PT", "1", "x"],
  ["email", "", "a.", ""],
  ["email", "a@", "a", "!"],
  ["email", "a@", "a-", ""],
  ["hostname", "", "a-", ""],
  ["hostname", "", "a.", "!"],
  ["ipv6", "", "1:", ""],
  ["uri", "a:", "a", "\\"],
  ["uri", "a://", "a:", "\\"],
  ["uri", "a://", "a@", "\\"],
  ["uri", "a:/", "a/", "\\"],
  ["uri", "a://", "1.", "\\"],
  ["uri-reference", "//", "%aa", "\\"],
  ["uri-reference", "", "a/", "\\"],
  ["uri-template", "{", "a,", ""],
  ["uri-template", "", "{a", ""],
  ["json-pointer", "", "/a", "~"],
  ["regex", "", "(", ""],
])("%s stands a long run: %s%s…%s", (format, start, run, end) =>
  expect(rulesOf(format, start + run.repeat(LONG) + end)).toEqual(["format"]),
);

it("does not look at a text of any length", () =>
  expect(rulesOf("email", "a".repeat(10_000_000))).toEqual(["max_work"]));
