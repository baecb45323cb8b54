import { describe, expect, it } from "vitest";
import { rgEventFrom } from "../../../../src/tools/builtin/search/rg-event.ts";
import { type RgRecord, RgRecords } from "../../../../src/tools/builtin/search/rg-records.ts";

function recordsOf(text: string, chunkBytes: number): readonly RgRecord[] {
  const records = new RgRecords();
  const bytes = Buffer.from(text);
  const found: RgRecord[] = [];
  for (let i = 0; i < bytes.length; i += chunkBytes) found.push(...records.add(bytes.subarray(i, i + chunkBytes)));
  return found;
}

const match = (text: string, line = 7, path = "/w/a") =>
  `${JSON.stringify({ type: "match", data: { path: { text: path }, lines: { text }, line_number: line, absolute_offset: 0, submatches: [] } })}\n`;

describe("RgRecords", () => {
  it.each([1, 2, 3, 7, 1000])("finds the records in pieces of %i bytes", (bytes) =>
    expect(recordsOf("one\nzwöi\n\nthree\nunfinished", bytes).map(({ json }) => json)).toEqual([
      "one",
      "zwöi",
      "",
      "three",
    ]),
  );

  it("keeps a record of exactly 1 MiB", () => {
    const [record] = recordsOf(`${"x".repeat(1024 * 1024)}\n`, 64 * 1024);
    expect(record?.cut).toBe(undefined);
    expect(record?.json.length).toBe(1024 * 1024);
  });

  it.each([64 * 1024, 1000, 4099, 10_000_000])(
    "keeps the head of a longer one, and finds its line's number (pieces of %i bytes)",
    (bytes) => {
      const lying = ',"line_number":99,'.repeat(100);
      const long = match(lying + "y".repeat(2 * 1024 * 1024) + lying, 1234);
      const records = recordsOf(`${long}${match("short")}`, bytes);
      expect(records.map(({ cut }) => cut)).toEqual([{ line: 1234 }, undefined]);
      expect(records[0]?.json.length).toBe(1024 * 1024);
      expect(rgEventFrom(records[0] as RgRecord)).toEqual({
        kind: "line",
        isMatch: true,
        path: { text: "/w/a" },
        line: 1234,
        text: null,
        matchAt: 0,
      });
    },
  );

  it("finds the number in the head when it is the matches that are many", () => {
    const json = match("short", 5).replace("[]", `[${'{"start":0,"end":1},'.repeat(100_000)}{}]`);
    expect(recordsOf(json, 1000)[0]?.cut).toEqual({ line: 5 });
  });
});
