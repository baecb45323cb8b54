import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "../../src/domain/canonical-json.ts";

describe("canonicalJson, by RFC 8785", () => {
  it("writes the example of section 3.2.2 as section 3.2.3 has it", () => {
    const example = String.raw`{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
      "literals": [null, true, false]
    }`;
    expect(canonicalJson(JSON.parse(example))).toBe(
      `{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],` +
        String.raw`"string":"€$\u000f\nA'B\"\\\\\"/"}`,
    );
  });

  it("sorts by UTF-16 units, not by code points: section 3.2.3", () => {
    const keys = ["\u20ac", "\r", "\ufb33", "1", "\ud83d\ude00", "\u0080", "\u00f6"];
    const members = Object.fromEntries(keys.map((key, i) => [key, i]));
    expect(Object.keys(JSON.parse(canonicalJson(members)))).toEqual([
      "1",
      "\r",
      "\u0080",
      "\u00f6",
      "\u20ac",
      "\ud83d\ude00",
      "\ufb33",
    ]);
    expect(canonicalJson({ b: 1, a: { d: 2, c: 3 } })).toBe('{"a":{"c":3,"d":2},"b":1}');
    expect(canonicalJson({ 10: 0, 9: 0, "": 0 })).toBe('{"":0,"10":0,"9":0}');
  });

  it.each([
    [0, "0"],
    [-0, "0"],
    [5e-324, "5e-324"],
    [-5e-324, "-5e-324"],
    [1.7976931348623157e308, "1.7976931348623157e+308"],
    [9007199254740992, "9007199254740992"],
    [-9007199254740992, "-9007199254740992"],
    [295147905179352830000, "295147905179352830000"],
    [9.999999999999997e22, "9.999999999999997e+22"],
    [1e23, "1e+23"],
    [1e21, "1e+21"],
    [999999999999999900000, "999999999999999900000"],
    [1e-6, "0.000001"],
    [1e-7, "1e-7"],
    [333333333.3333332, "333333333.3333332"],
    [1424953923781206.2, "1424953923781206.2"],
  ])("writes the number %d as %s: appendix B", (number, text) => {
    expect(canonicalJson(number)).toBe(text);
  });

  it.each([
    ["\b\t\n\f\r", String.raw`"\b\t\n\f\r"`],
    ["\u0000\u001f", String.raw`"\u0000\u001f"`],
    ["\u007f\u2028/<", '"\u007f\u2028/<"'],
    ['"\\', String.raw`"\"\\"`],
    ["\ud83d\ude00", '"\ud83d\ude00"'],
  ])("escapes what it must and no more: %j", (text, written) => {
    expect(canonicalJson(text)).toBe(written);
  });

  it.each([
    ["a lone surrogate", "\ud800"],
    ["one the wrong way round", "\ude00\ud83d"],
    ["one in a member's name", { "\udead": 1 }],
    ["one deep inside", [{ a: ["\ud800"] }]],
    ["infinity", Number.POSITIVE_INFINITY],
    ["not a number", [Number.NaN]],
    ["a bigint", 1n],
    ["a function", () => 0],
    ["undefined", undefined],
    ["undefined in a list", [undefined]],
  ])("refuses %s", (_, value) => {
    expect(() => canonicalJson(value)).toThrow(TypeError);
  });

  it("leaves out members that are undefined", () => {
    expect(canonicalJson({ a: undefined, b: 1, c: undefined })).toBe('{"b":1}');
  });
});

describe("canonicalJson, by its laws", () => {
  const value = fc.jsonValue().filter((value) => !/\\ud[89a-f]/.test(JSON.stringify(value)));

  it("is JSON of the same value", () => {
    // Parsed on both sides: -0 is a number that JSON's text does not tell from 0.
    void fc.assert(
      fc.property(value, (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it("writes one text per value, whatever the order of members", () => {
    const members = fc.uniqueArray(fc.tuple(fc.string(), value), { selector: ([key]) => key });
    void fc.assert(
      fc.property(members, (members) => {
        const [one, other] = [members, members.toReversed()].map((list) => canonicalJson(Object.fromEntries(list)));
        expect(one).toBe(other);
        expect(canonicalJson(JSON.parse(one ?? ""))).toBe(one);
      }),
    );
  });
});
