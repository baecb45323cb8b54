import { describe, expect, it } from "vitest";
import { addressTouch } from "../../../src/tools/atip/address-touch.ts";
import { withCorpus } from "../../support/parts.ts";

const shortly = (address: string): string => {
  const touch = addressTouch(address);
  return touch.kind === "connect" ? `${touch.scheme} ${touch.host} ${touch.port}` : touch.kind;
};

describe("where a program is told to connect to", () => {
  it.each([
    ["https://example.com", "https example.com 443"],
    ["https://API.example.com./x?y=a@b#z", "https api.example.com 443"],
    ["http://example.com:8080/@someone", "http example.com 8080"],
    ["http://example.com?q=1#x", "http example.com 80"],
    ["wss://a_b.example", "wss a_b.example 443"],
    ["git://example.com/x.git", "git example.com 9418"],
    ["ssh://git@example.com/x.git", "ssh example.com 22"],
    ["ssh://example.com:2222/x.git", "ssh example.com 2222"],
    ["http://127.0.0.1:80/", "http 127.0.0.1 80"],
    ["http://[::1]/", "http ::1 80"],
    ["http://[0:0:0:0:0:0:0:1]/", "http ::1 80"],
    ["http://[::ffff:127.0.0.1]/", "http 127.0.0.1 80"],
  ])("%s", (address, expected) => expect(shortly(address)).toBe(expected));

  it.each([
    "https://good.example\\@evil.example/",
    "https://good.example@evil.example/",
    "https://user:password@evil.example",
    "https://@evil.example",
    "https:\\\\evil.example",
    "https:/evil.example",
    "https:evil.example",
    "https:///evil.example",
    "https://good.example\t.evil.example",
    "https://good.example\n",
    " https://good.example",
    "https://good.example\u0000.evil.example",
    "https://%65vil.example",
    "https://evil\u3002example",
    "https://\uff45vil.example",
    "https://b\u00fccher.example",
    "https://{good.example,evil.example}/",
    "https://good.example#@evil.example/",
    "https://good.example?@evil.example/",
    "https://good.example:443@evil.example/",
    "http://0x7f.1/",
    "http://2130706433/",
    "http://127.1/",
    "http://0177.0.0.1/",
    "http://[::1%25eth0]/",
    "http://good.example:0/",
    "http://good.example:99999/",
    "ssh://-oProxyCommand=x@example.com/",
    "ssh://a@b@example.com/",
    "ssh://git:x@example.com/",
    "ftp://anonymous@example.com/",
    "data:text/plain,x",
    "file:///etc/passwd",
    "mailto:a@example.com",
    "gopher://example.com/",
    "example.com",
    "",
  ])("can't be told of %j", (address) => expect(shortly(address)).toBe("unknown"));
});

interface Row {
  readonly url: string;
}

withCorpus<Row>("ssrf_urls.jsonl")("the SSRF corpus", (rows) => {
  it("is judged by the host that stands in it, in letters, or by none", () => {
    expect(rows.length).toBeGreaterThan(50);
    for (const { url } of rows) {
      const touch = addressTouch(url);
      if (touch.kind !== "connect") continue;
      // By another reading than the one that is tested: all up to the first of the three characters that end an authority.
      const [, authority = ""] = /^[a-z]+:\/\/([^/?#]*)/i.exec(url) ?? [];
      expect(authority, url).not.toMatch(/[@\\\s%]/);
      if (!authority.startsWith("["))
        expect(authority.toLowerCase().replace(/:\d+$/, "").replace(/\.$/, ""), url).toBe(touch.host);
    }
  });
});
