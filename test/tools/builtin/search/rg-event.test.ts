import { expect, it } from "vitest";
import { rgEventFrom } from "../../../../src/tools/builtin/search/rg-event.ts";

const line = (type: string, lines: object, more: object = {}) =>
  JSON.stringify({
    type,
    data: { path: { text: "/w/a" }, lines, line_number: 3, absolute_offset: 9, submatches: [], ...more },
  });
const base64 = (...bytes: number[]) => Buffer.from(bytes).toString("base64");

it.each([
  ["begin", '{"type":"begin","data":{"path":{"text":"a"}}}', null],
  ["end", '{"type":"end","data":{}}', null],
  ["summary", '{"data":{"stats":{}},"type":"summary"}', { kind: "done" }],
  ["nothing", "", null],
  [
    "a match",
    line("match", { text: "x\n" }, { submatches: [{ start: 2, end: 3 }] }),
    { isMatch: true, line: 3, text: { text: "x" }, matchAt: 2 },
  ],
  ["context", line("context", { text: "x" }), { isMatch: false, text: { text: "x" }, matchAt: 0 }],
  ["a line of CRLF", line("match", { text: "x\r\n" }), { text: { text: "x" } }],
  ["a lone CR stays", line("match", { text: "x\ry\n" }), { text: { text: "x\ry" } }],
  ["no number", line("match", { text: "x" }, { line_number: null }), { line: null }],
  [
    "bytes",
    line("match", { bytes: base64(0x78, 0xff, 0x0a) }),
    { text: { text: "x\ufffd", base64: base64(0x78, 0xff) } },
  ],
  [
    "bytes without a line end",
    line("match", { bytes: base64(0xff, 0x0d) }),
    { text: { text: "\ufffd\r", base64: base64(0xff, 0x0d) } },
  ],
  [
    "a path of bytes",
    line("match", { text: "x" }, { path: { bytes: base64(0x2f, 0xff) } }),
    { path: { text: "/\ufffd", base64: base64(0x2f, 0xff) } },
  ],
])("%s", (_, json, expected) => {
  const event = rgEventFrom({ json });
  if (expected === null) expect(event).toBe(null);
  else expect(event).toMatchObject(expected);
});

it("a cut record whose path can't be found is passed over", () =>
  expect(rgEventFrom({ json: '{"type":"match","data":{"pa', cut: { line: 1 } })).toBe(null));
