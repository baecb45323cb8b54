import { expect, it } from "vitest";
import type { JsonValue } from "../../src/domain/json.ts";
import { sameJson } from "../../src/schema/same-json.ts";

it.each<[a: string, b: string, same: boolean]>([
  ["1", "1.0", true],
  ["0", "-0", true],
  ["1", '"1"', false],
  ["null", "0", false],
  ["null", "{}", false],
  ["{}", "null", false],
  ["{}", "[]", false],
  ["[]", "{}", false],
  ["[1,[2]]", "[1,[2]]", true],
  ["[1]", "[1,2]", false],
  ["[1,2]", "[2,1]", false],
  ['{"a":1,"b":2}', '{"b":2,"a":1}', true],
  ['{"a":1}', '{"a":1,"b":2}', false],
  ['{"a":1}', '{"b":1}', false],
  ['{"a":1}', '{"a":2}', false],
  ['{"toString":1}', '{"valueOf":1}', false],
])("%s and %s", (a, b, same) => {
  const left: JsonValue = JSON.parse(a);
  const right: JsonValue = JSON.parse(b);
  expect(sameJson(left, right)).toBe(same);
  expect(sameJson(right, left)).toBe(same);
});
