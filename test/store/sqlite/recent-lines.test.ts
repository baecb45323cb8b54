import { describe, expect, it } from "vitest";
import { digestOfText } from "../../../src/domain/digest.ts";
import { RecentLines } from "../../../src/store/sqlite/recent-lines.ts";
import { type EntryRow, lineOf } from "../../../src/store/sqlite/segment.ts";

const LINES_MAX = 512;
const LENGTH_MAX = 512 * 1024;

const rowOf = (seq: number): EntryRow => [seq, digestOfText(`entry ${seq}`), `{"seq":${seq}}`];
const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);
const lineAt = (seq: number) => lineOf(rowOf(seq)[1], rowOf(seq)[2]);
const rowsFrom = (from: number, to: number) => numbers(from, to).map(rowOf);
const addTo = (recent: RecentLines, from: number, to: number) => recent.add(from, numbers(from, to).map(lineAt));

function openRecent(): RecentLines {
  const recent = new RecentLines();
  recent.want();
  return recent;
}

describe("RecentLines", () => {
  it("gives back what was written, any part of it, and nothing beyond", () => {
    const recent = openRecent();
    expect([recent.rows(1, 1), recent.lastSeq]).toEqual([null, null]);
    addTo(recent, 1, 3);
    addTo(recent, 4, 4);
    expect(recent.lastSeq).toBe(4);
    expect(recent.rows(1, 4)).toEqual(rowsFrom(1, 4));
    expect(recent.rows(2, 3)).toEqual(rowsFrom(2, 3));
    expect([recent.rows(0, 2), recent.rows(4, 5), recent.rows(5, 5)]).toEqual([null, null, null]);
  });

  it("begins anew behind what another process wrote", () => {
    const recent = openRecent();
    addTo(recent, 1, 3);
    addTo(recent, 6, 7);
    expect([recent.rows(3, 3), recent.rows(3, 6), recent.rows(6, 7)]).toEqual([null, null, rowsFrom(6, 7)]);
  });

  it("keeps nothing that nobody wants, and forgets when nobody does any more", () => {
    const recent = new RecentLines();
    addTo(recent, 1, 2);
    expect(recent.rows(1, 2)).toBeNull();
    recent.want();
    expect(recent.rows(1, 2)).toBeNull();
    addTo(recent, 3, 4);
    expect(recent.rows(3, 4)).toEqual(rowsFrom(3, 4));
    recent.unwant();
    addTo(recent, 5, 6);
    expect([recent.rows(3, 4), recent.rows(5, 6)]).toEqual([null, null]);
  });

  it("has a bounded number of lines", () => {
    const recent = openRecent();
    addTo(recent, 1, LINES_MAX - 1);
    addTo(recent, LINES_MAX, LINES_MAX);
    expect(recent.rows(1, LINES_MAX)).toHaveLength(LINES_MAX);
    addTo(recent, LINES_MAX + 1, LINES_MAX + 2);
    expect(recent.rows(LINES_MAX, LINES_MAX)).toBeNull();
    expect(recent.rows(LINES_MAX + 1, LINES_MAX + 2)).toEqual(rowsFrom(LINES_MAX + 1, LINES_MAX + 2));
    addTo(recent, 2000, 2000 + LINES_MAX);
    expect(recent.rows(2000, 2000)).toBeNull();
    addTo(recent, 2001 + LINES_MAX, 2002 + LINES_MAX);
    expect(recent.rows(2001 + LINES_MAX, 2002 + LINES_MAX)).toHaveLength(2);
  });

  it("has a bounded length", () => {
    const recent = openRecent();
    const long = (length: number) => lineOf(digestOfText("long"), "x".repeat(length - 65));
    recent.add(1, [long(LENGTH_MAX / 2)]);
    recent.add(2, [long(LENGTH_MAX / 2)]);
    expect(recent.rows(1, 2)).toHaveLength(2);
    addTo(recent, 3, 3);
    expect([recent.rows(2, 2), recent.rows(3, 3)]).toEqual([null, rowsFrom(3, 3)]);
    recent.add(4, [long(LENGTH_MAX + 1)]);
    expect([recent.rows(3, 3), recent.rows(4, 4)]).toEqual([null, null]);
  });
});
