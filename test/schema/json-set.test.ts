import * as fc from "fast-check";
import { expect, it } from "vitest";
import { jsonKey, jsonSet } from "../../src/schema/json-set.ts";
import { sameJson } from "../../src/schema/same-json.ts";
import { HARD_NAMES, someValue } from "./arbitrary-schema.ts";

const value = someValue([...HARD_NAMES, "__proto__"]);

it("has one key for equal values, and another for any other", () =>
  void fc.assert(
    fc.property(value, value, (a, b) => {
      expect(jsonKey(a) === jsonKey(b)).toBe(sameJson(a, b));
    }),
  ));

it("holds what it was made of, and nothing else", () =>
  void fc.assert(
    fc.property(fc.array(value, { maxLength: 5 }), value, (values, one) => {
      expect(values.every(jsonSet(values))).toBe(true);
      expect(jsonSet(values)(one)).toBe(values.some((other) => sameJson(one, other)));
    }),
  ));

it.each([
  ['{"a":1,"b":[2]}', '{"b":[2],"a":1}'],
  ["0", "-0"],
  ["1", "1.0"],
])("%s is %s", (a, b) => expect(jsonSet([JSON.parse(a)])(JSON.parse(b))).toBe(true));
