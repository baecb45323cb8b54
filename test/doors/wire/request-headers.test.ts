import { expect, it } from "vitest";
import { headersOf } from "../../../src/doors/wire/request-headers.ts";

const HEADERS = headersOf({ rawHeaders: ["HOST", "a:1", "Accept", "*/*", "host", "b:2", "X-Empty", ""] });

it.each([
  ["accept", "*/*"],
  ["x-empty", ""],
  ["authorization", null],
  // Like neither of the two, so that nobody is let in by the one and served by the other.
  ["host", "a:1, b:2"],
])("`%s` is %j", (name, value) => {
  expect([HEADERS.get(name), HEADERS.has(name)]).toEqual([value, value !== null]);
});
