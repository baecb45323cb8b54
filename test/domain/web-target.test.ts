import { describe, expect, it } from "vitest";
import { authorityFrom, hostHeader, originOf, URL_LENGTH_MAX, webUrlFrom } from "../../src/domain/web-target.ts";

const hrefOf = (text: string, base?: string) => {
  const parsed = webUrlFrom(text, base);
  return parsed.ok ? parsed.value.href : parsed.because;
};

it.each([
  ["http://example.com", "http://example.com/"],
  ["HTTPS://Example.com:443/a?b#c", "https://example.com/a?b"],
  ["http://example.com:80", "http://example.com/"],
  ["http://example.com:8080/x", "http://example.com:8080/x"],
  ["https://example.com:80/", "https://example.com:80/"],
  ["http://[0::1]:81/", "http://[::1]:81/"],
  ["http://[::ffff:7f00:1]/", "http://127.0.0.1/"],
  ["http://2130706433/@x", "http://127.0.0.1/@x"],
  ["http://example.com./?a=@b", "http://example.com/?a=@b"],
  [`http://a.example/${"x".repeat(URL_LENGTH_MAX - 17)}`, `http://a.example/${"x".repeat(URL_LENGTH_MAX - 17)}`],
])("%s is asked for as %s", (text, href) => expect(hrefOf(text)).toBe(href));

it("a reference is read from its page", () => {
  expect(hrefOf("../b?c", "http://a.example/x/y/z")).toBe("http://a.example/x/b?c");
  expect(hrefOf("//b.example/c", "https://a.example/")).toBe("https://b.example/c");
});

describe("is not asked for", () => {
  it.each([
    ["", "it is no URL"],
    ["example.com", "it is no URL"],
    ["/a", "it is no URL"],
    ["http://", "it is no URL"],
    ["http://a b/", "it holds a blank, a backslash or a control character"],
    ["http://a.example/\r\nHost: b", "it holds a blank, a backslash or a control character"],
    ["http://a.example\\@b.example/", "it holds a blank, a backslash or a control character"],
    ["http://a.example/\ud800", "it holds a blank, a backslash or a control character"],
    ["http://a.example:0/", "no server listens on port 0"],
    ["http://a.example:65536/", "it is no URL"],
    ["http://[fe80::1%25eth0]/", "it is no URL"],
    ["http://a:b@c.example/", "it holds a user name or password before its host"],
    ["http://a@c.example/", "it holds a user name or password before its host"],
    ["http://@c.example/", "it holds a user name or password before its host"],
    ["http://:@c.example/", "it holds a user name or password before its host"],
    ["http://a..b/", "it has no host that a connection can name"],
    ["file:///etc/passwd", "its scheme is `file`, and only `http` and `https` are spoken"],
    ["gopher://a.example/", "its scheme is `gopher`, and only `http` and `https` are spoken"],
    ["javascript:alert(1)", "its scheme is `javascript`, and only `http` and `https` are spoken"],
    [`http://a.example/${"x".repeat(URL_LENGTH_MAX - 16)}`, `it is longer than ${URL_LENGTH_MAX} characters`],
  ])("%j", (text, because) => expect(hrefOf(text)).toBe(because));
});

const authorityOf = (text: string) => {
  const parsed = authorityFrom(text);
  return parsed.ok ? `${parsed.value.host} ${parsed.value.port}` : null;
};

it.each([
  ["example.com:443", "example.com 443"],
  ["EXAMPLE.com.:1", "example.com 1"],
  ["[::1]:65535", "::1 65535"],
  ["[::ffff:127.0.0.1]:80", "127.0.0.1 80"],
  ["0x7f000001:80", "127.0.0.1 80"],
  ["bücher.example:443", "xn--bcher-kva.example 443"],
])("%s as a host and a port", (text, authority) => expect(authorityOf(text)).toBe(authority));

it.each([
  ...["example.com", "example.com:", "example.com:0", "example.com:65536", "example.com:080", ":443", "a:b:443"],
  ...["a@b.example:443", "http://a.example:443", "a.example/:443", "a.example\0.b:443", "a b:443", "a%2eb:443"],
  ...["[::1:443", "::1:443", "[::1%lo]:443", "a..b:443", "a?b:443", "a#b:443", "a\\b:443", "*:443", "[a]:443"],
])("%j is no host and port", (text) => expect(authorityOf(text)).toBeNull());

it("names the port only where it is not the scheme's own", () => {
  expect(originOf({ scheme: "https", host: "::1", port: 443 })).toBe("https://[::1]");
  expect(hostHeader({ scheme: "http", host: "a.example", port: 443 })).toBe("a.example:443");
});
