import { expect, it } from "vitest";
import { jsonWithin } from "../../../src/doors/mcp/json-within.ts";

const request = (body: string) => new Request("http://a.example", { method: "POST", body });

it.each<[string, string, unknown]>([
  ["what fits", '{"a":1}', { a: 1 }],
  ["what is one byte too long", '{"a":12}', null],
  ["what is no JSON", "{", null],
  ["nothing", "", null],
])("%s", async (_, body, expected) => {
  expect(await jsonWithin(request(body), 7)).toEqual(expected);
});
