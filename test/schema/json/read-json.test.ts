import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LIMITS } from "../../../src/domain/limits.ts";
import { readJson, readJsonBytes } from "../../../src/schema/json/read-json.ts";
import { withCorpus } from "../../support/parts.ts";

const errorOf = (text: string): string | null => {
  const reading = readJson(text);
  return reading.ok ? null : `${reading.error.line}:${reading.error.column} ${reading.error.message}`;
};

const valueIn = (text: string): unknown => {
  const reading = readJson(text);
  if (!reading.ok) throw new Error(reading.error.message);
  return reading.value;
};

describe("what is JSON and refused all the same", () => {
  it.each<[text: string, error: string]>([
    ['{"a": 1, "b": 2, "a": 3}', "1:18 the name `a` stands twice in one object"],
    ['{"a": 1, "\\u0061": 3}', "1:10 the name `a` stands twice in one object"],
    ['{"x": [{"a": 1}, {"a": 1, "a": 1}]}', "1:27 the name `a` stands twice in one object"],
    ['{"__proto__": {}}', "1:2 the name `__proto__` is not allowed"],
    ['{"\\u005f_proto__": {}}', "1:2 the name `__proto__` is not allowed"],
    ["1e400", "1:1 a number too large for JSON's readers"],
    ["[-1e400]", "1:2 a number too large for JSON's readers"],
    ["9".repeat(400), "1:1 a number too large for JSON's readers"],
    ["9007199254740992", "1:1 an integer beyond 2^53, which would lose digits; send it as a string"],
    ["[1, -9007199254740993]", "1:5 an integer beyond 2^53, which would lose digits; send it as a string"],
    ["\ufeff{}", "1:1 a byte order mark, which JSON does not begin with"],
    ['"\ud800"', "1:2 half of a surrogate pair, which is no character"],
    ['"😀\udc00"', "1:3 half of a surrogate pair, which is no character"],
    ['"ab\\ud800"', "1:4 half of a surrogate pair, which is no character"],
    ['"\\n\\uD83D\\n"', "1:4 half of a surrogate pair, which is no character"],
    ['"\\uDE00\\uD83D"', "1:2 half of a surrogate pair, which is no character"],
    ['{"\\udc00": 1}', "1:3 half of a surrogate pair, which is no character"],
  ])("%j", (text, error) => expect(errorOf(text)).toBe(error));
});

describe("its neighbours, which are taken", () => {
  it.each<[text: string, value: unknown]>([
    ['{"a": {"a": 1}, "b": [{"a": 1}]}', { a: { a: 1 }, b: [{ a: 1 }] }],
    ['{"a": 1, "A": 2, "\u00e1": 3, "a\u0301": 4}', { a: 1, A: 2, "\u00e1": 3, "a\u0301": 4 }],
    ['{"_proto_": 1, "constructor": 2, "prototype": 3}', { _proto_: 1, constructor: 2, prototype: 3 }],
    ["1.7976931348623157e308", 1.7976931348623157e308],
    ["1e-400", 0],
    ["9007199254740991", 9007199254740991],
    ["-9007199254740991", -9007199254740991],
    ["9007199254740993.0", 9007199254740992],
    ["123e65", 123e65],
    ['"\\ud83d\\ude00 \\uD83D\\uDE00 😀"', "😀 😀 😀"],
    ['"\\\\ud800"', "\\ud800"],
    ['"a\\u0000b\\ufeff"', "a\0b\ufeff"],
    ['"\\\\"', "\\"],
    ['"\\\\\\""', '\\"'],
    [' \t\r\n{ "a" : [ ] , "b" : { } }\n', { a: [], b: {} }],
  ])("%j", (text, value) => expect(valueIn(text)).toEqual(value));

  it.each(["-0", "-0.0", "-0e5", "-1e-400"])("%s is 0, as its canonical form says", (text) =>
    expect(Object.is(valueIn(text), 0)).toBe(true),
  );

  it("has ordinary prototypes and own members only", () => {
    const value = valueIn('{"a": {"constructor": {"prototype": {"polluted": 1}}}}') as { a: object };
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(Object.getPrototypeOf(value.a)).toBe(Object.prototype);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });
});

describe("what is not JSON", () => {
  it.each<[text: string, error: string]>([
    ["", "1:1 a value is expected, not the end of the text"],
    ["{} x", "1:4 `x` after the end of the value"],
    ['{"a": 1}\n{"b": 2}', "2:1 `{` after the end of the value"],
    ["{}\0", "1:3 `\\u{0}` after the end of the value"],
    ["nul", "1:1 a value is expected, not `n`"],
    ["trUe", "1:1 a value is expected, not `t`"],
    ["[fals]", "1:2 a value is expected, not `f`"],
    ["[1,]", "1:4 a value is expected, not `]`"],
    ["[1 2]", "1:4 `]` or `,` is expected, not `2`"],
    ['{"a" 1}', "1:6 `:` is expected, not `1`"],
    ['{"a": 1 "b": 2}', '1:9 `}` or `,` is expected, not `"`'],
    ["{a: 1}", "1:2 a name in double quotes is expected, not `a`"],
    ['{"a": 1,}', "1:9 a name in double quotes is expected, not `}`"],
    ["{😀: 1}", "1:2 a name in double quotes is expected, not `😀`"],
    ["[", "1:2 a value is expected, not the end of the text"],
    ['"abc', "1:1 a string begins here and is not closed"],
    ['"abc\\"', "1:1 a string begins here and is not closed"],
    ['"a\nb"', "1:3 a control character, which has to be escaped"],
    ['"\\n\0"', "1:4 a control character, which has to be escaped"],
    ['"a\\x"', "1:3 an unknown escape"],
    ['"\\u12g4"', "1:2 an unknown escape"],
    ['"\\N"', "1:2 an unknown escape"],
    ['"\\uD83Dzz"', "1:2 half of a surrogate pair, which is no character"],
    ['"\\uD8zz\\uDE00"', "1:2 an unknown escape"],
    ['"\\uD83D\\uDEzz"', "1:2 half of a surrogate pair, which is no character"],
    ['"\\uD83D\\u', "1:1 a string begins here and is not closed"],
    ["01", "1:2 `1` after the end of the value"],
    ["1.", "1:2 `.` after the end of the value"],
    ["1e+", "1:2 `e` after the end of the value"],
    ["+1", "1:1 a value is expected, not `+`"],
    ["-", "1:1 a value is expected, not `-`"],
    [".5", "1:1 a value is expected, not `.`"],
    ["NaN", "1:1 a value is expected, not `N`"],
    ["\u00a01", "1:1 a value is expected, not `\\u{a0}`"],
    ["'a'", "1:1 a value is expected, not `'`"],
  ])("%j", (text, error) => expect(errorOf(text)).toBe(error));

  it("counts lines by line feeds, columns by characters and the offset by UTF-16 units", () => {
    const reading = readJson('{"😀":\r\n "😀" x}');
    expect(reading).toMatchObject({ ok: false, error: { line: 2, column: 6, offset: 14 } });
  });
});

describe("limits", () => {
  const nested = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);

  it.each<[what: string, good: string, bad: string, message: string]>([
    ["depth", nested(256), nested(257), "nested more than 256 deep"],
    ["values", `[${"0,".repeat(249_998)}0]`, `[${"0,".repeat(249_999)}0]`, "more than 250000 values"],
  ])("%s", (_, good, bad, message) => {
    expect(readJson(good).ok).toBe(true);
    expect(readJson(bad)).toMatchObject({ ok: false, error: { message } });
  });

  it("bytes, which are not characters", () => {
    expect(readJson('"éé"', { bytes: 6 }).ok).toBe(true);
    expect(readJson('"ééé"', { bytes: 6 })).toMatchObject({ error: { message: "the text has more than 6 bytes" } });
    expect(readJsonBytes(Buffer.from('"éé"'), { bytes: 6 }).ok).toBe(true);
    expect(readJsonBytes(Buffer.from('"ééé"'), { bytes: 6 }).ok).toBe(false);
    expect(readJsonBytes(new Uint8Array(LIMITS.jsonBytes.default + 1)).ok).toBe(false);
  });

  it("stops at the limit, however much follows", () => {
    expect(errorOf("[".repeat(1e6))).toBe("1:257 nested more than 256 deep");
    expect(errorOf(`{${Array.from({ length: 1e6 }, (_, i) => `"${i}":0`)}}`)).toMatch(/more than 250000 values$/);
  });

  it("takes the largest content that can be written, with its escapes", () => {
    const content = 'const a = "b";\n'.repeat(LIMITS.writeBytes.maximum / 16);
    expect(valueIn(JSON.stringify({ content }))).toEqual({ content });
  });
});

it("does not take a mistake of ours for one in the text", () =>
  expect(() => readJson("[]", { values: Symbol("no number") as unknown as number })).toThrow(TypeError));

describe("bytes", () => {
  it("has to be UTF-8, and says where it is not", () => {
    expect(readJsonBytes(Buffer.from('{"é": 1}'))).toEqual({ ok: true, value: { é: 1 } });
    const bad = Buffer.concat([Buffer.from('{\n"é\ufffd'), Buffer.from([0xef, 0xbf, 0x22])]);
    expect(readJsonBytes(bad)).toMatchObject({ error: { message: "bytes that are not UTF-8", line: 2, column: 4 } });
  });

  it("has no byte order mark", () => expect(readJsonBytes(Buffer.from("\ufeff{}")).ok).toBe(false));
});

/** Where this reader is stricter than `JSON.parse`. */
const STRICTER = /stands twice|__proto__|too large|beyond 2\^53|surrogate|byte order mark|nested more|more than/;

function expectLikeParse(text: string): void {
  const reading = readJson(text);
  const parsed = parse(text);
  if (reading.ok) expect(reading.value).toEqual(withoutNegativeZero(parsed));
  else if (!STRICTER.test(reading.error.message)) expect(parsed).toBeUndefined();
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const withoutNegativeZero = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_, inner) => (inner === 0 ? 0 : inner));

describe("against JSON.parse", () => {
  it("reads what any value is written as", () =>
    void fc.assert(
      fc.property(fc.jsonValue({ stringUnit: "binary" }), fc.nat(3), (value, indent) =>
        expectLikeParse(JSON.stringify(value, null, indent)),
      ),
    ));

  it("says the same of texts that are nearly JSON", () => {
    const pieces = [
      "{",
      "}",
      "[",
      "]",
      ":",
      ",",
      '"a"',
      '"\\u0061"',
      '"',
      "\\",
      "1",
      "-0",
      "1e5",
      ".5",
      "true",
      " ",
      "\n",
    ];
    const text = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((parts) => parts.join(""));
    void fc.assert(fc.property(text, expectLikeParse), { numRuns: 5000 });
  });

  it("says the same of damaged JSON", () => {
    const damaged = fc
      .tuple(fc.json(), fc.nat(), fc.nat(), fc.string({ maxLength: 2 }))
      .map(([text, at, length, put]) => {
        const start = at % (text.length + 1);
        return text.slice(0, start) + put + text.slice(start + (length % 3));
      });
    void fc.assert(fc.property(damaged, expectLikeParse), { numRuns: 2000 });
  });
});

withCorpus<{ name: string; expect: string; base64: string }>("json_parsing.jsonl")("the JSON test suite", (cases) => {
  it.each(cases)("$expect $name", ({ expect: verdict, base64 }) => {
    const { ok } = readJsonBytes(Buffer.from(base64, "base64"));
    if (verdict === "accept" || verdict === "reject") expect(ok).toBe(verdict === "accept");
  });
});

withCorpus<{ text: string }>("blns.jsonl")("naughty strings", (cases) => {
  it.each(cases.filter(({ text }) => text.isWellFormed()))("$text comes back", ({ text }) => {
    const value = { text, [`n${text}`]: [text] };
    expect(valueIn(JSON.stringify(value))).toEqual(value);
  });
});
