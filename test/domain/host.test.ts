import { describe, expect, it } from "vitest";
import { hostFromParsed, hostInUrl, isLocalHost } from "../../src/domain/host.ts";
import { isCanonicalHost } from "../../src/rules/connect-pattern.ts";

const hostOf = (url: string) => hostFromParsed(new URL(url).hostname);

it.each([
  ["http://Example.COM/", "example.com"],
  ["http://example.com./", "example.com"],
  ["http://127.0.0.1./", "127.0.0.1"],
  ["http://0x7f.1/", "127.0.0.1"],
  ["http://017700000001/", "127.0.0.1"],
  ["http://2130706433/", "127.0.0.1"],
  ["http://0/", "0.0.0.0"],
  ["http://①②⑦.0.0.1/", "127.0.0.1"],
  ["http://[::ffff:127.0.0.1]/", "127.0.0.1"],
  ["http://[0:0::1]/", "::1"],
  ["http://bücher.example/", "xn--bcher-kva.example"],
  ["http://ⓔⓧⓐⓜⓟⓛⓔ.ⓒⓞⓜ/", "example.com"],
  ["http://ex%61mple.com/", "example.com"],
  ["http://a_b.example/", "a_b.example"],
  [`http://${"a".repeat(63)}.example/`, `${"a".repeat(63)}.example`],
])("%s leads to %s, which rules can speak about", (url, host) => {
  expect(hostOf(url)).toBe(host);
  expect(isCanonicalHost(host)).toBe(true);
});

describe("no connection can name", () => {
  it.each([
    ...["http://a..b/", "http://example.com../", "http://./", "http://a!b/", "http://*/", "http://a$b/", "http://(a)/"],
    ...[`http://${"a".repeat(64)}.example/`, `http://${"a.".repeat(127)}example/`, "http://a,b/", "http://a&b/"],
  ])("%s", (url) => expect(hostOf(url)).toBeNull());
});

it.each([
  ["localhost", true],
  ["a.localhost", true],
  ["xlocalhost", false],
  ["localhost.example", false],
  ["127.0.0.1", true],
  ["169.254.169.254", true],
  ["::1", true],
  ["8.8.8.8", false],
  ["2606:4700::1111", false],
  ["example.com", false],
])("%s is local: %s", (host, isLocal) => expect(isLocalHost(host)).toBe(isLocal));

it("puts brackets where URLs have them", () =>
  expect(["::1", "1.2.3.4", "a.example"].map(hostInUrl)).toEqual(["[::1]", "1.2.3.4", "a.example"]));
