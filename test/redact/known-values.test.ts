import { Buffer } from "node:buffer";
import { describe, expect, it } from "vitest";
import { formsOf } from "../../src/redact/known-forms.ts";
import { KnownValues } from "../../src/redact/known-values.ts";
import { made, namedSecrets, PRIVATE_KEY, redactorOf, streamed } from "./samples.ts";

describe("formsOf", () => {
  it("gives one form for each way in which a plain value is written", () => {
    expect([...formsOf("plainvalue12", "line")].toSorted()).toEqual([
      "%70%6C%61%69%6E%76%61%6C%75%65%31%32",
      "%70%6c%61%69%6e%76%61%6c%75%65%31%32",
      "706C61696E76616C75653132",
      "706c61696e76616c75653132",
      "AAbABhAGkAbgB2AGEAbAB1AGUAMQAy",
      "BsYWludmFsdWUxM",
      "cABsAGEAaQBuAHYAYQBsAHUAZQAxAD",
      "cGxhaW52YWx1ZTEy",
      "p\0l\0a\0i\0n\0v\0a\0l\0u\0e\x001\x002",
      "plainvalue12",
      "wAGwAYQBpAG4AdgBhAGwAdQBlADEAM",
      "wbGFpbnZhbHVlMT",
    ]);
  });

  it.each([
    ["S7: \\u", "ab/", "\\u0061\\u0062\\u002f"],
    ["S7: \\u, upper case", "ab/", "\\u0061\\u0062\\u002F"],
    ["S7: \\u inside of JSON", "ab/", "\\\\u0061\\\\u0062\\\\u002f"],
    ["S7: \\u of two halves", "a𝒳", "\\u0061\\ud835\\udcb3"],
    ["S7: \\u{}", "a𝒳", "\\u{61}\\u{1d4b3}"],
    ["S7: \\x", "aü", "\\x61\\xc3\\xbc"],
    ["S7: octal", "aü", "\\141\\303\\274"],
    ["S7: decimal references", "aü", "&#97;&#252;"],
    ["S7: hexadecimal references", "a/", "&#x61;&#x2f;"],
    ["S7: padded references", "a/", "&#x0061;&#x002F;"],
    ["S7: hexadecimal with colons", "ab/", "61:62:2F"],
    ["S7: an array of bytes", "ab/", "61, 0x62, 0x2f"],
    ["JSON", 'a"b\\c/d', 'a\\"b\\\\c/d'],
    ["JSON in JSON", 'a"b\\c/d', 'a\\\\\\"b\\\\\\\\c/d'],
    ["JSON with slashes escaped", "ab/cd/ef", "ab\\/cd\\/ef"],
    ["JSON in ASCII", "schlüssel", "schl\\u00fcssel"],
    ["JSON for HTML", "a<b&c>d", "a\\u003cb\\u0026c\\u003ed"],
    ["HTML", "a<b&c>d", "a&lt;b&amp;c&gt;d"],
    ["URL", "a/b c+d", "a%2Fb%20c%2Bd"],
    ["URL in lower case", "a/b c+d", "a%2fb%20c%2bd"],
    ["URL path", "a/b c+d", "a/b%20c%2Bd"],
    ["form", "a/b c+d", "a%2Fb+c%2Bd"],
  ])("knows %s", (_, value, form) => expect([...formsOf(value)]).toContain(form));
});

describe("known values", () => {
  const redacted = async (values: Readonly<Record<string, string>>, text: string) =>
    (await redactorOf({ secrets: namedSecrets(values), builtin: "off" })).redactText(text).text;

  it("are found everywhere", async () => {
    expect(await redacted({ A: "first-value" }, "first-value, first-value!")).toBe("[REDACTED:A], [REDACTED:A]!");
  });

  it.each(["first-value", "schlüssel-12", "ключ-тайна", "日本語のかぎ", "Ċč-line-feeds"])(
    "are found in UTF-16, in both orders of bytes, and in Base64 of it: %s",
    async (value) => {
      const redactor = await redactorOf({ secrets: namedSecrets({ A: value }), builtin: "off" });
      for (const before of ["", "x", "Ж=", "abc"]) {
        const little = Buffer.from(`${before}${value} z`, "utf16le");
        for (const bytes of [little, Buffer.from(little).swap16()]) {
          expect(Buffer.from(redactor.redactBytes(bytes).bytes).toString("latin1")).toContain("[REDACTED:A]");
          expect(redactor.redactText(bytes.toString("base64")).text).toContain("[REDACTED:A]");
        }
      }
    },
  );

  it("are left alone where one character differs", async () => {
    expect(await redacted({ A: "first-value" }, "first-valve")).toBe("first-valve");
  });

  it("are named by the longest that begins there", async () => {
    expect(await redacted({ A: "abcdef", B: "abcdefgh" }, "abcdefgh abcdef")).toBe("[REDACTED:B] [REDACTED:A]");
  });

  it("are covered whole where they overlap", async () => {
    expect(await redacted({ A: "abcdef", B: "efghij" }, "-abcdefghij-")).toBe("-[REDACTED:A]-");
  });

  it("are not expanded as a replacement pattern", async () => {
    expect(await redacted({ A: "$&$1$'$`" }, "x$&$1$'$`y")).toBe("x[REDACTED:A]y");
  });

  it("are found over line breaks, but not over a blank line", async () => {
    expect(await redacted({ A: "first-value" }, "fir\r\nst-va\nlue")).toBe("[REDACTED:A]");
    expect(await redacted({ A: "first-value" }, "first-\n\n\nvalue")).toBe("first-\n\n\nvalue");
    const long = made(50);
    const [head, tail] = [long.slice(0, 40), long.slice(40)];
    expect(await redacted({ A: long }, `${head}\r\n${tail}`)).toBe("[REDACTED:A]");
    expect(await redacted({ A: long }, `${head}\n\n\n${tail}`)).toBe(`${head}\n\n\n${tail}`);
    expect(await redacted({ A: "first-\n\n\nvalue" }, "first-\n\n\nvalue")).toBe("[REDACTED:A]");
  });

  it("of several lines are found line by line", async () => {
    const lines = PRIVATE_KEY.split("\n");
    const indented = lines.map((line) => `    ${line}`).join("\n");
    const shown = await redacted({ KEY: PRIVATE_KEY }, `${lines[3]}\n---\n${indented}`);
    for (const line of lines.slice(1, 10)) expect(shown).not.toContain(line.slice(0, 12));
    expect(shown).toContain("-----BEGIN PRIVATE KEY-----"); // the frame by itself is in every key file
  });

  it("of several lines are one marker where they stand whole", async () => {
    expect(await redacted({ KEY: PRIVATE_KEY }, `<${PRIVATE_KEY.trim()}>`)).toBe("<[REDACTED:KEY]>");
    expect(await redacted({ KEY: PRIVATE_KEY }, `<${PRIVATE_KEY.trim().replaceAll("\n", "\r\n")}>`)).toBe(
      "<[REDACTED:KEY]>",
    );
  });

  it("are held back only while they may go on", () => {
    const known = new KnownValues(namedSecrets({ A: made(50) }));
    const settled = (text: string) => known.find(Buffer.from(text), "more-may-follow").settled;
    expect(settled("nothing of it")).toBe(13);
    expect(settled(`text ${made(50).slice(0, 7)}`)).toBe(5);
    expect(settled(`text ${made(50).slice(0, 40)}`)).toBe(5);
    expect(settled(`text ${made(50).slice(0, 40)}!`)).toBe(46);
  });

  it("do not hold back an endless stream of what could be their start", async () => {
    const redactor = await redactorOf({ secrets: namedSecrets({ A: "abababab" }), builtin: "off" });
    const stream = redactor.redactStream();
    let out = 0;
    for (let pushed = 0; pushed < 1000; pushed++) out += stream.push(Buffer.from("abababababab")).length;
    expect(out).toBeGreaterThan(0);
    expect(stream.end().length).toBeLessThan(100);
    expect(streamed(redactor, Buffer.from("ab".repeat(500)), [3]).toString()).toBe("[REDACTED:A]");
  });
});
