import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { digestOfText } from "../../../src/domain/digest.ts";
import type { ArtifactEntry } from "../../../src/ports/artifacts.ts";
import type { BlobHash, BlobResult } from "../../../src/ports/blobs.ts";
import { ArtifactFiles } from "../../../src/store/artifacts/artifact-files.ts";

function openScratch() {
  const folder = mkdtempSync(join(tmpdir(), "toolgate-artifacts-"));
  const own = join(folder, "state", "artifacts", digestOfText("default"));
  return {
    folder,
    own,
    artifacts: new ArtifactFiles(join(folder, "state")),
    fileOf: (id: string) => join(own, "ids", digestOfText(id)),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

const hash = (digit: string): BlobHash => digit.repeat(64) as BlobHash;
const entry = (content: string, record = "f"): ArtifactEntry => ({ content: hash(content), record: hash(record) });

const value = <T>(result: BlobResult<T>): T | string => (result.ok ? result.value : result.fault.code);

describe("names of artifacts", () => {
  it("are found by id and by content, in their own project, by another process too", async () => {
    using scratch = openScratch();
    const { artifacts } = scratch;
    expect(value(await artifacts.byId("default", "report"))).toBe(null);
    expect(value(await artifacts.byContent("default", hash("a")))).toBe(null);
    expect(value(await artifacts.add("default", "report", entry("a")))).toEqual({ isNew: true, entry: entry("a") });
    const other = new ArtifactFiles(join(scratch.folder, "state"));
    expect(value(await other.byId("default", "report"))).toEqual(entry("a"));
    expect(value(await other.byContent("default", hash("a")))).toEqual(entry("a"));
    expect(value(await other.byId("default", "Report"))).toBe(null);
    expect(value(await other.byId("else", "report"))).toBe(null);
    expect(value(await other.byContent("else", hash("a")))).toBe(null);
    expect(value(await other.byContent("default", "../ids/x"))).toBe("HASH_INVALID");
  });

  it("never change, and the first one with a content keeps it", async () => {
    using scratch = openScratch();
    const { artifacts } = scratch;
    await artifacts.add("default", "one", entry("a", "1"));
    expect(value(await artifacts.add("default", "one", entry("b", "2")))).toEqual({
      isNew: false,
      entry: entry("a", "1"),
    });
    expect(value(await artifacts.byContent("default", hash("b")))).toBe(null);
    expect(value(await artifacts.add("default", "two", entry("a", "2")))).toMatchObject({ isNew: true });
    expect(value(await artifacts.byContent("default", hash("a")))).toEqual(entry("a", "1"));
    expect(readdirSync(scratch.own).filter((name) => name.startsWith("draft"))).toEqual([]);
  });

  it("have one winner where many want the same", async () => {
    using scratch = openScratch();
    const stateDir = join(scratch.folder, "state");
    const digits = ["a", "b", "c", "d", "e", "0", "1", "2"];
    const added = await Promise.all(
      digits.map((digit) => new ArtifactFiles(stateDir).add("default", "one", entry(digit, digit))),
    );
    const told = added.map((one) => (one.ok ? one.value : null));
    const [won, ...more] = told.filter((one) => one?.isNew);
    expect(more).toEqual([]);
    expect(new Set(told.map((one) => one?.entry.content))).toEqual(new Set([won?.entry.content]));
    expect(value(await scratch.artifacts.byId("default", "one"))).toEqual(won?.entry);
  });

  it("lead nowhere, whatever they are", async () => {
    using scratch = openScratch();
    for (const id of ["../../out", "/etc/passwd", ".", "", "a\0b", "x".repeat(10_000)]) {
      expect(value(await scratch.artifacts.add("default", id, entry("a")))).toMatchObject({ isNew: true });
      expect(value(await scratch.artifacts.byId("default", id))).toEqual(entry("a"));
    }
    expect(readdirSync(scratch.folder)).toEqual(["state"]);
    expect(readdirSync(join(scratch.own, "ids")).every((name) => /^[0-9a-f]{64}$/.test(name))).toBe(true);
  });

  it("get their second half where whoever wrote them died before it", async () => {
    using scratch = openScratch();
    await scratch.artifacts.add("default", "one", entry("a"));
    unlinkSync(join(scratch.own, "content", hash("a")));
    expect(value(await scratch.artifacts.byContent("default", hash("a")))).toBe(null);
    expect(value(await scratch.artifacts.add("default", "one", entry("a")))).toMatchObject({ isNew: false });
    expect(value(await scratch.artifacts.byContent("default", hash("a")))).toEqual(entry("a"));
  });
});

describe("a file of a name that is not ours", () => {
  it.each<[string, (place: string, scratch: ReturnType<typeof openScratch>) => void]>([
    ["readable by others, as a checkout makes it", (place) => chmodSync(place, 0o644)],
    ["cut short", (place) => writeFileSync(place, readFileSync(place, "utf8").slice(0, 20))],
    ["with a hash that is none", (place) => writeFileSync(place, JSON.stringify({ content: "a", record: hash("b") }))],
    ["too long", (place) => writeFileSync(place, JSON.stringify({ ...entry("a"), more: "x".repeat(1024) }))],
    [
      "a link",
      (place, { folder }) => {
        unlinkSync(place);
        writeFileSync(join(folder, "theirs"), JSON.stringify(entry("b")), { mode: 0o600 });
        symlinkSync(join(folder, "theirs"), place);
      },
    ],
  ])("is said to be damaged: %s", async (_, damage) => {
    using scratch = openScratch();
    await scratch.artifacts.add("default", "one", entry("a"));
    damage(scratch.fileOf("one"), scratch);
    expect(value(await scratch.artifacts.byId("default", "one"))).toBe("BLOB_DAMAGED");
    expect(value(await scratch.artifacts.add("default", "one", entry("c")))).toBe("BLOB_DAMAGED");
  });

  it("is not looked for behind a folder that is a link", async () => {
    using scratch = openScratch();
    mkdirSync(join(scratch.folder, "state"));
    mkdirSync(join(scratch.folder, "theirs"));
    symlinkSync(join(scratch.folder, "theirs"), join(scratch.folder, "state", "artifacts"));
    expect(value(await scratch.artifacts.add("default", "one", entry("a")))).toBe("IO_ERROR");
    expect(value(await scratch.artifacts.byId("default", "one"))).toBe("IO_ERROR");
    expect(readdirSync(join(scratch.folder, "theirs"))).toEqual([]);
  });
});
