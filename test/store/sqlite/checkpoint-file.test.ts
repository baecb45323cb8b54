import { appendFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  appendCheckpoints,
  checkpointFile,
  lastCheckpointLine,
  readCheckpointFile,
} from "../../../src/store/sqlite/checkpoint-file.ts";
import { openScratch } from "../state-dir.ts";

function openFile() {
  const scratch = openScratch();
  mkdirSync(scratch.stateDir);
  return Object.assign(scratch, { path: checkpointFile(scratch.stateDir) });
}

/** As long as a real line. */
const line = (n: number): string => `${n}:${"x".repeat(370)}`;
const lines = (count: number): string[] => Array.from({ length: count }, (_, n) => line(n));

describe("the checkpoint file", () => {
  it("is null where there is none, and empty where nothing is in it", () => {
    using file = openFile();
    expect(readCheckpointFile(file.path)).toBeNull();
    expect(lastCheckpointLine(file.path)).toBeNull();
    expect(readCheckpointFile(file.path)).toEqual([]);
  });

  it.each([1, 2, 10, 11, 12, 1000])("gives back %d lines, and the last one", (count) => {
    using file = openFile();
    for (const each of lines(count)) appendCheckpoints(file.path, [each]);
    expect(readCheckpointFile(file.path)).toEqual(lines(count));
    expect(lastCheckpointLine(file.path)).toBe(line(count - 1));
  });

  it("takes several lines at once, and none", () => {
    using file = openFile();
    appendCheckpoints(file.path, lines(5));
    appendCheckpoints(file.path, []);
    expect(readCheckpointFile(file.path)).toEqual(lines(5));
  });

  it("leaves out a torn last line, wherever it was torn, and the next append replaces it", () => {
    for (let bytes = 1; bytes <= line(7).length; bytes++) {
      using file = openFile();
      appendCheckpoints(file.path, lines(7));
      appendFileSync(file.path, line(7).slice(0, bytes));
      expect(readCheckpointFile(file.path)).toEqual(lines(7));
      expect(lastCheckpointLine(file.path)).toBe(line(6));
      appendCheckpoints(file.path, [line(7), line(8)]);
      expect(readCheckpointFile(file.path)).toEqual(lines(9));
    }
  });

  it("may be torn in its very first line", () => {
    using file = openFile();
    writeFileSync(file.path, line(0).slice(0, 100));
    expect(lastCheckpointLine(file.path)).toBeNull();
    appendCheckpoints(file.path, [line(0)]);
    expect(readFileSync(file.path, "utf8")).toBe(`${line(0)}\n`);
  });

  it("is read from its end: what it costs does not grow with it", () => {
    using file = openFile();
    writeFileSync(file.path, `${lines(20_000).join("\n")}\n`);
    expect(lastCheckpointLine(file.path)).toBe(line(19_999));
    expect(statSync(file.path).size).toBeGreaterThan(7_000_000);
  });

  it("that can't be read is no missing one", () => {
    using file = openFile();
    mkdirSync(file.path);
    expect(() => readCheckpointFile(file.path)).toThrow("EISDIR");
  });
});
