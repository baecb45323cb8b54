import { describe, expect, it } from "vitest";
import { compileConnectPattern, isCanonicalHost } from "../../src/rules/connect-pattern.ts";

it.each<[pattern: string, inside: readonly string[], outside: readonly string[]]>([
  [
    "example.com:443",
    ["example.com:443"],
    ["example.com:80", "x.example.com:443", "example.com.evil:443", "xexample.com:443"],
  ],
  ["example.com:*", ["example.com:443", "example.com:1"], ["x.example.com:443"]],
  [
    "*.example.com:443",
    ["a.example.com:443", "a.b.example.com:443"],
    ["example.com:443", "evilexample.com:443", "a.example.com:80"],
  ],
  ["**.example.com:443", ["example.com:443", "a.b.example.com:443"], ["evilexample.com:443", "example.com.evil:443"]],
  ["*:443", ["example.com:443", "1.2.3.4:443", "::1:443"], ["example.com:80"]],
  ["*:*", ["example.com:443", "::1:1"], []],
  ["127.0.0.1:7420", ["127.0.0.1:7420"], ["127.0.0.11:7420", "x.127.0.0.1:7420"]],
  ["[::1]:443", ["::1:443"], ["::11:443", "::1:44"]],
  ["[2001:db8::]:1", ["2001:db8:::1"], []],
  ["localhost:65535", ["localhost:65535"], ["localhost:6553"]],
])("%s", (pattern, inside, outside) => {
  const compiled = compileConnectPattern(pattern);
  if ("error" in compiled) throw new Error(compiled.error);
  expect(inside.filter((subject) => !compiled.matches(subject))).toEqual([]);
  expect(outside.filter((subject) => compiled.matches(subject))).toEqual([]);
});

describe("refuses", () => {
  it.each(["example.com", "", "example.com:", "example.com:0", "example.com:65536", "example.com:https", "a:-1"])(
    "%s, which has no port",
    (pattern) =>
      expect(compileConnectPattern(pattern)).toEqual({
        error: `the connection \`${pattern}\` does not end in a port`,
        hint: "write `example.com:443`, or `example.com:*` for every port",
      }),
  );

  it.each([
    ...["Example.com:443", ":443", "*example.com:443", "a.*.com:443", "**:443", "*.:443", "*.1.2.3.4:443"],
    ...["https://example.com:443", "a b:443", "example.com.:443", "bücher.example:443", "[x]:443"],
  ])("%s, which has no host", (pattern) =>
    expect(compileConnectPattern(pattern)).toMatchObject({
      error: `the connection \`${pattern}\` has no host that a connection can name`,
    }),
  );

  it.each([
    ["[0:0::1]:443", "[::1]:443"],
    ["[::ffff:127.0.0.1]:443", "127.0.0.1:443"],
    ["[2001:db8:0::]:*", "[2001:db8::]:*"],
  ])("%s, an address that touches spell as %s", (pattern, right) =>
    expect(compileConnectPattern(pattern)).toEqual({
      error: `the connection \`${pattern}\` spells its address in another way than connections do`,
      hint: `write \`${right}\``,
    }),
  );

  it.each(["999.1.1.1:443", "1.2.3:443", "01.2.3.4:443"])("%s, which is neither a name nor an address", (pattern) =>
    expect(compileConnectPattern(pattern)).toMatchObject({ error: expect.stringContaining("no host") }),
  );

  it("an address without brackets, which may be an address alone", () =>
    expect(compileConnectPattern("::1:443")).toEqual({
      error: "the connection `::1:443` has an address without brackets",
      hint: "write `[::1]:443`",
    }));
});

it.each<[host: string, canonical: boolean]>([
  ["example.com", true],
  ["a_b.example", true],
  ["1.2.3.4", true],
  ["::1", true],
  ["fe80::1", true],
  ["EXAMPLE.com", false],
  ["example.com.", false],
  ["", false],
  ["a..b", false],
  ["1234", false],
  ["bücher.example", false],
  [`${"a".repeat(249)}.com`, true],
  [`${"a".repeat(250)}.com`, false],
])("%s is canonical: %s", (host, canonical) => expect(isCanonicalHost(host)).toBe(canonical));
