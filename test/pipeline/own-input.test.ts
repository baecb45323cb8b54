import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/domain/json.ts";
import { ownInput } from "../../src/pipeline/own-input.ts";

function owned(value: unknown): JsonObject {
  const own = ownInput(value as JsonObject);
  if ("error" in own) throw new Error(own.error.message);
  return own.input;
}

function errorOf(value: unknown): { field: string; message: string } | null {
  const own = ownInput(value as JsonObject);
  return "error" in own ? { field: own.error.field, message: own.error.message } : null;
}

const nested = (depth: number): JsonObject => {
  let value: JsonObject = {};
  for (let i = 0; i < depth; i++) value = { a: value };
  return value;
};

describe("ownInput", () => {
  it("is an equal copy, for any JSON", () => {
    void fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue({ stringUnit: "binary" })), (value) => {
        const input = JSON.parse(JSON.stringify(value));
        expect(JSON.stringify(owned(input))).toBe(JSON.stringify(input));
      }),
    );
  });

  it("does not change when the caller's object does", () => {
    const raw = { a: { b: [1, { c: "x" }] } };
    const own = owned(raw);
    raw.a.b.push(2);
    raw.a = { b: [] };
    expect(own).toEqual({ a: { b: [1, { c: "x" }] } });
  });

  it("can't be changed by who is given it", () => {
    const own = owned({ a: { b: [1] } }) as { a: { b: number[] } };
    expect(() => own.a.b.push(2)).toThrow(TypeError);
    expect(() => Object.assign(own, { x: 1 })).toThrow(TypeError);
    expect(() => Object.assign(own.a, { b: 1 })).toThrow(TypeError);
  });

  it("asks a getter once", () => {
    let asked = 0;
    const raw = {
      get path() {
        asked++;
        return asked === 1 ? "harmless" : "/etc/shadow";
      },
    };
    const own = owned(raw);
    expect([own["path"], own["path"], asked]).toEqual(["harmless", "harmless", 1]);
  });

  it("keeps `__proto__` a member like any other", () => {
    const own = owned(JSON.parse('{"__proto__": {"polluted": true}, "constructor": 1}'));
    expect(JSON.stringify(own)).toBe('{"__proto__":{"polluted":true},"constructor":1}');
    expect(Object.getPrototypeOf(own)).toBe(Object.prototype);
    expect("polluted" in {}).toBe(false);
  });

  it("leaves out what is undefined, as JSON does", () => expect(owned({ a: undefined, b: null })).toEqual({ b: null }));

  it.each<[string, unknown, string, string]>([
    ["a lone surrogate", { a: { b: ["x", "\ud800"] } }, "a.b[1]", "`a.b[1]` is not well-formed Unicode text"],
    ["a name with one", { "\udfff": 1 }, "\\u{dfff}", "`\\u{dfff}` is not well-formed Unicode text"],
    ["not a number", { a: Number.NaN }, "a", "`a` is a number that JSON can't hold"],
    ["infinity", [Number.POSITIVE_INFINITY], "0", "`0` is a number that JSON can't hold"],
    ["a bigint", { a: 1n }, "a", "`a` is of the type bigint, which JSON does not have"],
    ["a function", { a: () => 1 }, "a", "`a` is of the type function, which JSON does not have"],
    ["a missing item", { a: [1, undefined] }, "a[1]", "`a[1]` is of the type undefined, which JSON does not have"],
  ])("refuses %s, and says where", (_, value, field, message) => expect(errorOf(value)).toEqual({ field, message }));

  it("gives up what is nested too deep, or in a circle", () => {
    const message = "the input is nested more than 256 deep";
    expect(errorOf(nested(256))).toBeNull();
    expect(errorOf(nested(257))).toEqual({ field: "", message });
    expect(errorOf(JSON.parse(`{"a":${"[".repeat(5000)}${"]".repeat(5000)}}`))).toEqual({ field: "", message });
    const circle: Record<string, unknown> = {};
    circle["self"] = circle;
    expect(errorOf(circle)).toEqual({ field: "", message });
  });

  it("lets an error of the caller's own object through: that is no matter of form", () => {
    const raw = {
      get a() {
        throw new RangeError("mine");
      },
    };
    expect(() => owned(raw)).toThrow("mine");
  });
});
